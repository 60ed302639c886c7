import { type Static, Type } from 'typebox'
import type { AcknowledgementClock } from '../../../commerce/connector/parts.ts'
import {
  fulfillers,
  fulfillmentStatuses,
  orderStatuses,
  paymentStatuses,
  returnStatuses,
} from '../../../commerce/order.ts'
import { quantitySchema } from '../../../commerce/rules/quantities.ts'
import { acknowledgeBy } from '../../../domain/orders/acknowledgement/acknowledge-by.ts'
import { isKnownToShop, type Order, type OrderItem } from '../../../domain/orders/order.ts'
import type { OrderRecord } from '../../../domain/orders/order-record-store.ts'
import type { OrderHistory } from '../../../domain/orders/privacy/history-store.ts'
import { choice, logged, nullable } from '../../../lib/validation/fields.ts'
import { idField, nullableId, nullableText, nullableTimestamp, timestamp, timestamps } from './record.ts'

const anyObject = Type.Record(Type.String(), Type.Unknown())
const amount = logged(Type.String({ description: 'A decimal number', examples: ['33.25'] }))
const nullableAmount = nullable(amount)

const attributes = Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
  description: 'What the buyer asked for in words: engraving, gift message, delivery instructions, chosen options',
})

export const itemSchema = Type.Object({
  remote_id: Type.Union([Type.String(), Type.Null()], { description: 'The shop’s id of the line' }),
  product_remote_id: nullableText,
  variant_remote_id: nullableText,
  sku: Type.Union([logged(Type.String()), Type.Null()], { description: 'Null where the article has none' }),
  name: nullableText,
  variant_name: nullableText,
  quantity: quantitySchema,
  quantity_fulfilled: quantitySchema,
  quantity_refunded: quantitySchema,
  quantity_cancelled: quantitySchema,
  requires_shipping: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'False for what is not shipped itself: virtual goods, a bundle whose parts are lines of their own',
  }),
  price: Type.String({ description: 'Of one piece; a decimal number' }),
  discount: nullableAmount,
  tax: nullableAmount,
  total: Type.Union([Type.String(), Type.Null()], { description: 'Of the line, as the shop calculates it' }),
  attributes,
})

/** What both versions show of an order. */
export const orderFields = {
  id: idField,
  integration_id: idField,
  remote_id: logged(Type.String({ description: 'The shop’s own id' })),
  origin: choice(['shop', 'entrepot'], 'Whether the shop has the order, or it is kept here only'),
  number: Type.Union([logged(Type.String()), Type.Null()], { description: 'Order number' }),
  status: choice(
    orderStatuses,
    '`PENDING` and `ACKNOWLEDGED` orders are ready to be shipped; the shop holds back `UNPAID` and `ON_HOLD` ones',
  ),
  payment_status: Type.Union([choice(paymentStatuses), Type.Null()], { description: 'Null until the shop reports it' }),
  fulfillment_status: Type.Union([choice(fulfillmentStatuses), Type.Null()], {
    description: 'Null until the shop reports it',
  }),
  hold_reason: Type.Union([Type.String(), Type.Null()], { description: 'Why the shop holds it back' }),
  currency: logged(Type.String({ description: 'ISO 4217', examples: ['EUR'] })),
  subtotal: nullableAmount,
  discount_total: nullableAmount,
  shipping_total: nullableAmount,
  tax_total: nullableAmount,
  fee_total: nullableAmount,
  refunded_total: nullableAmount,
  total: amount,
  prices_include_tax: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      'Whether subtotal, shipping, fees and lines have the tax in them: where they have not, it is added to make up the total. How the shop shows its prices to buyers may differ',
  }),
  customer: anyObject,
  billing_address: nullable(anyObject),
  shipping_address: nullable(anyObject),
  shipping_method: nullableText,
  note: Type.Union([Type.String(), Type.Null()], { description: 'What the customer wrote' }),
  service_level: Type.Union([Type.String(), Type.Null()], {
    description: 'How fast it was promised, in the word of the platform',
  }),
  fulfilled_by: Type.Union([choice(fulfillers), Type.Null()], {
    description: '`platform`: it is sent from the platform’s own warehouse and is not to be shipped by anybody else',
  }),
  sales_channel: Type.Union([Type.String(), Type.Null()], {
    description: 'Where it was sold within the shop: point of sale, storefront, store view',
  }),
  presentment: Type.Union([Type.Object({ currency: Type.String(), total: amount }), Type.Null()], {
    description: 'What the buyer saw and paid, where that is another currency than the shop’s',
  }),
  purchase_order: Type.Union([Type.String(), Type.Null()], { description: 'The buyer’s own number for the purchase' }),
  tax_ids: Type.Array(Type.Object({ kind: Type.String(), value: Type.String() }), {
    description: 'Tax numbers of the buyer',
  }),
  attributes,
  admin_url: Type.Union([Type.String(), Type.Null()], { description: 'The order in the shop’s own administration' }),
  items: Type.Array(itemSchema),
  fees: Type.Array(Type.Object({ remote_id: nullableText, name: Type.String(), amount, tax: amount }), {
    description: 'Charged besides goods and shipping',
  }),
  refunds: Type.Array(
    Type.Object({
      remote_id: nullableText,
      amount,
      reason: nullableText,
      refunded_at: nullableTimestamp,
      lines: Type.Array(
        Type.Object({ order_line_remote_id: Type.String(), quantity: quantitySchema, amount: nullableAmount }),
      ),
    }),
  ),
  returns: Type.Array(
    Type.Object({
      remote_id: Type.String(),
      status: choice(returnStatuses),
      remote_status: Type.String({ description: 'As the shop names it' }),
      requested_at: nullableTimestamp,
      lines: Type.Array(
        Type.Object({ order_line_remote_id: nullableText, quantity: quantitySchema, reason: nullableText }),
      ),
    }),
    { description: 'What the buyer sends back; none where `capabilities.returns` of the service is false' },
  ),
  sandbox: Type.Boolean({ description: 'Test order' }),
  placed_at: nullableTimestamp,
  ship_by: Type.Union([timestamp, Type.Null()], { description: 'Until when the platform expects it to be shipped' }),
  acknowledged_at: nullableTimestamp,
  cancel_requested: Type.Boolean({ description: 'The buyer wants it cancelled, and nobody has decided yet' }),
  incomplete: Type.Boolean({
    description: 'The shop has more of it than is here yet (buyer, addresses, ids of lines): it is still being read',
  }),
  cancelled_at: nullableTimestamp,
  ...timestamps,
}

/** Lines that were stored before this had a name for everything. */
const itemView = (item: Partial<OrderItem> & Pick<OrderItem, 'quantity' | 'price'>): Static<typeof itemSchema> => ({
  remote_id: item.remote_id ?? null,
  product_remote_id: item.product_remote_id ?? null,
  variant_remote_id: item.variant_remote_id ?? null,
  sku: item.sku ?? null,
  name: item.name ?? null,
  variant_name: item.variant_name ?? null,
  quantity: item.quantity,
  quantity_fulfilled: item.quantity_fulfilled ?? 0,
  quantity_refunded: item.quantity_refunded ?? 0,
  quantity_cancelled: item.quantity_cancelled ?? 0,
  requires_shipping: item.requires_shipping ?? null,
  price: item.price,
  discount: item.discount ?? null,
  tax: item.tax ?? null,
  total: item.total ?? null,
  attributes: [...(item.attributes ?? [])],
})

const fieldsSchema = Type.Object(orderFields)

export const orderFieldsView = (order: Order): Static<typeof fieldsSchema> => ({
  id: order.id,
  integration_id: order.integration_id,
  remote_id: order.remote_id,
  origin: isKnownToShop(order) ? 'shop' : 'entrepot',
  number: order.number,
  status: order.status,
  payment_status: order.payment_status,
  fulfillment_status: order.fulfillment_status,
  hold_reason: order.hold_reason,
  currency: order.currency,
  subtotal: order.subtotal,
  discount_total: order.discount_total,
  shipping_total: order.shipping_total,
  tax_total: order.tax_total,
  fee_total: order.fee_total,
  refunded_total: order.refunded_total,
  total: order.total,
  prices_include_tax: order.prices_include_tax,
  customer: order.customer,
  billing_address: order.billing_address,
  shipping_address: order.shipping_address,
  shipping_method: order.shipping_method,
  note: order.note,
  service_level: order.service_level,
  fulfilled_by: order.fulfilled_by,
  sales_channel: order.sales_channel,
  presentment: order.presentment,
  purchase_order: order.purchase_order,
  tax_ids: [...order.tax_ids],
  attributes: [...order.attributes],
  admin_url: order.admin_url,
  items: order.items.map(itemView),
  fees: [...order.fees],
  refunds: order.refunds.map((refund) => ({ ...refund, lines: [...refund.lines] })),
  returns: order.returns.map((one) => ({ ...one, lines: [...one.lines] })),
  sandbox: order.sandbox,
  placed_at: order.placed_at,
  ship_by: order.ship_by,
  acknowledged_at: order.acknowledged_at,
  cancel_requested: order.cancel_requested,
  incomplete: order.incomplete,
  cancelled_at: order.cancelled_at,
  created_at: order.created_at,
  updated_at: order.updated_at,
})

export const orderSchema = Type.Object({
  ...orderFields,
  remote_status: Type.Union([Type.String(), Type.Null()], { description: 'The status as the shop names it' }),
  tags: Type.Array(Type.String(), { description: 'As the shop keeps them with the order' }),
  acknowledge_by: Type.Union([timestamp, Type.Null()], {
    description: 'Deadline of the platform for the acknowledgement; null where there is none',
  }),
  deleted_at: nullableTimestamp,
})

export const orderView = (order: OrderRecord, clock: AcknowledgementClock | null): Static<typeof orderSchema> => ({
  ...orderFieldsView(order),
  remote_status: order.remote_status,
  tags: [...order.tags],
  acknowledge_by: acknowledgeBy(clock, order),
  deleted_at: order.deleted_at,
})

export const historySchema = Type.Object({
  id: idField,
  status: Type.String({ description: 'The status since then' }),
  remote_status: nullableText,
  source: Type.String({
    description: 'What changed it: `api`, `shop`, `webhook` (sent by the shop) or `shipment`',
  }),
  note: nullableText,
  run_id: nullableId,
  at: timestamp,
})

export const historyView = (entry: OrderHistory): Static<typeof historySchema> => ({
  id: entry.id,
  status: entry.status,
  remote_status: entry.remote_status,
  source: entry.source,
  note: entry.note,
  run_id: entry.run_id,
  at: entry.at,
})
