import { type Static, Type } from 'typebox'
import type { InboundSummary } from '../../../domain/inbound/inbound-list-store.ts'
import { outcomes } from '../../../domain/inbound/inbound-work-store.ts'
import type { Content } from '../../../domain/inbound/sealing/sealed-delivery.ts'
import { choice, nullable } from '../../../lib/validation/fields.ts'
import { idField, nullableText, nullableTimestamp, reasonSchema, timestamp } from './record.ts'

export const inboundDeliverySchema = Type.Object({
  id: idField,
  integration_id: Type.Integer(),
  delivery_id: Type.String({ description: 'The platform’s own id of the message, or the hash of its body' }),
  topic: nullableText,
  verified: Type.Boolean({ description: 'Whether the platform’s signature was on it' }),
  kind: Type.Union([Type.String(), Type.Null()], { description: 'Kind of the record that it is about' }),
  remote_id: Type.Union([Type.String(), Type.Null()], { description: 'The shop’s id of that record' }),
  size: Type.Integer({ description: 'Bytes; 0 once the content is no longer stored' }),
  attempts: Type.Integer({ description: 'Failed attempts to process it' }),
  outcome: nullable(choice(outcomes)),
  error: nullableText,
  reason: reasonSchema,
  received_at: timestamp,
  processed_at: nullableTimestamp,
  next_attempt_at: nullableTimestamp,
})

export const inboundDeliveryView = (delivery: InboundSummary): Static<typeof inboundDeliverySchema> => ({
  id: delivery.id,
  integration_id: delivery.integration_id,
  delivery_id: delivery.delivery_id,
  topic: delivery.topic,
  verified: delivery.verified,
  kind: delivery.kind,
  remote_id: delivery.remote_id,
  size: delivery.size,
  attempts: delivery.attempts,
  outcome: delivery.outcome,
  error: delivery.error,
  reason: delivery.reason,
  received_at: delivery.received_at,
  processed_at: delivery.processed_at,
  next_attempt_at: delivery.next_attempt_at,
})

const texts = Type.Record(Type.String(), Type.String())

export const inboundContentSchema = Type.Object({
  headers: texts,
  query: texts,
  body: Type.String({ description: 'Empty once it is no longer stored' }),
  truncated: Type.Boolean({ description: 'There is more of the body than is shown' }),
})

/** Whatever proves who sent it would prove that for whoever reads it here. */
const provesSender = /signature|hmac|authorization|cookie|token|secret|api-?key|password|digest/i
const maxShown = 256 * 1024

const withoutProofs = (given: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, provesSender.test(name) ? '[redacted]' : value]),
  )

export const inboundContentView = ({ headers, query, body }: Content): Static<typeof inboundContentSchema> => ({
  headers: withoutProofs(headers),
  query: withoutProofs(query),
  body: body.subarray(0, maxShown).toString('utf8'),
  truncated: body.length > maxShown,
})
