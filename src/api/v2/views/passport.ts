import { type Static, Type } from 'typebox'
import { orderStatuses } from '../../../domain/orders/order.ts'
import type { OrderRecord } from '../../../domain/orders/order-record-store.ts'
import type { Passport } from '../../../domain/passport/read-passport.ts'
import { stepKinds } from '../../../domain/passport/step.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { idField, nullableId, nullableText, nullableTimestamp, objectField, timestamp, timestamps } from './record.ts'

const orderSchema = Type.Object({
  id: idField,
  integration_id: idField,
  remote_id: Type.String(),
  number: nullableText,
  status: choice(orderStatuses),
  placed_at: nullableTimestamp,
  ...timestamps,
  deleted_at: nullableTimestamp,
})

const stepSchema = Type.Object({
  at: timestamp,
  kind: choice(stepKinds),
  title: Type.String({ description: 'In plain words' }),
  status: choice(['done', 'waiting', 'failed'], '`waiting`: what it began has not ended yet'),
  duration_ms: Type.Union([Type.Integer(), Type.Null()], { description: 'Since the step before' }),
  details: Type.Unsafe<unknown>({
    ...objectField,
    description:
      'What the step is about. Beside an `error` or a `note` of ours stands `reason`: the code and parameters that it follows from, as in a run',
  }),
  references: Type.Object({
    run_id: nullableId,
    inbound_delivery_id: nullableId,
    shipment_id: nullableId,
    operation_id: nullableId,
    event_id: nullableId,
    webhook_id: nullableId,
    webhook_delivery_id: nullableId,
  }),
})

export const passportSchema = Type.Object({
  order: orderSchema,
  trace_id: Type.String({ description: 'Of the same steps in a tracing system, where one is connected' }),
  steps: Type.Array(stepSchema, { description: 'Oldest first' }),
  truncated: Type.Boolean({ description: 'There are older steps that are not shown' }),
})

const orderOf = (order: OrderRecord): Static<typeof orderSchema> => ({
  id: order.id,
  integration_id: order.integration_id,
  remote_id: order.remote_id,
  number: order.number,
  status: order.status,
  placed_at: order.placed_at,
  created_at: order.created_at,
  updated_at: order.updated_at,
  deleted_at: order.deleted_at,
})

export const passportView = ({ order, traceId, steps, truncated }: Passport): Static<typeof passportSchema> => ({
  order: orderOf(order),
  trace_id: traceId,
  steps: steps.map(({ at, kind, title, status, duration_ms, details, references }) => ({
    at,
    kind,
    title,
    status,
    duration_ms,
    details,
    references: { ...references },
  })),
  truncated,
})

/** By number: several orders may share one. */
export const passportByNumberSchema = Type.Object({
  ...passportSchema.properties,
  others: Type.Array(Type.Object({ id: idField, integration_id: idField }), {
    description: 'Older orders with the same number',
  }),
})
