import { type Static, Type } from 'typebox'
import { endOneSession, endOtherSessions, endSessionsOf } from '../../../domain/oauth/sessions/end-sessions.ts'
import { findSession, listSessions, type Session } from '../../../domain/oauth/sessions/session-store.ts'
import { findUser } from '../../../domain/users/user-store.ts'
import { forbidden, notFound } from '../../../lib/fault.ts'
import { browserName } from '../../../lib/identity/browser-name.ts'
import { recordId } from '../../../lib/record-id.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { listOf, nothing } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { nullableId, nullableText, timestamp } from '../views/record.ts'

const schema = Type.Object({
  id: Type.String({ description: 'To end it by', examples: ['console-12'] }),
  kind: choice(['console', 'token'], 'A browser at the console, or a program with a token of yours'),
  client_id: nullableId,
  client: Type.Union([Type.String(), Type.Null()], { description: 'The OAuth client that the token was given to' }),
  current: Type.Boolean({ description: 'Whether this request was made with it' }),
  created_at: timestamp,
  last_used_at: Type.Union([timestamp, Type.Null()], { description: 'To a few minutes' }),
  expires_at: timestamp,
  address: nullableText,
  browser: nullableText,
})

const view = ({ kind, id, agent, ...session }: Session): Static<typeof schema> => ({
  id: `${kind}-${id}`,
  kind,
  client_id: session.client_id,
  client: session.client,
  current: session.current,
  created_at: session.created_at,
  last_used_at: session.last_used_at,
  expires_at: session.expires_at,
  address: session.address,
  browser: browserName(agent),
})

const list = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/sessions',
  extension: true,
  summary: 'List your own sessions and tokens',
  description:
    'Where you are signed in, the last used first. Tokens that descend from one log-in are one. 200 at most.',
  returns: listOf(schema),
  handle: async ({ context, caller }) => (await listSessions(context.db, caller)).map(view),
})

const others = 'others'

const end = endpoint({
  group: groups.user,
  method: 'DELETE',
  path: '/sessions/{session}',
  extension: true,
  summary: 'End your own sessions or tokens',
  description: `The one that is named, or with \`${others}\` all but the one that the request is made with. At once, and with what would renew it.`,
  find: async ({ context, caller, params }) => {
    if (params.session === others) return others
    const [, kind, id] = /^(console|token)-([1-9]\d{0,14})$/.exec(params.session) ?? []
    const found = id && (await findSession(context.db, { kind: kind === 'console' ? kind : 'token', id: Number(id) }))
    if (!found) throw notFound()
    if (found.user_id !== caller.userId) throw forbidden()
    return found
  },
  returns: nothing,
  handle: ({ context, caller, found }) =>
    found === others ? endOtherSessions(context, caller) : endOneSession(context, found),
})

const endOfUser = endpoint({
  group: groups.user,
  method: 'DELETE',
  path: '/users/{user}/sessions',
  right: 'update-user',
  extension: true,
  summary: 'End all sessions and tokens of a user',
  description: 'Not of somebody who may more than the caller.',
  find: ({ context, caller, params }) => findUser(context.db, caller, recordId(params.user)),
  returns: nothing,
  handle: ({ context, caller, found }) => endSessionsOf(context, caller, found),
})

export const userSessions = [list, end, endOfUser]
