import { askForPasskey } from '../../domain/oauth/second-factor/passkeys/prove-passkey.ts'
import { signInWithPasskey, userOfTicket } from '../../domain/oauth/sign-in/second-step.ts'
import { maybe, object } from '../../lib/validation/fields.ts'
import { answer, record } from '../../runtime/http/endpoint.ts'
import { endpoint } from '../define.ts'
import { groups } from '../groups.ts'
import { authenticationResponse, ceremonyOptions } from '../v2/views/sign-in/passkey.ts'
import { cookieHeader, from, fromOurPages, ticket } from './entrance.ts'

const begin = endpoint({
  group: groups.consoleEntrance,
  method: 'POST',
  path: '/session/passkey/options',
  extension: true,
  openBecause: 'whoever signs in with a passkey has said nothing of themselves yet',
  summary: 'Begin to sign in with a passkey',
  description:
    'The answer is what `navigator.credentials.get` takes, as JSON (Web Authentication). With a ticket, the passkey is the second factor.',
  unauditedBecause: 'It changes nothing; signing in does.',
  status: 200,
  body: object({ ticket: maybe(ticket) }),
  example: {},
  returns: record(ceremonyOptions),
  handle: async ({ context, body, request }) => {
    fromOurPages(request)
    const userId = body.ticket == null ? null : await userOfTicket(context, body.ticket)
    return { ...(await askForPasskey(context, userId)) }
  },
})

const signIn = endpoint({
  group: groups.consoleEntrance,
  method: 'POST',
  path: '/session/passkey',
  extension: true,
  openBecause: 'the signature of a passkey is the proof',
  summary: 'Sign in with a passkey',
  description: 'By itself, or with a ticket as the second factor after the password. Sets the cookie of the session.',
  audits: 'sign_in',
  body: object({ ticket: maybe(ticket), response: authenticationResponse }),
  example: {
    response: {
      id: 'q2RhdGE',
      rawId: 'q2RhdGE',
      type: 'public-key',
      response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4ifQ', authenticatorData: 'SZYN5YgO', signature: 'MEUCIQD' },
    },
  },
  returns: answer(),
  status: 204,
  handle: async ({ context, body, request }) => {
    fromOurPages(request)
    const { ticket: given, response } = body
    const session = await signInWithPasskey(context, { ticket: given ?? null, response, ...from(request) })
    return { status: 204, headers: cookieHeader(context, session) }
  },
})

export const consolePasskey = [begin, signIn]
