import type { IconName } from '../parts/icons.ts'

/** A page in the bar at the side. Paths of an app's own pages have `:app` in them. */
export interface Item {
  path: string
  section: string
  label: string
  right?: string
  /** Not a page of the console: its address as it is. */
  outside?: true
}

/** What people come to do. A room of one page is that page; the others unfold. */
export interface Room {
  label: string
  icon: IconName
  pages: readonly Item[]
}

export interface Group {
  /** Null where the rooms need no heading. */
  label: string | null
  rooms: readonly Room[]
}

const page = (label: string, section: string, path: string, right?: string): Item => ({
  label,
  section,
  path,
  ...(right && { right }),
})

/** A page of the chosen app; its section is the last word of its address. */
const ofApp = (label: string, section: string, right: string, path = `/apps/:app/${section}`): Item =>
  page(label, section, path, right)

const outside = (label: string, path: string): Item => ({ label, section: path, path, outside: true })

/** Every page stands in the room where somebody would look for it; a new one needs a line here. */
export const groups: readonly Group[] = [
  {
    label: null,
    rooms: [
      { label: 'Home', icon: 'home', pages: [page('Home', 'overview', '/')] },
      { label: 'First steps', icon: 'play', pages: [page('First steps', 'start', '/start', 'create-app')] },
    ],
  },
  {
    label: 'Commerce',
    rooms: [
      { label: 'Orders', icon: 'cart', pages: [ofApp('Orders', 'orders', 'read-order')] },
      { label: 'Products', icon: 'box', pages: [ofApp('Products', 'products', 'read-integration')] },
      {
        label: 'Stock',
        icon: 'list',
        pages: [ofApp('Stock', 'stock', 'read-integration'), ofApp('Shared stock', 'shared-stock', 'read-integration')],
      },
      { label: 'Parcels', icon: 'parcel', pages: [ofApp('Parcels', 'parcels', 'read-order')] },
    ],
  },
  {
    label: 'Connections',
    rooms: [
      { label: 'Shops', icon: 'plug', pages: [ofApp('Shops', 'integrations', 'read-integration')] },
      {
        label: 'Alerts',
        icon: 'warning',
        pages: [
          ofApp('Alerts', 'alerts', 'read-integration'),
          ofApp('Rules and channels', 'alert-settings', 'read-app'),
        ],
      },
      {
        label: 'Activity',
        icon: 'pulse',
        pages: [
          ofApp('Runs', 'runs', 'read-integration'),
          ofApp('Messages', 'undelivered', 'read-integration'),
          ofApp('Logs', 'logs', 'read-integration'),
          ofApp('Schedules', 'schedules', 'read-integration'),
        ],
      },
      { label: 'Webhooks', icon: 'bell', pages: [ofApp('Webhooks', 'webhooks', 'read-app')] },
      {
        label: 'Agents',
        icon: 'flow',
        pages: [ofApp('Approvals', 'approvals', 'run-action'), ofApp('Agents', 'agents', 'read-app')],
      },
      {
        label: 'Merchants',
        icon: 'users',
        pages: [ofApp('Merchants', 'accounts', 'read-integration'), ofApp('Customers', 'customers', 'read-order')],
      },
    ],
  },
  {
    label: 'Manage',
    rooms: [
      {
        label: 'Developers',
        icon: 'key',
        pages: [
          page('Clients', 'clients', '/clients', 'read-client'),
          ofApp('Gateway keys', 'gateway-keys', 'manage-access'),
          ofApp('Requests', 'requests', 'read-integration'),
          page('Catalogue', 'catalogue', '/catalogue', 'read-integration'),
          page('Version 1.0', 'v1-usage', '/v1-usage', 'read-usage'),
          outside('Guides', '/docs/guides'),
          outside('API reference', '/docs'),
          outside('Components in a page', '/demo'),
        ],
      },
      {
        label: 'Settings',
        icon: 'grid',
        pages: [
          ofApp('This app', 'app', 'read-app', '/apps/:app'),
          ofApp('Platforms', 'platforms', 'read-app'),
          ofApp('Branding', 'branding', 'read-app'),
          ofApp('Flows', 'flows', 'read-integration'),
          page('All apps', 'apps', '/apps', 'read-app'),
          page('Own services', 'own-services', '/own-services', 'create-integration'),
          page('Team', 'team', '/team', 'read-user'),
          page('Users', 'users', '/users', 'read-user'),
          page('Audit trail', 'audit', '/audit', 'read-audit'),
        ],
      },
    ],
  },
]
