import { Type } from 'typebox'
import { rightsEverywhere } from '../../domain/oauth/callers/rights-of-user.ts'
import { beginSignIn, closeSession } from '../../domain/oauth/sign-in/console-session.ts'
import { enrolAtSignIn, finishSignIn } from '../../domain/oauth/sign-in/second-step.ts'
import { rightsForApp } from '../../domain/rights.ts'
import { findUser } from '../../domain/users/user-store.ts'
import { Fault, invalidField } from '../../lib/fault.ts'
import { object, text } from '../../lib/validation/fields.ts'
import { answer, record } from '../../runtime/http/endpoint.ts'
import { endpoint } from '../define.ts'
import { groups } from '../groups.ts'
import { enrolmentSchema, recoveryCodesSchema } from '../v2/views/sign-in/second-factor.ts'
import { userSchema, userView } from '../v2/views/user.ts'
import { cookieHeader, from, fromOurPages, ticket } from './entrance.ts'
import { signInAnswer, stepSchema } from './sign-in-answer.ts'

const signIn = endpoint({
  group: groups.consoleEntrance,
  method: 'POST',
  path: '/session',
  extension: true,
  openBecause: 'whoever signs in has nothing but an email address and a password yet',
  summary: 'Sign in to the console',
  audits: 'sign_in',
  description:
    'Sets a cookie that scripts cannot read. The header `X-Entrepot-Console` must be there. 202 for users with a second factor, and where the company demands one: the ticket in the answer goes on with it.',
  body: object({ email: text({ max: 255 }), password: text({ max: 1000 }) }),
  example: { email: 'ada@example.com', password: 'correct horse battery staple' },
  returns: answer(Type.Object({ data: stepSchema })),
  status: 202,
  otherStatuses: [204],
  handle: async ({ context, body, request }) => {
    fromOurPages(request)
    const begun = await beginSignIn(context, { ...body, ...from(request) }).catch((error: unknown) => {
      if (error instanceof Fault && error.kind === 'oauth') throw refusal()
      throw error
    })
    return signInAnswer(context, begun)
  },
})

const enrol = endpoint({
  group: groups.consoleEntrance,
  method: 'POST',
  path: '/session/enrolment',
  extension: true,
  openBecause: 'the ticket is proof of the password',
  summary: 'Set up an authenticator app while signing in',
  description: 'Where the company demands a second factor and the user has none.',
  body: object({ ticket }),
  example: { ticket: 'q2R…' },
  returns: record(enrolmentSchema),
  handle: async ({ context, body, request }) => {
    fromOurPages(request)
    return await enrolAtSignIn(context, body.ticket)
  },
})

const secondStep = endpoint({
  group: groups.consoleEntrance,
  method: 'POST',
  path: '/session/second-step',
  extension: true,
  openBecause: 'the ticket is proof of the password',
  summary: 'Finish signing in with a second factor',
  audits: 'sign_in',
  description:
    'A code of the authenticator app, or a recovery code; either is good once. Whoever has just set the app up is shown the recovery codes.',
  body: object({ ticket, code: text({ max: 64 }) }),
  example: { ticket: 'q2R…', code: '123456' },
  returns: answer(Type.Object({ data: recoveryCodesSchema })),
  status: 200,
  otherStatuses: [204],
  handle: async ({ context, body, request }) => {
    fromOurPages(request)
    const { session, recoveryCodes } = await finishSignIn(context, { ...body, ...from(request) })
    const headers = cookieHeader(context, session)
    if (!recoveryCodes) return { status: 204, headers }
    return { status: 200, headers, body: { data: { recovery_codes: recoveryCodes } } }
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
    return { status: 204, headers: cookieHeader(context, '', 0) }
  },
})

export const consoleSession = [signIn, enrol, secondStep, current, signOut]
