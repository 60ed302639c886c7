import { Type } from 'typebox'
import { rightsEverywhere } from '../../domain/oauth/callers/rights-of-user.ts'
import { closeSession, openSession, sessionSeconds } from '../../domain/oauth/sign-in/console-session.ts'
import { rightsForApp } from '../../domain/rights.ts'
import { findUser } from '../../domain/users/user-store.ts'
import { Fault, forbidden, invalidField } from '../../lib/fault.ts'
import { object, text } from '../../lib/validation/fields.ts'
import { answer, record } from '../../runtime/http/endpoint.ts'
import { cookieFor } from '../../runtime/http/session-cookie.ts'
import { endpoint } from '../define.ts'
import { groups } from '../groups.ts'
import { userSchema, userView } from '../v2/views/user.ts'

const isSecure = (publicUrl: string) => publicUrl.startsWith('https:')

const signIn = endpoint({
  group: groups.consoleEntrance,
  method: 'POST',
  path: '/session',
  extension: true,
  openBecause: 'whoever signs in has nothing but an email address and a password yet',
  summary: 'Sign in to the console',
  audits: 'sign_in',
  description: 'Sets a cookie that scripts cannot read. The header `X-Entrepot-Console` must be there.',
  body: object({ email: text({ max: 255 }), password: text({ max: 1000 }) }),
  example: { email: 'ada@example.com', password: 'correct horse battery staple' },
  returns: answer(),
  status: 204,
  handle: async ({ context, body, request }) => {
    if (request.header('x-entrepot-console') === undefined) throw forbidden()
    const from = { address: request.address, agent: request.header('user-agent') ?? null }
    const secret = await openSession(context, { ...body, ...from }).catch((error: unknown) => {
      if (error instanceof Fault && error.kind === 'oauth') throw refusal()
      throw error
    })
    const cookie = cookieFor(secret, { seconds: sessionSeconds, secure: isSecure(context.publicUrl) })
    return { status: 204, headers: { 'set-cookie': cookie } }
  },
})

const refusal = () => invalidField('email', 'These credentials do not match our records.')

const current = endpoint({
  group: groups.console,
  method: 'GET',
  path: '/session',
  extension: true,
  summary: 'Who is signed in',
  description: 'With what the user may, in general and in apps with a role of their own.',
  returns: record(
    Type.Object({
      ...userSchema.properties,
      rights: Type.Array(Type.String()),
      app_rights: Type.Array(Type.Object({ app_id: Type.Integer(), rights: Type.Array(Type.String()) })),
    }),
  ),
  handle: async ({ context, caller }) => {
    const user = await findUser(context.db, caller, caller.userId)
    const ofApps = caller.admin ? [] : user.app_roles
    return {
      ...userView(user),
      rights: rightsEverywhere(caller),
      app_rights: ofApps.map(({ app_id, role }) => ({ app_id, rights: rightsForApp(role) })),
    }
  },
})

const signOut = endpoint({
  group: groups.console,
  method: 'DELETE',
  path: '/session',
  extension: true,
  summary: 'Sign out of the console',
  audits: 'sign_in',
  returns: answer(),
  status: 204,
  handle: async ({ context, caller }) => {
    // A token is no session; its owner ends it by revocation.
    if (caller.tokenId < 0) await closeSession(context, caller)
    const cookie = cookieFor('', { seconds: 0, secure: isSecure(context.publicUrl) })
    return { status: 204, headers: { 'set-cookie': cookie } }
  },
})

export const consoleSession = [signIn, current, signOut]
