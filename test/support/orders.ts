import { orderDefaults } from '../../src/commerce/order.ts'
import { type OrderInput, ownItem, type SyncedOrder } from '../../src/domain/orders/order.ts'

/** What a caller says of a new order. */
export const orderInput = (more: Partial<OrderInput> = {}): OrderInput => ({
  currency: 'EUR',
  total: '33.20',
  items: [ownItem({ sku: 'A-1', name: 'Kettle', quantity: 1, price: '33.20' })],
  ...more,
})

/** An order as a shop tells it. */
export const incomingOrder = (remoteId: string, more: Partial<SyncedOrder> = {}): SyncedOrder => ({
  remote_id: remoteId,
  number: `#${remoteId}`,
  status: 'PENDING',
  currency: 'EUR',
  total: '10.00',
  customer: { email: 'ada@example.com' },
  billing_address: null,
  shipping_address: null,
  items: [ownItem({ sku: 'A-1', name: 'Kettle', quantity: 1, price: '10.00' })],
  payment_status: 'paid',
  fulfillment_status: 'unfulfilled',
  hold_reason: null,
  subtotal: '10.00',
  discount_total: '0.00',
  shipping_total: '0.00',
  tax_total: '0.00',
  fee_total: '0.00',
  refunded_total: null,
  prices_include_tax: true,
  shipping_method: null,
  note: null,
  admin_url: null,
  ship_by: null,
  ...orderDefaults,
  tags: [],
  fees: [],
  refunds: [],
  placed_at: '2026-11-01T10:00:00.000000Z',
  sandbox: false,
  remote_status: 'open',
  remote_version: '1',
  remote_payload: JSON.stringify({ id: remoteId }),
  ...more,
})
