import { type Static, Type } from 'typebox'
import type { LeftBehind } from '../../../domain/leavers/left-behind.ts'
import { leftBehind } from '../../../domain/leavers/left-behind-store.ts'
import { revokeLeftBehind, takeOverLeftBehind } from '../../../domain/leavers/settle-left-behind.ts'
import { choice, flag, id, maybe, object, optional, text } from '../../../lib/validation/fields.ts'
import { listOf } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { idField, nullableId, timestamp } from '../views/record.ts'

const schema = Type.Object({
  kind: choice(['client', 'webhook', 'gateway_key']),
  id: idField,
  name: Type.String({ description: 'Of a client its name, of a webhook its address, of a gateway key the shop' }),
  app_id: nullableId,
  integration_id: nullableId,
  user_id: idField,
  user_name: Type.String(),
  gone: Type.Boolean({ description: 'Whether the user has left the company or is locked out' }),
  created_at: timestamp,
})

const view = (one: LeftBehind): Static<typeof schema> => ({
  kind: one.kind,
  id: one.id,
  name: one.name,
  app_id: one.app_id,
  integration_id: one.integration_id,
  user_id: one.user_id,
  user_name: one.user_name,
  gone: one.gone,
  created_at: one.created_at,
})

const whose = 'The user who made it; everybody who has left or is locked out, if nobody is named'

const list = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/left-behind',
  right: 'read-client',
  extension: true,
  summary: 'List what leavers have made',
  description:
    'OAuth clients, webhooks and gateway keys of the company whose maker has left it. Such a client gets no tokens until somebody takes it over. 500 at most.',
  query: object({ user_id: optional(text({ pattern: '^[1-9]\\d{0,14}$', description: whose })) }),
  returns: listOf(schema),
  handle: async ({ context, caller, query }) =>
    (await leftBehind(context.db, caller, query.user_id ? Number(query.user_id) : null)).map(view),
})

const revoke = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/left-behind/revoke',
  right: 'manage-access',
  extension: true,
  summary: 'Revoke what leavers have made',
  description:
    'All that the list shows: clients with their tokens, webhooks, gateway keys. Answers with what was revoked.',
  status: 200,
  body: object({ user_id: maybe(id(whose)) }),
  example: { user_id: 7 },
  returns: listOf(schema),
  handle: async ({ context, caller, body }) =>
    (await revokeLeftBehind(context, caller, body.user_id ?? null)).map(view),
})

const takeOver = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/left-behind/take-over',
  right: 'update-client',
  extension: true,
  summary: 'Take over what leavers have made',
  description:
    'The caller answers for it from now on. Clients get a new secret, shown only in this answer, and their tokens end: whoever left knows the old one.',
  status: 200,
  body: object({
    user_id: maybe(id(whose)),
    keep_secrets: optional(flag('For secrets that the leaver has never seen')),
  }),
  example: { user_id: 7 },
  returns: listOf(Type.Object({ ...schema.properties, secret: Type.Union([Type.String(), Type.Null()]) })),
  async handle({ context, caller, body }) {
    const input = { userId: body.user_id ?? null, keepSecrets: body.keep_secrets ?? false }
    const taken = await takeOverLeftBehind(context, caller, input)
    return taken.map((one) => ({ ...view(one), secret: one.secret }))
  },
})

export const userLeftBehind = [list, revoke, takeOver]
