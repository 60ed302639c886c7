import type { EventData, EventType } from './event.ts'

/** One example of the data of each event: for documentation, and for whoever wants to see their endpoint take one. */

const at = '2026-11-15T10:00:00.123456Z'

const integration: EventData<'integration.updated'> = {
  id: 3,
  app_id: 1,
  account_id: 12,
  type: 'shopify',
  shop: 'atelier-nord.myshopify.com',
  name: 'Atelier Nord',
  status: 'ACTIVE',
  previous_status: null,
  status_reason: null,
  updated_at: at,
  href: '/api/2.0/app/integrations/3',
}

const order: EventData<'order.updated'> = {
  id: 7,
  integration_id: 3,
  remote_id: 'gid://shopify/Order/5512',
  number: '#1001',
  status: 'PENDING',
  previous_status: null,
  payment_status: 'paid',
  fulfillment_status: 'unfulfilled',
  currency: 'EUR',
  total: '33.25',
  placed_at: '2026-11-14T21:12:05.000000Z',
  updated_at: at,
  href: '/api/2.0/app/orders/7?integration_id=3',
}

const shipment: EventData<'shipment.updated'> = {
  id: 21,
  integration_id: 3,
  order_id: 7,
  remote_id: 'gid://shopify/Fulfillment/881',
  tracking_number: '00340434161094042557',
  carrier: 'dhl',
  status: 'SHIPPED',
  previous_status: null,
  updated_at: at,
  href: '/api/2.0/app/orders/7?integration_id=3',
}

const product: EventData<'product.updated'> = {
  id: 40,
  integration_id: 3,
  remote_id: 'gid://shopify/Product/77',
  sku: 'CUP-BLUE',
  name: 'Cup, blue',
  price: '12.90',
  currency: 'EUR',
  quantity: 18,
  active: true,
  updated_at: at,
  href: '/api/2.0/app/products/40?integration_id=3',
}

const stockArticle = { account_id: 12, article_id: 5, sku: 'CUP-BLUE' }

const level: EventData<'inventory.updated'> = {
  integration_id: 3,
  sku: 'CUP-BLUE',
  location: 'Hamburg',
  remote_id: 'gid://shopify/InventoryItem/91',
  quantity: 18,
  updated_at: at,
  href: '/api/2.0/app/inventory?integration_id=3&sku=CUP-BLUE',
}

const run: EventData<'run.completed'> = {
  id: 88,
  integration_id: 3,
  resource: 'sync_orders',
  status: 'completed',
  error: null,
  finished_at: at,
  href: '/api/2.0/app/integrations/3/runs/88',
}

const privacy: EventData<'privacy.redacted'> = {
  integration_id: 3,
  order_ids: [7],
  requested_at: at,
  href: '/api/2.0/app/integrations/3',
}

const attention: EventData<'attention.opened'> = {
  id: 12,
  app_id: 1,
  kind: 'integration_error',
  severity: 'critical',
  summary: 'The shop rejected our credentials. The merchant has to connect it again.',
  integration_id: 3,
  webhook_id: null,
  user_id: null,
  count: null,
  reason: 'credentials_rejected',
  since: at,
  opened_at: at,
  closed_at: null,
  href: '/api/2.0/app/alerts/12',
}

const approval: EventData<'approval.requested'> = {
  id: 61,
  app_id: 1,
  integration_id: 3,
  tool: 'refund_order',
  agent_id: 4,
  status: 'waiting',
  href: '/api/2.0/user/apps/1/approvals/61',
}

export const samples: { readonly [Type in EventType]: EventData<Type> } = {
  'integration.installed': { ...integration, previous_status: 'PENDING' },
  'integration.updated': integration,
  'integration.uninstalled': {
    ...integration,
    status: 'UNINSTALLED',
    previous_status: 'ACTIVE',
    status_reason: 'uninstalled',
  },
  'integration.status_changed': {
    ...integration,
    status: 'INACTIVE',
    previous_status: 'ACTIVE',
    status_reason: 'paused',
  },
  'integration.error': {
    ...integration,
    status: 'ERROR',
    previous_status: 'ACTIVE',
    status_reason: 'credentials_rejected',
  },
  'integration.recovered': { ...integration, previous_status: 'ERROR' },
  'integration.consent_ending': { ...integration, consent_ends_at: '2026-12-10T00:00:00.000000Z' },
  'order.created': order,
  'order.updated': { ...order, status: 'SHIPPED', previous_status: 'ACKNOWLEDGED', fulfillment_status: 'fulfilled' },
  'order.cancelled': { ...order, status: 'CANCELLED', previous_status: 'PENDING' },
  'order.cancel_requested': { ...order, previous_status: 'PENDING' },
  'order.return_requested': { ...order, status: 'DELIVERED', previous_status: 'DELIVERED' },
  'order.refunded': { ...order, status: 'REFUNDED', previous_status: 'DELIVERED', payment_status: 'refunded' },
  'order.acknowledged': { ...order, status: 'ACKNOWLEDGED', previous_status: 'PENDING' },
  'order.acknowledgement_due': {
    ...order,
    previous_status: 'PENDING',
    acknowledge_by: '2026-11-15T10:45:00.000000Z',
  },
  'order.deleted': { ...order, previous_status: 'PENDING' },
  'shipment.created': shipment,
  'shipment.updated': { ...shipment, status: 'DELIVERED', previous_status: 'SHIPPED' },
  'product.created': product,
  'product.updated': product,
  'product.deleted': { ...product, active: false },
  'inventory.updated': level,
  'inventory.deleted': { ...level, quantity: 0 },
  'stock.changed': { ...stockArticle, on_hand: 9, reserved: 2, available: 7, changed_at: at },
  'stock.oversold': {
    ...stockArticle,
    missing: 1,
    orders: [
      {
        ...{ integration_id: 3, order_id: 7, quantity: 1, placed_at: '2026-11-15T09:59:58.000000Z', is_short: false },
        href: '/api/2.0/app/orders/7?integration_id=3',
      },
      {
        ...{ integration_id: 4, order_id: 91, quantity: 1, placed_at: '2026-11-15T09:59:59.000000Z', is_short: true },
        href: '/api/2.0/app/orders/91?integration_id=4',
      },
    ],
  },
  'stock.drift': {
    ...stockArticle,
    ...{ integration_id: 3, expected: 7, found: 9, resolution: 'corrected', noticed_at: at },
  },
  'run.completed': run,
  'run.failed': { ...run, status: 'failed', error: 'The run failed.' },
  'privacy.data_requested': privacy,
  'privacy.redacted': privacy,
  'privacy.erasure_scheduled': {
    integration_id: 3,
    requested_at: at,
    erase_at: '2026-11-17T10:00:00.123456Z',
    href: '/api/2.0/app/integrations/3',
  },
  'privacy.orders_expired': {
    integration_id: 3,
    orders: 118,
    placed_before: '2025-11-15T00:00:00.000000Z',
    href: '/api/2.0/app/integrations/3',
  },
  'attention.opened': attention,
  'attention.closed': { ...attention, closed_at: '2026-11-15T11:30:00.000000Z' },
  'approval.requested': approval,
  'approval.decided': { ...approval, status: 'done' },
  'webhook.disabled': {
    id: 5,
    url: 'https://hooks.example.com/entrepot',
    reason: 'failing',
    failing_since: '2026-11-10T10:00:00.000000Z',
    disabled_at: at,
    href: '/api/2.0/user/apps/1/webhooks/5',
  },
}

/** As data of an event that has not happened: whoever acts on events can tell. */
export const sampleOf = (type: EventType): object => ({ ...samples[type], sample: true })
