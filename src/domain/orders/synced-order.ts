import type { RemoteOrder } from '../../commerce/order.ts'
import type { OrderStatus, SyncedOrder } from './order.ts'
import { parcelsOf } from './parcel.ts'

/** An order of the shop as a row of ours. */
export function syncedOrder(integration: { type: string }, order: RemoteOrder): SyncedOrder {
  const parcels = parcelsOf(order)
  const row = rowOf(integration, order)
  return parcels.length === 0 ? row : { ...row, parcels }
}

const rowOf = (integration: { type: string }, order: RemoteOrder): SyncedOrder => ({
  remote_id: order.remote_id,
  number: order.number,
  status: statusOf(order),
  currency: order.currency,
  total: order.total.amount,
  customer: order.customer ?? {},
  billing_address: order.billing_address,
  shipping_address: order.shipping_address,
  items: order.lines.map((line) => ({
    sku: line.sku ?? line.remote_id,
    name: line.title,
    quantity: line.quantity,
    price: line.unit_price.amount,
  })),
  placed_at: order.placed_at,
  sandbox: order.test || integration.type === 'sandbox',
  remote_status: order.remote_status,
  remote_version: order.remote_version,
  remote_payload: JSON.stringify(order.raw) ?? null,
})

/** Three answers of the shop, one of ours. Whether we have acknowledged an order is our own business. */
function statusOf({ status, fulfillment_status: fulfillment }: RemoteOrder): OrderStatus {
  if (status === 'cancelled') return 'CANCELLED'
  if (fulfillment === 'delivered') return 'DELIVERED'
  return fulfillment === 'fulfilled' || status === 'completed' ? 'SHIPPED' : 'PENDING'
}
