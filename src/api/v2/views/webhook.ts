import { type Static, Type } from 'typebox'
import { type EventType, events } from '../../../domain/events/event.ts'
import { samples } from '../../../domain/events/samples.ts'
import { whyFailed } from '../../../domain/webhooks/attempt-words.ts'
import type { Attempt, Delivery } from '../../../domain/webhooks/delivery.ts'
import { messageId } from '../../../domain/webhooks/delivery.ts'
import type { FedEvent } from '../../../domain/webhooks/feed-store.ts'
import type { Subscription } from '../../../domain/webhooks/subscription.ts'
import { nullable } from '../../../lib/validation/fields.ts'
import {
  idField,
  nullableId,
  nullableText,
  nullableTimestamp,
  objectField,
  reasonSchema,
  timestamp,
  timestamps,
} from './record.ts'

export const webhookSchema = Type.Object({
  id: idField,
  app_id: nullableId,
  url: Type.String(),
  description: nullableText,
  events: Type.Array(Type.String(), { description: 'Event types it receives; `*` is every type' }),
  integration_ids: nullable(
    Type.Array(Type.Integer(), { description: 'The integrations whose events it receives; null is all of the app' }),
  ),
  thin: Type.Boolean({ description: 'Whether the `data` of its events are only ids and `href`' }),
  active: Type.Boolean(),
  failing_since: Type.Union([timestamp, Type.Null()], {
    description: 'Since when every attempt has failed; null if the last one succeeded',
  }),
  disabled_at: nullableTimestamp,
  disabled_reason: Type.Union([Type.String(), Type.Null()], {
    description: '`gone`: it answered 410. `failing`: every attempt failed for five days',
  }),
  ...timestamps,
})

export const webhookView = (webhook: Subscription): Static<typeof webhookSchema> => ({
  id: webhook.id,
  app_id: webhook.app_id,
  url: webhook.url,
  description: webhook.description,
  events: webhook.events,
  integration_ids: webhook.integration_ids,
  thin: webhook.thin,
  active: webhook.active,
  failing_since: webhook.failing_since,
  disabled_at: webhook.disabled_at,
  disabled_reason: webhook.disabled_reason,
  created_at: webhook.created_at,
  updated_at: webhook.updated_at,
})

export const webhookWithSecretSchema = Type.Intersect([
  webhookSchema,
  Type.Object({
    secret: Type.String({ description: 'Signs what we send (Standard Webhooks); shown only in this answer' }),
  }),
])

const eventId = Type.String({ description: 'The `webhook-id` of every attempt', examples: ['evt_123'] })

export const deliverySchema = Type.Object({
  id: idField,
  webhook_id: Type.Integer(),
  event_id: eventId,
  type: Type.String(),
  state: Type.String({ description: '`pending`, `delivered`, `failed`, `held` or `cancelled`' }),
  attempts: Type.Integer({ description: 'How many there were' }),
  next_attempt_at: nullableTimestamp,
  response_status: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the latest attempt' }),
  error: nullableText,
  reason: reasonSchema,
  delivered_at: nullableTimestamp,
  ...timestamps,
})

export const deliveryView = (delivery: Delivery): Static<typeof deliverySchema> => ({
  id: delivery.id,
  webhook_id: delivery.webhook_id,
  event_id: messageId(delivery.event_id),
  type: delivery.type,
  state: delivery.state,
  attempts: delivery.attempts,
  next_attempt_at: delivery.state === 'pending' ? delivery.due_at : null,
  response_status: delivery.response_status,
  error: delivery.error,
  reason: whyFailed(delivery),
  delivered_at: delivery.delivered_at,
  created_at: delivery.created_at,
  updated_at: delivery.updated_at,
})

const attemptSchema = Type.Object({
  number: Type.Integer(),
  trigger: Type.String({ description: '`schedule` or `replay`' }),
  response_status: nullableId,
  response_body: Type.Union([Type.String(), Type.Null()], { description: 'The beginning of it' }),
  error: nullableText,
  reason: reasonSchema,
  duration_ms: Type.Integer(),
  at: timestamp,
})

const attemptView = (attempt: Attempt): Static<typeof attemptSchema> => ({
  number: attempt.number,
  trigger: attempt.trigger,
  response_status: attempt.response_status,
  response_body: attempt.response_body,
  error: attempt.error,
  reason: whyFailed(attempt),
  duration_ms: attempt.duration_ms,
  at: attempt.at,
})

export const deliveryDetailSchema = Type.Intersect([
  deliverySchema,
  Type.Object({ data: objectField, attempt_log: Type.Array(attemptSchema) }),
])

export const deliveryDetailView = (
  delivery: Delivery,
  { data, attempts }: { data: string; attempts: readonly Attempt[] },
): Static<typeof deliveryDetailSchema> => ({
  ...deliveryView(delivery),
  data: JSON.parse(data),
  attempt_log: attempts.map(attemptView),
})

export const fedEventSchema = Type.Object({
  id: eventId,
  type: Type.String(),
  timestamp,
  data: objectField,
})

export const fedEventView = (event: FedEvent): Static<typeof fedEventSchema> => ({
  id: messageId(event.event_id),
  type: event.type,
  timestamp: event.created_at,
  data: JSON.parse(event.data),
})

export const eventTypeSchema = Type.Object({
  type: Type.String(),
  description: Type.String(),
  schema: Type.Unsafe<unknown>({ type: 'object', additionalProperties: true, description: 'JSON Schema of `data`' }),
  example: Type.Unsafe<unknown>({ type: 'object', additionalProperties: true, description: 'What `data` may be' }),
})

export const eventTypeView = (type: EventType): Static<typeof eventTypeSchema> => ({
  type,
  description: events[type].words,
  schema: events[type].data,
  example: samples[type],
})
