/**
 * The tables that hold what shops hold, each keyed by its integration first (decision 12). They are distributed by it where
 * the database is Citus. In an order in which each refers only to those before it.
 */
export const dataPlane = [
  'integration_state',
  'runs',
  'products',
  'orders',
  'order_history',
  'shipments',
  'inventory',
  'shop_messages',
  'integration_logs',
  'row_counters',
  'quarantine',
  'sync_seen',
  'operations',
  'inbound_work',
  'privacy_keys',
  'erased_orders',
  'stock_marks',
] as const

export const anchor = 'integration_state'
export const commitGuard = 'commit_guard'
