import { Type } from 'typebox'
import type { Context } from '../../../domain/context.ts'
import { eventTypes } from '../../../domain/events/event.ts'
import type { UserCaller } from '../../../domain/tenant.ts'
import { deleteSubscription } from '../../../domain/webhooks/delete-subscription.ts'
import { awaitEvents, openListener, sampleTo } from '../../../domain/webhooks/listeners/listen.ts'
import { findListener } from '../../../domain/webhooks/listeners/listener-store.ts'
import { recordId } from '../../../lib/record-id.ts'
import { choice, integer, list, object, optional, text } from '../../../lib/validation/fields.ts'
import { nothing, type RequestFacts, raw, record } from '../../../runtime/http/endpoint.ts'
import { bearer } from '../../../runtime/http/guard.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appInPath, mutableAppInPath } from '../in-path.ts'
import { idField, timestamp } from '../views/record.ts'
import { fedEventSchema, fedEventView } from '../views/webhook.ts'

/** For `entrepot listen`: somebody who builds a receiver has no address on the internet yet. */

type FindingListener = Finding<UserCaller, 'appId' | 'listener'>

async function findListenerOf(input: FindingListener) {
  const { id: appId } = await appInPath(input)
  return await findListener(input.context.db, { appId }, recordId(input.params.listener))
}

const open = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/webhooks/listeners',
  right: 'update-integration',
  summary: "Listen to the app's events for a while",
  description:
    'For building a receiver that has no address on the internet: events are kept for the listener instead of being sent. It ends when nobody has read its events for an hour. At most 5 of an app at the same time.',
  extension: true,
  find: mutableAppInPath,
  body: object({
    events: optional(
      list(choice(['*', ...eventTypes]), { min: 1, max: 50, unique: true, description: 'Every type by default' }),
    ),
  }),
  example: { events: ['order.created'] },
  returns: record(
    Type.Object({
      id: idField,
      events: Type.Array(Type.String()),
      secret: Type.String({ description: 'To sign what is handed on, as webhooks are; shown only in this answer' }),
      expires_at: timestamp,
    }),
  ),
  async handle({ context, found, body }) {
    const { listener, secret } = await openListener(context, { appId: found.id }, body.events ?? ['*'])
    return { id: listener.id, events: listener.events, secret, expires_at: listener.expires_at }
  },
})

const maxWaitSeconds = 20

const feed = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/webhooks/listeners/{listener}/events',
  right: 'read-order',
  summary: 'Read the events of a listener',
  description:
    'Like the events of a webhook: in an order that never skips one, from `cursor` on. With `wait` the answer comes as soon as there are some. It ends within a second when the token is revoked.',
  extension: true,
  find: findListenerOf,
  query: object({
    cursor: optional(text({ max: 100, description: 'Where to continue; from the beginning by default' })),
    limit: optional(integer({ minimum: 1, maximum: 500, description: '100 by default' })),
    wait: optional(
      integer({ minimum: 0, maximum: maxWaitSeconds, description: 'Seconds to wait where there is nothing yet' }),
    ),
  }),
  returns: raw(
    Type.Object({
      data: Type.Array(fedEventSchema),
      meta: Type.Object({ next_cursor: Type.String(), has_more: Type.Boolean() }),
    }),
  ),
  async handle({ context, found, query, request }) {
    const { events, cursor, more } = await awaitEvents(context, found, {
      cursor: query.cursor ?? null,
      limit: query.limit ?? 100,
      waitSeconds: query.wait ?? 0,
      isWelcome: () => isWelcome(context, request),
    })
    return { data: events.map(fedEventView), meta: { next_cursor: cursor, has_more: more } }
  },
})

/** A token is looked at again; a session of the console was, when the request came. */
async function isWelcome({ identify }: Pick<Context, 'identify'>, request: RequestFacts): Promise<boolean> {
  const token = bearer(request.header('authorization'))
  return token === null || (await identify(token)) !== null
}

const sample = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/webhooks/listeners/{listener}/test',
  right: 'update-integration',
  summary: 'Send a sample of an event to a listener',
  description: '`data` of a sample has `sample: true`.',
  extension: true,
  find: findListenerOf,
  body: object({ type: choice(eventTypes) }),
  example: { type: 'order.created' },
  status: 202,
  returns: record(Type.Object({ id: idField })),
  handle: async ({ context, found, body }) => ({ id: await sampleTo(context, found, body.type) }),
})

const close = endpoint({
  group: groups.user,
  method: 'DELETE',
  path: '/apps/{appId}/webhooks/listeners/{listener}',
  right: 'update-integration',
  summary: 'End a listener',
  extension: true,
  find: findListenerOf,
  returns: nothing,
  handle: ({ context, found }) => deleteSubscription(context, found.id),
})

export const userAppListeners = [open, feed, sample, close]
