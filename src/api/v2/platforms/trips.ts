import { depart, readDeparture } from '../../../domain/install/departure.ts'
import { unauthenticated } from '../../../lib/fault.ts'
import { maybe, object, text } from '../../../lib/validation/fields.ts'
import { answer } from '../../../runtime/http/endpoint.ts'
import { failedArrival } from '../../arrival/arrival-page.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { redirect } from './arrive.ts'
import { departurePage } from './departure-page.ts'
import { browserSecret, confirmationOf, confirms, newBrowserSecret, tripCookie } from './trip-cookie.ts'

/** Where every trip to a platform begins: `authorization_url`. */

const shared = {
  group: groups.platforms,
  path: '/trips/{state}',
  extension: true,
  countsRefusals: true,
  returns: answer(),
} as const

const show = endpoint({
  ...shared,
  method: 'GET',
  summary: 'Say what is about to be connected',
  description:
    'The page that `authorization_url` names: which shop is going to be connected to which account of which app. Its button leads on to the platform.',
  openBecause: 'Opened by a state that was handed out; it shows names, and connects nothing.',
  handle: ({ context, params: { state }, request }) =>
    readDeparture(context, state).then((departure) => {
      const secret = browserSecret(request, state) ?? newBrowserSecret()
      const shown = departurePage(departure, { state, confirmation: confirmationOf(secret) })
      return { ...shown, headers: { ...shown.headers, 'set-cookie': tripCookie(state, secret, context) } }
    }, failedArrival),
})

const goOn = endpoint({
  ...shared,
  method: 'POST',
  summary: 'Go on to the platform',
  description:
    'What the button of the page does. From then on the trip ends in this browser only, or by a token that opens the integration.',
  openBecause: 'Opened by the cookie that the page has set, and what stands in its form.',
  unauditedBecause: 'It connects nothing: whatever comes back from the platform is in the trail.',
  bodyType: 'form-or-json',
  bodyLimit: 64 * 1024,
  body: object({ confirmation: maybe(text({ max: 100 })) }),
  example: { confirmation: 'As it stands in the page' },
  status: 302,
  handle: async ({ context, params: { state }, body, request }) => {
    const secret = browserSecret(request, state)
    if (secret === null || !confirms(secret, body.confirmation ?? '')) return failedArrival(unauthenticated())
    return await depart(context, state, secret).then(redirect, failedArrival)
  },
})

export const platformTrips = [show, goOn]
