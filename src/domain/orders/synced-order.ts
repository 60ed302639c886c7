import { type OrderLine, orderStatusOf, type RemoteOrder } from '../../commerce/order.ts'
import { givenReason } from '../../commerce/refund.ts'
import type { OrderDetails, OrderItem, SyncedOrder } from './order.ts'
import { parcelsOf } from './parcels/parcel.ts'

/** An order of the shop as a row of ours. */
export function syncedOrder(integration: { type: string }, order: RemoteOrder): SyncedOrder {
  const parcels = parcelsOf(order)
  const row = rowOf(integration, order)
  return parcels.length === 0 ? row : { ...row, parcels }
}

const rowOf = (integration: { type: string }, order: RemoteOrder): SyncedOrder => ({
  remote_id: order.remote_id,
  number: order.number,
  status: orderStatusOf(order),
  currency: order.currency,
  total: order.total.amount,
  customer: order.customer ?? {},
  billing_address: order.billing_address,
  shipping_address: order.shipping_address,
  items: order.lines.map(itemOf),
  ...detailsOf(order),
  placed_at: order.placed_at,
  sandbox: order.test || integration.type === 'sandbox',
  remote_status: order.remote_status,
  remote_version: order.remote_version,
  remote_payload: JSON.stringify(order.raw) ?? null,
})

const itemOf = (line: OrderLine): OrderItem => ({
  remote_id: line.remote_id || null,
  product_remote_id: line.product_remote_id,
  variant_remote_id: line.variant_remote_id,
  sku: line.sku,
  name: line.title,
  variant_name: line.variant_title,
  quantity: line.quantity,
  quantity_fulfilled: line.quantity_fulfilled,
  quantity_refunded: line.quantity_refunded,
  quantity_cancelled: line.quantity_cancelled,
  requires_shipping: line.requires_shipping,
  price: line.unit_price.amount,
  discount: line.discount.amount,
  tax: line.tax.amount,
  total: line.total.amount,
  ...(line.attributes.length > 0 && { attributes: line.attributes }),
})

const detailsOf = (order: RemoteOrder): Omit<OrderDetails, 'returns'> & Pick<SyncedOrder, 'returns'> => ({
  payment_status: order.payment_status,
  fulfillment_status: order.fulfillment_status,
  hold_reason: order.hold_reason,
  subtotal: order.subtotal.amount,
  discount_total: order.discount_total.amount,
  shipping_total: order.shipping_total.amount,
  tax_total: order.tax_total.amount,
  fee_total: order.fee_total.amount,
  refunded_total: order.refunded_total?.amount ?? null,
  prices_include_tax: order.prices_include_tax,
  shipping_method: order.shipping_method,
  note: order.note,
  admin_url: order.admin_url,
  ship_by: order.ship_by,
  service_level: order.service_level,
  fulfilled_by: order.fulfilled_by,
  sales_channel: order.sales_channel,
  presentment: order.presentment,
  purchase_order: order.purchase_order,
  tax_ids: order.tax_ids,
  attributes: order.attributes,
  tags: order.tags,
  cancel_requested: order.cancel_requested,
  incomplete: order.incomplete,
  fees: order.fees.map(({ remote_id, title, amount, tax }) => ({
    remote_id,
    name: title,
    amount: amount.amount,
    tax: tax.amount,
  })),
  refunds: order.refunds.map(({ amount, lines, reason, ...refund }) => ({
    ...refund,
    reason: givenReason(reason),
    amount: amount.amount,
    lines: lines.map((line) => ({ ...line, amount: line.amount?.amount ?? null })),
  })),
  ...(order.returns && { returns: order.returns }),
})
