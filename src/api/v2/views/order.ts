import { type Static, Type } from 'typebox'
import type { AcknowledgementClock } from '../../../commerce/connector.ts'
import { acknowledgeBy } from '../../../domain/orders/acknowledge-by.ts'
import { type Order, orderStatuses } from '../../../domain/orders/order.ts'
import type { OrderHistory, OrderRecord } from '../../../domain/orders/order-record-store.ts'
import { choice, nullable } from '../../../lib/validation/fields.ts'
import { idField, nullableId, nullableText, nullableTimestamp, timestamp, timestamps } from './record.ts'

const anyObject = Type.Record(Type.String(), Type.Unknown())

export const orderSchema = Type.Object({
  id: idField,
  integration_id: idField,
  remote_id: Type.String({ description: 'The shop’s own id' }),
  number: Type.Union([Type.String(), Type.Null()], { description: 'Order number' }),
  status: choice(orderStatuses),
  remote_status: Type.Union([Type.String(), Type.Null()], { description: 'The status as the shop names it' }),
  currency: Type.String({ description: 'ISO 4217', examples: ['EUR'] }),
  total: Type.String({ description: 'A decimal number', examples: ['33.25'] }),
  customer: anyObject,
  billing_address: nullable(anyObject),
  shipping_address: nullable(anyObject),
  items: Type.Array(
    Type.Object({
      sku: Type.String(),
      name: nullableText,
      quantity: Type.Integer(),
      price: Type.String({ description: 'A decimal number' }),
    }),
  ),
  sandbox: Type.Boolean({ description: 'Test order' }),
  placed_at: nullableTimestamp,
  acknowledged_at: nullableTimestamp,
  acknowledge_by: Type.Union([timestamp, Type.Null()], {
    description: 'Deadline of the platform for the acknowledgement; null where there is none',
  }),
  cancelled_at: nullableTimestamp,
  ...timestamps,
  deleted_at: nullableTimestamp,
})

/** What every version shows of an order. */
export const plainOrderView = (order: Order) => ({
  id: order.id,
  integration_id: order.integration_id,
  remote_id: order.remote_id,
  number: order.number,
  status: order.status,
  currency: order.currency,
  total: order.total,
  customer: order.customer,
  billing_address: order.billing_address,
  shipping_address: order.shipping_address,
  items: [...order.items],
  sandbox: order.sandbox,
  placed_at: order.placed_at,
  acknowledged_at: order.acknowledged_at,
  cancelled_at: order.cancelled_at,
  created_at: order.created_at,
  updated_at: order.updated_at,
})

export const orderView = (order: OrderRecord, clock: AcknowledgementClock | null): Static<typeof orderSchema> => ({
  ...plainOrderView(order),
  remote_status: order.remote_status,
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
