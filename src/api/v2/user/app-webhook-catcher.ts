import { type Static, Type } from 'typebox'
import type { Context } from '../../../domain/context.ts'
import { type Catcher, type CaughtRequest, catcherUrl, newCatcherToken } from '../../../domain/webhooks/catcher.ts'
import { caughtRequests, findCatcher, keepCatcher } from '../../../domain/webhooks/catcher-store.ts'
import { notFound } from '../../../lib/fault.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appInPath, mutableAppInPath } from '../in-path.ts'
import { idField, objectField, timestamp } from '../views/record.ts'

const catcherSchema = Type.Object({
  url: Type.String({ description: 'Accepts any POST request, and may be the URL of a webhook of this app' }),
  expires_at: timestamp,
  requests: Type.Array(
    Type.Object({ id: idField, headers: objectField, body: Type.String(), received_at: timestamp }),
    { description: 'The last 50, newest first' },
  ),
})

const catcherView = (
  context: Context,
  catcher: Catcher,
  requests: readonly CaughtRequest[],
): Static<typeof catcherSchema> => ({
  url: catcherUrl(context, catcher.token),
  expires_at: catcher.expires_at,
  requests: requests.map(({ id, headers, body, received_at }) => ({ id, headers, body, received_at })),
})

const keep = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/webhooks/catcher',
  right: 'manage-access',
  summary: 'Get a receiver for testing webhooks',
  description: 'Shows what arrives and verifies nothing. It expires a day after it was last requested.',
  extension: true,
  find: mutableAppInPath,
  returns: record(catcherSchema),
  async handle({ context, found }) {
    const tenant = { appId: found.id }
    const catcher = await context.transaction((trx) => keepCatcher(trx, tenant, newCatcherToken()))
    return catcherView(context, catcher, await caughtRequests(context.db, tenant))
  },
})

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/webhooks/catcher',
  right: 'read-order',
  summary: 'List what the receiver has received',
  extension: true,
  find: appInPath,
  returns: record(catcherSchema),
  async handle({ context, found }) {
    const tenant = { appId: found.id }
    const catcher = await findCatcher(context.db, tenant)
    if (!catcher) throw notFound()
    return catcherView(context, catcher, await caughtRequests(context.db, tenant))
  },
})

export const userAppWebhookCatcher = [keep, get]
