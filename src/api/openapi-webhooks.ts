import { type EventType, events, eventTypes } from '../domain/events/event.ts'
import { webhookBodyExample, webhookBodySchema, webhookHeaders } from './webhook-message.ts'

/** What we send to the webhooks of apps, for the `webhooks` of the OpenAPI document. */
export const openApiWebhooks = (): Record<string, unknown> =>
  Object.fromEntries(eventTypes.map((type) => [type, { post: operation(type) }]))

const headers = Object.entries(webhookHeaders).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string' },
  description,
}))

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
        schema: webhookBodySchema(type),
        example: webhookBodyExample(type),
      },
    },
  },
  responses: {
    '2XX': { description: 'Accepted. Any other answer, including a redirect, is retried.' },
    '410': { description: 'Gone: the webhook is disabled.' },
  },
})
