import type { IconName } from '../parts/icons.ts'

/** What the bar at the side shows. Paths of an app's own pages have `:app` in them. */
export interface Item {
  path: string
  section: string
  label: string
  icon: IconName
  permission?: string
}

export const general: readonly Item[] = [
  { path: '/', section: 'overview', label: 'Overview', icon: 'pulse' },
  { path: '/start', section: 'start', label: 'First steps', icon: 'play' },
]

export const ofApp: readonly Item[] = [
  {
    path: '/apps/:app/integrations',
    section: 'integrations',
    label: 'Integrations',
    icon: 'plug',
    permission: 'read-integration',
  },
  { path: '/apps/:app/orders', section: 'orders', label: 'Orders', icon: 'cart', permission: 'read-integration' },
  { path: '/apps/:app/runs', section: 'runs', label: 'Runs', icon: 'refresh', permission: 'read-integration' },
  {
    path: '/apps/:app/schedules',
    section: 'schedules',
    label: 'Schedules',
    icon: 'calendar',
    permission: 'read-integration',
  },
  { path: '/apps/:app/logs', section: 'logs', label: 'Logs', icon: 'list', permission: 'read-integration' },
  { path: '/apps/:app/webhooks', section: 'webhooks', label: 'Webhooks', icon: 'bell' },
  {
    path: '/apps/:app/undelivered',
    section: 'undelivered',
    label: 'Undelivered',
    icon: 'warning',
    permission: 'read-integration',
  },
  { path: '/apps/:app/accounts', section: 'accounts', label: 'Accounts', icon: 'user', permission: 'read-integration' },
  { path: '/apps/:app', section: 'app', label: 'App settings', icon: 'grid' },
]

export const administration: readonly Item[] = [
  { path: '/apps', section: 'apps', label: 'Apps', icon: 'box' },
  { path: '/clients', section: 'clients', label: 'Clients', icon: 'key', permission: 'read-client' },
  { path: '/users', section: 'users', label: 'Users', icon: 'users', permission: 'read-user' },
  { path: '/catalogue', section: 'catalogue', label: 'Catalogue', icon: 'book' },
  { path: '/v1-usage', section: 'v1-usage', label: 'Version 1.0', icon: 'clock' },
]
