import { eventTypes } from '../../../domain/events/event.ts'
import type { UserCaller } from '../../../domain/tenant.ts'
import { createSubscription } from '../../../domain/webhooks/create-subscription.ts'
import { deleteSubscription } from '../../../domain/webhooks/delete-subscription.ts'
import { rotateSecret } from '../../../domain/webhooks/rotate-secret.ts'
import { findWebhook, webhookList, webhookScope } from '../../../domain/webhooks/subscription-store.ts'
import { updateWebhook } from '../../../domain/webhooks/update-webhook.ts'
import { recordId } from '../../../lib/record-id.ts'
import { choice, flag, id, list, maybe, object, optional, partial, text } from '../../../lib/validation/fields.ts'
import { listOf as listAnswer, nothing, page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { appInPath, mutableAppInPath } from '../in-path.ts'
import {
  eventTypeSchema,
  eventTypeView,
  webhookSchema,
  webhookView,
  webhookWithSecretSchema,
} from '../views/webhook.ts'

const body = object({
  url: text({ max: 2000, format: 'url', description: 'https, and reachable from the internet' }),
  events: list(choice(['*', ...eventTypes]), {
    min: 1,
    max: 50,
    unique: true,
    description: 'Event types it receives, from all integrations of the app; `*` is every type, including future ones',
  }),
  integration_ids: maybe(
    list(id(), {
      min: 1,
      max: 100,
      unique: true,
      description:
        'Integrations of the app whose events it receives; all, where there are none. What concerns no integration is sent as well',
    }),
  ),
  thin: optional(flag('Only ids and `href` of what an event is about: for receivers that read the record anyway')),
  description: maybe(text({ max: 1000 })),
  active: optional(flag('While it is off, nothing is sent or queued; deliveries in progress are held')),
})

export type FindingWebhook = Finding<UserCaller, 'appId' | 'webhook'>

export async function findWebhookOf(input: FindingWebhook) {
  const { id: appId } = await appInPath(input)
  return await findWebhook(input.context.db, { appId }, recordId(input.params.webhook))
}

export async function findMutableWebhook(input: FindingWebhook) {
  const { id: appId } = await mutableAppInPath(input)
  return await findWebhook(input.context.db, { appId }, recordId(input.params.webhook))
}

const listTypes = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/webhooks/event-types',
  right: 'read-app',
  summary: 'List event types',
  description: 'With the JSON Schema of the `data` of each.',
  extension: true,
  find: appInPath,
  returns: listAnswer(eventTypeSchema),
  handle: async () => eventTypes.map(eventTypeView),
})

const listAll = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/webhooks',
  right: 'read-app',
  summary: "List the app's webhooks",
  extension: true,
  find: appInPath,
  query: listQuery({ filter: ['active'] }),
  returns: page(webhookSchema),
  handle: ({ context, found, query }) =>
    listOf(context, webhookList, webhookScope({ appId: found.id }), query, webhookView),
})

const create = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/webhooks',
  right: 'manage-access',
  summary: 'Create a webhook',
  description:
    'From then on events are posted to the URL, signed (Standard Webhooks) with the secret that only this answer shows.',
  extension: true,
  find: mutableAppInPath,
  body,
  example: { url: 'https://hooks.example.com/entrepot', events: ['order.created', 'order.updated'] },
  returns: record(webhookWithSecretSchema),
  async handle({ context, caller, found, body }) {
    const owner = { appId: found.id, integrationId: null, createdBy: caller.userId }
    const { subscription, secret } = await createSubscription(context, owner, body)
    return { ...webhookView(subscription), secret }
  },
})

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/webhooks/{webhook}',
  right: 'read-app',
  summary: 'Get a webhook',
  extension: true,
  find: findWebhookOf,
  returns: record(webhookSchema),
  handle: async ({ found }) => webhookView(found),
})

const update = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/apps/{appId}/webhooks/{webhook}',
  right: 'manage-access',
  summary: 'Update a webhook',
  description: '`active: true` also enables one that was disabled; held deliveries are then sent.',
  extension: true,
  find: findMutableWebhook,
  body: partial(body),
  example: { events: ['*'], active: true },
  returns: record(webhookSchema),
  handle: async ({ context, found, body }) => webhookView(await updateWebhook(context, found, body)),
})

const remove = endpoint({
  group: groups.user,
  method: 'DELETE',
  path: '/apps/{appId}/webhooks/{webhook}',
  right: 'manage-access',
  summary: 'Delete a webhook',
  extension: true,
  find: findMutableWebhook,
  returns: nothing,
  handle: ({ context, found }) => deleteSubscription(context, found.id),
})

const rotate = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/webhooks/{webhook}/rotate-secret',
  right: 'manage-access',
  summary: "Rotate a webhook's secret",
  description:
    'For 24 hours deliveries are signed with both the previous secret and the new one, which only this answer shows.',
  extension: true,
  find: findMutableWebhook,
  returns: record(webhookWithSecretSchema),
  async handle({ context, found }) {
    const { subscription, secret } = await rotateSecret(context, found)
    return { ...webhookView(subscription), secret }
  },
})

export const userAppWebhooks = [listTypes, listAll, create, get, update, remove, rotate]
