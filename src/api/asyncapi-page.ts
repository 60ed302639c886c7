import { type EventType, events, eventTypes } from '../domain/events/event.ts'
import { samples } from '../domain/events/samples.ts'
import type { PageRoute } from '../runtime/http/server.ts'

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

const text = (description: string) => ({ type: 'string', description })

const message = (type: EventType) => ({
  name: type,
  summary: events[type].words,
  headers: {
    type: 'object',
    required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
    properties: {
      'webhook-id': text('The same for every attempt: use it to detect duplicates.'),
      'webhook-timestamp': text('Of the attempt, in seconds since 1970.'),
      'webhook-signature': text('`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64.'),
    },
  },
  payload: {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: type },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
      data: events[type].data,
    },
  },
  examples: [{ payload: { type, timestamp: '2026-11-15T10:00:00.123456Z', data: samples[type] } }],
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
