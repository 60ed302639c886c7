import { type EventType, events, eventTypes } from '../domain/events/event.ts'
import { samples } from '../domain/events/samples.ts'

/** What we send to the webhooks of apps, for the `webhooks` of the OpenAPI document. */
export const openApiWebhooks = (): Record<string, unknown> =>
  Object.fromEntries(eventTypes.map((type) => [type, { post: operation(type) }]))

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string' },
  description,
})

/** Standard Webhooks. */
const headers = [
  header('webhook-id', 'The same for every attempt: use it to detect duplicates.'),
  header('webhook-timestamp', 'Of the attempt, in seconds since 1970.'),
  header(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; after a rotation there is one for each secret, with a space between.',
  ),
]

const operation = (type: EventType) => ({
  operationId: `on_${type.replace('.', '_')}`,
  tags: ['Webhooks'],
  summary: events[type].words,
  security: [],
  parameters: headers,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['type', 'timestamp', 'data'],
          properties: {
            type: { type: 'string', const: type },
            timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
            data: events[type].data,
          },
        },
        example: { type, timestamp: '2026-11-15T10:00:00.123456Z', data: samples[type] },
      },
    },
  },
  responses: {
    '2XX': { description: 'Accepted. Any other answer, including a redirect, is retried.' },
    '410': { description: 'Gone: the webhook is disabled.' },
  },
})
