import type { IconName } from '../parts/icons.ts'

/** What the bar at the side shows. Paths of an app's own pages have `:app` in them. */
export interface Item {
  path: string
  section: string
  label: string
  icon: IconName
  right?: string
}

export const general: readonly Item[] = [
  { path: '/', section: 'overview', label: 'Overview', icon: 'pulse' },
  { path: '/start', section: 'start', label: 'First steps', icon: 'play', right: 'create-app' },
]

export const ofApp: readonly Item[] = [
  {
    path: '/apps/:app/integrations',
    section: 'integrations',
    label: 'Integrations',
    icon: 'plug',
    right: 'read-integration',
  },
  { path: '/apps/:app/orders', section: 'orders', label: 'Orders', icon: 'cart', right: 'read-order' },
  { path: '/apps/:app/runs', section: 'runs', label: 'Runs', icon: 'refresh', right: 'read-integration' },
  {
    path: '/apps/:app/schedules',
    section: 'schedules',
    label: 'Schedules',
    icon: 'calendar',
    right: 'read-integration',
  },
  { path: '/apps/:app/logs', section: 'logs', label: 'Logs', icon: 'list', right: 'read-integration' },
  { path: '/apps/:app/webhooks', section: 'webhooks', label: 'Webhooks', icon: 'bell', right: 'read-app' },
  {
    path: '/apps/:app/undelivered',
    section: 'undelivered',
    label: 'Undelivered',
    icon: 'warning',
    right: 'read-integration',
  },
  { path: '/apps/:app/accounts', section: 'accounts', label: 'Accounts', icon: 'user', right: 'read-integration' },
  { path: '/apps/:app/customers', section: 'customers', label: 'Customers', icon: 'users', right: 'read-order' },
  { path: '/apps/:app', section: 'app', label: 'App settings', icon: 'grid', right: 'read-app' },
]

export const administration: readonly Item[] = [
  { path: '/apps', section: 'apps', label: 'Apps', icon: 'box', right: 'read-app' },
  { path: '/clients', section: 'clients', label: 'Clients', icon: 'key', right: 'read-client' },
  { path: '/team', section: 'team', label: 'Team', icon: 'users', right: 'read-user' },
  { path: '/users', section: 'users', label: 'Users', icon: 'user', right: 'read-user' },
  { path: '/audit', section: 'audit', label: 'Audit trail', icon: 'list', right: 'read-audit' },
  { path: '/catalogue', section: 'catalogue', label: 'Catalogue', icon: 'book', right: 'read-integration' },
  { path: '/v1-usage', section: 'v1-usage', label: 'Version 1.0', icon: 'clock', right: 'read-usage' },
]
