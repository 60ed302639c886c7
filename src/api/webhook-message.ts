import { type EventType, events } from '../domain/events/event.ts'
import { samples } from '../domain/events/samples.ts'

/** The headers of every delivery, after Standard Webhooks. */
export const webhookHeaders = {
  'webhook-id': 'The same for every attempt: use it to detect duplicates.',
  'webhook-timestamp': 'Of the attempt, in seconds since 1970.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; after a rotation there is one for each secret, with a space between.',
}

export const webhookBodySchema = (type: EventType) => ({
  type: 'object',
  required: ['type', 'timestamp', 'data'],
  properties: {
    type: { type: 'string', const: type },
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
    data: events[type].data,
  },
})

export const webhookBodyExample = (type: EventType) => ({
  type,
  timestamp: '2026-11-15T10:00:00.123456Z',
  data: samples[type],
})
