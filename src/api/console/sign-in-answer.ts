import { Type } from 'typebox'
import type { Context } from '../../domain/context.ts'
import type { BegunSignIn } from '../../domain/oauth/sign-in/console-session.ts'
import type { Answer } from '../../runtime/http/endpoint.ts'
import { cookieHeader } from './entrance.ts'

export const stepSchema = Type.Object({
  ticket: Type.String(),
  next: Type.Union([Type.Literal('code'), Type.Literal('enrolment')]),
  passkey: Type.Boolean({ description: 'Whether a passkey does in the place of a code' }),
})

/** The cookie of the session, or the ticket for what comes before it. */
export function signInAnswer(context: Pick<Context, 'publicUrl'>, begun: BegunSignIn): Answer {
  if ('session' in begun) return { status: 204, headers: cookieHeader(context, begun.session) }
  const { ticket, enrols, passkey } = begun
  return { status: 202, body: { data: { ticket, next: enrols ? 'enrolment' : 'code', passkey } } }
}
