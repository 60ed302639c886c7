import { Type } from 'typebox'
import { openApp, readCall } from '../../../domain/install/platform-side/open-app.ts'
import { findRegistration, type Registration } from '../../../domain/install/platform-side/registration.ts'
import { hearOfUninstall } from '../../../domain/uninstall/confirm-uninstall.ts'
import { unauthenticated } from '../../../lib/fault.ts'
import { type Answer, answer, type RequestFacts } from '../../../runtime/http/endpoint.ts'
import { failedArrival } from '../../arrival/arrival-page.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { arriveFromPlatform, redirect } from './arrive.ts'
import { platformPage } from './platform-page.ts'

/** Addresses that are entered at a platform when an app is registered there. Its pages and itself call them. */

const registrationInPath = ({ context, params }: Finding<null, 'serviceType' | 'registration'>) =>
  findRegistration(context, params.serviceType, params.registration)

const shared = {
  group: groups.platforms,
  method: 'GET',
  extension: true,
  countsRefusals: true,
  find: registrationInPath,
} as const

const signed =
  'Opened by the signature of the platform, for the registration that the path names: `service`, or an app.'

const now = (request: RequestFacts) => ({ query: request.queryString, seconds: Math.floor(Date.now() / 1000) })

/** A refusal is read by a person. */
const asPage = (registration: Registration, work: Promise<Answer>): Promise<Answer> =>
  work.catch((error: unknown) => failedArrival(error, registration.platformSide.frames))

const open = endpoint({
  ...shared,
  path: '/{serviceType}/{registration}/open',
  summary: 'Open the app from the platform',
  description:
    'A page that says which shop is connected to which app; before that, the way to the platform, or the code by which an account claims the shop.',
  openBecause: signed,
  otherStatuses: [302],
  returns: answer(),
  handle: ({ context, found, request }) =>
    asPage(
      found,
      openApp(context, found, now(request)).then((opened) =>
        // What is shown inside a page of the platform cannot leave it for another.
        opened.kind === 'unknown' && !found.platformSide.frames
          ? redirect(opened.authorizationUrl)
          : platformPage(opened),
      ),
    ),
})

const callback = endpoint({
  ...shared,
  path: '/{serviceType}/{registration}/callback',
  summary: 'Receive a code from the platform',
  audits: 'change',
  description: 'For platforms that know one address of an app only, and begin installations by themselves.',
  openBecause: 'Opened by a code that the platform exchanges for access to the shop.',
  returns: answer(),
  otherStatuses: [302],
  handle: ({ context, found, params, request }) =>
    asPage(found, arrive(context, { type: found.type, registration: params.registration, request })),
})

async function arrive(...given: Parameters<typeof arriveFromPlatform>): Promise<Answer> {
  const arrived = await arriveFromPlatform(...given)
  if (!arrived) throw unauthenticated()
  return arrived
}

const received = Type.Object({ data: Type.Object({ received: Type.Boolean() }) })

const uninstall = endpoint({
  ...shared,
  path: '/{serviceType}/{registration}/uninstall',
  summary: 'Hear that the app was uninstalled',
  description: 'The shop is then asked whether it still lets us in. If it does not, the integration is UNINSTALLED.',
  openBecause: signed,
  returns: answer(received),
  async handle({ context, found, request }) {
    await hearOfUninstall(context, found, readCall(found, 'uninstall', now(request)))
    return { status: 200, body: { data: { received: true } } }
  },
})

const removeUser = endpoint({
  ...shared,
  path: '/{serviceType}/{registration}/remove-user',
  summary: 'Hear that somebody may no longer use the app',
  description: 'Nothing is kept of those who use the app on the platform, so there is nothing to remove.',
  openBecause: signed,
  returns: answer(received),
  async handle({ found, request }) {
    readCall(found, 'user_removed', now(request))
    return { status: 200, body: { data: { received: true } } }
  },
})

export const platformCalls = [open, callback, uninstall, removeUser]
