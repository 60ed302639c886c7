import { Type } from 'typebox'
import { beginSingleSignOn, tripSeconds } from '../../domain/oauth/single-sign-on/begin-single-sign-on.ts'
import { finishSingleSignOn } from '../../domain/oauth/single-sign-on/finish-single-sign-on.ts'
import { digest } from '../../lib/secret.ts'
import { id, object, text } from '../../lib/validation/fields.ts'
import { answer, type RequestFacts } from '../../runtime/http/endpoint.ts'
import { cookieIn } from '../../runtime/http/session-cookie.ts'
import { endpoint } from '../define.ts'
import { groups } from '../groups.ts'
import { from, fromOurPages, isSecure } from './entrance.ts'
import { signInAnswer, stepSchema } from './sign-in-answer.ts'

/** A cookie for each trip, so that several can be under way in one browser. Providers send it back by a link. */
const cookieName = (state: string): string => `entrepot_sso_${digest(state).toString('hex').slice(0, 16)}`

const browserOf = (request: RequestFacts) => (state: string) =>
  cookieIn(request.header('cookie') ?? '', cookieName(state)) || null

const begin = endpoint({
  group: groups.consoleEntrance,
  method: 'POST',
  path: '/session/single-sign-on',
  extension: true,
  openBecause: 'whoever signs in elsewhere has nothing but an email address yet',
  summary: 'Begin to sign in at the identity provider of a company',
  description:
    'The domain of the address says where; whether there is such a user is not looked at. The browser goes to `url`, and comes back to a page of the console.',
  unauditedBecause: 'It changes nothing; signing in does.',
  status: 200,
  body: object({ email: text({ max: 255 }) }),
  example: { email: 'ada@example.com' },
  returns: answer(Type.Object({ data: Type.Object({ url: Type.String() }) })),
  handle: async ({ context, body, request }) => {
    fromOurPages(request)
    const { url, state, browser } = await beginSingleSignOn(context, body.email)
    const secure = isSecure(context.publicUrl) ? '; Secure' : ''
    const cookie = `${cookieName(state)}=${browser}; Path=/console/session; HttpOnly; SameSite=Lax; Max-Age=${tripSeconds}${secure}`
    return { status: 200, headers: { 'set-cookie': cookie, 'cache-control': 'no-store' }, body: { data: { url } } }
  },
})

const finish = endpoint({
  group: groups.consoleEntrance,
  method: 'POST',
  path: '/session/single-sign-on/finish',
  extension: true,
  openBecause: 'what the identity provider has sent is the proof, in the browser that asked for it',
  summary: 'Finish signing in at the identity provider',
  audits: 'sign_in',
  description:
    'Sets the cookie of the session. 202 where a second factor of ours is asked for as well: the ticket in the answer goes on with it.',
  body: object({
    company: id('The number at the end of the address that the provider sent the browser to'),
    answer: text({ max: 8192, description: 'The query of that address' }),
  }),
  example: { company: 1, answer: '?code=…&state=…&iss=…' },
  returns: answer(Type.Object({ data: stepSchema })),
  status: 202,
  otherStatuses: [204],
  handle: async ({ context, body, request }) => {
    fromOurPages(request)
    const arrival = { companyId: body.company, answer: new URLSearchParams(body.answer), browserOf: browserOf(request) }
    return signInAnswer(context, await finishSingleSignOn(context, { ...arrival, ...from(request) }))
  },
})

export const consoleSingleSignOn = [begin, finish]
