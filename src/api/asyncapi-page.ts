import { type EventType, events, eventTypes } from '../domain/events/event.ts'
import type { PageRoute } from '../runtime/http/server.ts'
import { webhookBodyExample, webhookBodySchema, webhookHeaders } from './webhook-message.ts'

/** What we post to the webhooks of apps, as an AsyncAPI 3.0 document: for generators and viewers that read those. */
export function asyncApiDocument(): Record<string, unknown> {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Entrepot webhooks',
      version: '2.0',
      description:
        'Events of an app, posted to the address of each webhook that listens. Signed as Standard Webhooks describes.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    channels: {
      webhook: {
        address: '{url}',
        parameters: { url: { description: 'The address of the webhook' } },
        messages: Object.fromEntries(eventTypes.map((type) => [type, { $ref: `#/components/messages/${type}` }])),
      },
    },
    operations: Object.fromEntries(eventTypes.map((type) => [`send.${type}`, operation(type)])),
    components: { messages: Object.fromEntries(eventTypes.map((type) => [type, message(type)])) },
  }
}

const operation = (type: EventType) => ({
  action: 'send',
  channel: { $ref: '#/channels/webhook' },
  messages: [{ $ref: `#/channels/webhook/messages/${type}` }],
  bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
})

const message = (type: EventType) => ({
  name: type,
  summary: events[type].words,
  headers: {
    type: 'object',
    required: Object.keys(webhookHeaders),
    properties: Object.fromEntries(
      Object.entries(webhookHeaders).map(([name, description]) => [name, { type: 'string', description }]),
    ),
  },
  payload: webhookBodySchema(type),
  examples: [{ payload: webhookBodyExample(type) }],
})

export function asyncApiPage(): PageRoute {
  let body: string | undefined
  return {
    path: '/api/asyncapi.json',
    handle: async () => {
      body ??= JSON.stringify(asyncApiDocument())
      return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body }
    },
  }
}
