import type { Context } from '../../domain/context.ts'
import { type From, sessionSeconds } from '../../domain/oauth/sign-in/console-session.ts'
import { forbidden } from '../../lib/fault.ts'
import { text } from '../../lib/validation/fields.ts'
import type { RequestFacts } from '../../runtime/http/endpoint.ts'
import { cookieFor } from '../../runtime/http/session-cookie.ts'

/** What all ways to sign in have in common. */

export const isSecure = (publicUrl: string) => publicUrl.startsWith('https:')

export const cookieHeader = ({ publicUrl }: Pick<Context, 'publicUrl'>, secret: string, seconds = sessionSeconds) => ({
  'set-cookie': cookieFor(secret, { seconds, secure: isSecure(publicUrl) }),
})

export const from = (request: RequestFacts): From => ({
  address: request.address,
  agent: request.header('user-agent') ?? null,
})

/** No other site can send this header. */
export function fromOurPages(request: RequestFacts): void {
  if (request.header('x-entrepot-console') === undefined) throw forbidden()
}

export const ticket = text({ max: 64, description: 'What the sign-in was answered with; good for ten minutes' })
