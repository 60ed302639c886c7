import { type Static, Type } from 'typebox'
import type { Order } from '../../../domain/orders/order.ts'
import { orderStatuses } from '../../../domain/orders/order.ts'
import { choice, nullable } from '../../../lib/validation/fields.ts'
import { idField, nullableText, nullableTimestamp, timestamps } from '../../v2/views/record.ts'

const anyObject = Type.Record(Type.String(), Type.Unknown())

export const orderSchema = Type.Object({
  id: idField,
  integration_id: idField,
  remote_id: Type.String({ description: 'The shop’s own id' }),
  number: nullableText,
  status: choice(orderStatuses),
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
  sandbox: Type.Boolean(),
  placed_at: nullableTimestamp,
  acknowledged_at: nullableTimestamp,
  cancelled_at: nullableTimestamp,
  ...timestamps,
})

export const orderView = (order: Order): Static<typeof orderSchema> => ({
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

/** What became of one order of an acknowledgement. */
export const acknowledgementSchema = Type.Object({
  id: idField,
  remote_id: Type.String(),
  status: choice(orderStatuses),
  acknowledged: Type.Boolean(),
  acknowledged_at: nullableTimestamp,
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why the shop rejected it' }),
})
