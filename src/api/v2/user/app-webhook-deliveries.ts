import { Type } from 'typebox'
import { eventTypes } from '../../../domain/events/event.ts'
import type { UserCaller } from '../../../domain/tenant.ts'
import { deliveryStates } from '../../../domain/webhooks/delivery.ts'
import {
  deliveryList,
  deliveryScope,
  findDelivery,
  maxReplayed,
  readDelivery,
} from '../../../domain/webhooks/delivery-store.ts'
import { readEvents } from '../../../domain/webhooks/read-events.ts'
import { replayDelivery, replayRange, testWebhook } from '../../../domain/webhooks/replay-deliveries.ts'
import { recordId } from '../../../lib/record-id.ts'
import { choice, integer, list, maybe, object, optional, text } from '../../../lib/validation/fields.ts'
import { page, raw, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import {
  deliveryDetailSchema,
  deliveryDetailView,
  deliverySchema,
  deliveryView,
  fedEventSchema,
  fedEventView,
} from '../views/webhook.ts'
import { findMutableWebhook, findWebhookOf } from './app-webhooks.ts'

type FindingDelivery = Finding<UserCaller, 'appId' | 'webhook' | 'delivery'>

const test = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/webhooks/{webhook}/test',
  right: 'update-integration',
  summary: 'Send a test to a webhook',
  description:
    'Sends an event `webhook.test`, or a sample of the event type that is named, like any other; the delivery shows the result. `data` of a sample has `sample: true`.',
  extension: true,
  find: findMutableWebhook,
  body: object({
    type: optional(choice(eventTypes, 'A sample of this event type, whether or not the webhook listens')),
  }),
  example: { type: 'order.created' },
  status: 202,
  returns: record(deliverySchema),
  handle: async ({ context, found, body: { type } }) => deliveryView(await testWebhook(context, found, type)),
})

const listAll = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/webhooks/{webhook}/deliveries',
  right: 'read-integration',
  summary: 'List the deliveries of a webhook',
  description: 'Of the last 30 days, newest first.',
  extension: true,
  find: findWebhookOf,
  query: listQuery({ filter: ['state', 'type', 'since', 'until'], sort: ['id', 'created_at'] }),
  returns: page(deliverySchema),
  handle: ({ context, found, query }) => listOf(context, deliveryList, deliveryScope(found.id), query, deliveryView),
})

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/webhooks/{webhook}/deliveries/{delivery}',
  right: 'read-order',
  summary: 'Get a delivery with its attempts',
  extension: true,
  async find(input: FindingDelivery) {
    const { id } = await findWebhookOf(input)
    return await findDelivery(input.context.db, id, recordId(input.params.delivery))
  },
  returns: record(deliveryDetailSchema),
  handle: async ({ context, found }) => deliveryDetailView(found, await readDelivery(context.db, found)),
})

const replay = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/webhooks/{webhook}/deliveries/{delivery}/replay',
  right: 'update-integration',
  summary: 'Resend a delivery',
  description: 'Under the same `webhook-id`; if it fails it is retried as if it were new.',
  extension: true,
  async find(input: FindingDelivery) {
    const webhook = await findMutableWebhook(input)
    return { webhook, delivery: await findDelivery(input.context.db, webhook.id, recordId(input.params.delivery)) }
  },
  status: 202,
  returns: record(deliverySchema),
  handle: async ({ context, found }) => deliveryView(await replayDelivery(context, found.webhook, found.delivery)),
})

const replayAll = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/webhooks/{webhook}/replay',
  right: 'update-integration',
  summary: 'Resend the deliveries of a period',
  description: `What failed or was held, unless \`states\` says otherwise; ${maxReplayed.toLocaleString('en')} at most, oldest first.`,
  extension: true,
  find: findMutableWebhook,
  body: object({
    since: text({ format: 'date-time' }),
    until: maybe(text({ format: 'date-time' })),
    states: optional(
      list(choice(deliveryStates.filter((state) => state !== 'pending')), { min: 1, max: 4, unique: true }),
    ),
  }),
  example: { since: '2026-11-14T00:00:00Z', until: '2026-11-15T00:00:00Z' },
  status: 202,
  returns: record(Type.Object({ replayed: Type.Integer({ description: 'How many will be sent' }) })),
  handle: async ({ context, found, body }) => ({ replayed: await replayRange(context, found, body) }),
})

const feed = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/webhooks/{webhook}/events',
  right: 'read-order',
  summary: 'Read the events of a webhook',
  description:
    'For polling instead of receiving webhooks, in an order that never skips an event. Continue with `meta.next_cursor`, even if there was nothing new. Events are kept for 30 days.',
  extension: true,
  find: findWebhookOf,
  query: object({
    cursor: optional(text({ max: 100, description: 'Where to continue; from the beginning by default' })),
    limit: optional(integer({ minimum: 1, maximum: 500, description: '100 by default' })),
  }),
  returns: raw(
    Type.Object({
      data: Type.Array(fedEventSchema),
      meta: Type.Object({ next_cursor: Type.String(), has_more: Type.Boolean() }),
    }),
  ),
  async handle({ context, found, query }) {
    const asked = { cursor: query.cursor ?? null, limit: query.limit ?? 100 }
    const { events, cursor, more } = await readEvents(context, found.id, asked)
    return { data: events.map(fedEventView), meta: { next_cursor: cursor, has_more: more } }
  },
})

export const userAppWebhookDeliveries = [test, listAll, get, replay, replayAll, feed]
