import { Type } from 'typebox'
import type { Context } from '../../../domain/context.ts'
import { expectDelivery, receiveDelivery } from '../../../domain/inbound/receive-delivery.ts'
import { authorizeIntegration } from '../../../domain/install/authorize-integration.ts'
import { arriveAfterHandover, receiveHandover, type WayBack } from '../../../domain/install/complete-install.ts'
import { belongingOf } from '../../../domain/install/departure.ts'
import type { Integration } from '../../../domain/integrations/integration.ts'
import { readIntegration } from '../../../domain/integrations/integration-store.ts'
import { Fault, invalidField, notFound, unauthenticated } from '../../../lib/fault.ts'
import { freeObject, maybe, object, text } from '../../../lib/validation/fields.ts'
import { type Answer, answer, type RequestFacts } from '../../../runtime/http/endpoint.ts'
import { arrivalPage, failedArrival, wantsPage } from '../../arrival/arrival-page.ts'
import { sayOnPage } from '../../arrival/page-sentences.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { arriveFromPlatform, end, redirect, shown } from '../../v2/platforms/arrive.ts'
import { beginnerIn } from '../../v2/platforms/trip-cookie.ts'
import { integrationSchema } from '../../v2/views/integration.ts'
import { bringsSignature, bringsToken, enter } from './enter.ts'

/** Where browsers and platforms come by. They cannot bring a token and a key, so each route has another way in. */
const channels = {
  name: 'Version 1.0, channels',
  description: 'Authorization at a platform, and the webhooks that platforms send.',
  prefix: groups.v1.prefix,
  caller: null,
  rate: null,
  countsTokens: 'user',
  headers: groups.v1.headers,
} as const

/** What a user's token has to open where it is the way in. */
const reading = { scope: 'user:integration-read', right: 'read-integration' } as const
const changing = { scope: 'user:integration-update', right: 'update-integration' } as const

const integrationAnswer = Type.Object({ data: integrationSchema })

function assertKnown(context: Context, channel: string): void {
  if (!context.connectors.has(channel)) throw notFound()
}

const authorize = endpoint({
  group: channels,
  method: 'GET',
  path: '/app_authorization/{channel}',
  summary: 'Start authorization at the platform',
  audits: 'change',
  description:
    'Redirects to the page that leads on to the platform, with a state that is valid once, for ten minutes and in the browser that goes on there.',
  openBecause: 'Opened by a user’s token together with the gateway key of the integration.',
  find: async ({ context, params, request }) => {
    const integration = await enter(context, request, changing)
    if (integration.type !== params.channel) throw notFound()
    return integration
  },
  query: object({
    shop: maybe(text({ description: 'If given, it must be the shop of the integration' })),
    scope: maybe(text({ max: 2000, description: 'Names separated by spaces or commas; all required ones by default' })),
    return_url: maybe(text({ max: 2000, description: 'One of the addresses that the app has listed' })),
  }),
  status: 302,
  returns: answer(),
  handle: async ({ context, found, query }) =>
    redirect(
      await authorizeIntegration(context, found, {
        shop: query.shop ?? null,
        scopes: query.scope?.split(/[\s,]+/).filter((scope) => scope !== '') ?? null,
        returnUrl: query.return_url ?? null,
      }),
    ),
})

const callback = endpoint({
  group: channels,
  method: 'GET',
  path: '/app_callback/{channel}',
  summary: 'Complete authorization',
  audits: 'change',
  description:
    'Completes the installation in the browser that began it, then redirects to the return address of the app, or shows the integration. Software that brings a user’s token and the gateway key completes it as well.',
  openBecause:
    'Opened by a state that was handed out once, together with the cookie of the browser that set out or a user’s token and gateway key.',
  otherStatuses: [302],
  countsRefusals: true,
  returns: answer(integrationAnswer),
  handle: async ({ context, params, request }) => {
    // A service that is described is known by the trip that somebody began.
    if (!request.queryString['state']) assertKnown(context, params.channel)
    const arrival = asIfUnknown(context, params.channel, request, () => arrive(context, params.channel, request))
    // A browser gets a page, which notifies the window that it was opened from.
    if (!wantsPage(request.header('accept'))) return await arrival
    return await arrival.then(
      (done) => asPage(context, done),
      (error) => failedArrival(error, framesOf(context, params.channel)),
    )
  },
})

function framesOf({ connectors }: Context, channel: string): readonly string[] | undefined {
  const auth = connectors.get(channel)?.auth
  return auth?.kind === 'oauth2' ? auth.platformSide?.frames : undefined
}

async function arrive(context: Context, channel: string, request: RequestFacts): Promise<Answer> {
  const query = request.queryString
  const beginnerOf = await whoComesBack(context, request)
  const fromPlatform = await arriveFromPlatform(context, {
    type: channel,
    registration: 'service',
    request,
    beginnerOf,
  })
  if (fromPlatform) return fromPlatform
  const arrived = await arriveAfterHandover(context, { type: channel, query, beginnerOf })
  if (arrived) return end(context, arrived)
  const integration = await enter(context, request, reading)
  if (integration.type !== channel) throw notFound()
  // Without the state that we gave out nobody can say whose code this is.
  if (query['code']) throw invalidField('state', 'The state field is required.')
  return shown(context, integration)
}

/** A browser, or software that has the token and the key of the integration and hands in what the platform sent. */
async function whoComesBack(context: Context, request: RequestFacts): Promise<WayBack['beginnerOf']> {
  if (!bringsToken(request)) return beginnerIn(request)
  const { id } = await enter(context, request, request.queryString['state'] ? changing : reading)
  return () => ({ integrationId: id })
}

async function asPage({ db }: Context, done: Answer): Promise<Answer> {
  if (done.status !== 200 || typeof done.body === 'string') return done
  const { data } = done.body as { data: { id: number; shop: string } }
  const { app, account, brand } = await belongingOf(db, await readIntegration(db, data.id))
  const message = sayOnPage('page.is_connected', { shop: data.shop, account: account || null, app: app || null })
  return arrivalPage(200, { connected: true, integrationId: data.id, message, brand })
}

const handover = endpoint({
  group: channels,
  method: 'POST',
  path: '/app_callback/{channel}',
  extension: true,
  summary: 'Receive keys from a shop',
  description:
    'For platforms that post the keys instead of sending the browser back with a code. They are kept, sealed, until the browser that set out comes back.',
  openBecause: 'Opened by a state that was handed out once; the keys are then checked against the shop itself.',
  bodyType: 'form-or-json',
  bodyLimit: 64 * 1024,
  body: freeObject('What the platform sends'),
  example: { user_id: 'state', consumer_key: '…', consumer_secret: '…' },
  status: 200,
  returns: answer(integrationAnswer),
  find: async ({ context, params }) => assertKnown(context, params.channel),
  handle: async ({ context, params, body }) => {
    return shown(context, await receiveHandover(context, { type: params.channel, body }))
  },
})

const received = Type.Object({ data: Type.Object({ received: Type.Boolean(), duplicate: Type.Boolean() }) })

const webhook = (method: 'GET' | 'POST') =>
  endpoint({
    group: channels,
    method,
    path: '/webhook_callback/{channel}/{account_id}/{store}',
    extension: method === 'POST',
    summary: method === 'GET' ? 'Answer a platform’s verification request' : 'Receive a webhook of a platform',
    description: 'Webhooks are verified, stored once and processed later. `account_id` is 0 where there is no account.',
    openBecause:
      'Opened by the platform’s signature over the message, or by a user’s token together with a gateway key.',
    countsRefusals: true,
    unauditedBecause: 'What a shop sends is kept as it came, and what it changes stands in the history of the record.',
    bodyType: 'raw',
    status: 200,
    returns: answer(received),
    find: receiverInPath,
    handle: ({ context, found, params, request }) => receive(context, found, params, request),
  })

type AddressInPath = 'channel' | 'account_id' | 'store'

const addressOf = (params: Record<AddressInPath, string>) => ({
  channel: params.channel,
  accountId: Number(params.account_id) || null,
  store: params.store.toLowerCase(),
})

/** The integration of a caller who shows token and gateway key. For anybody else there must be such a shop. */
async function receiverInPath({ context, params, request }: Finding<null, AddressInPath>): Promise<Integration | null> {
  if (bringsToken(request) && !bringsSignature(request)) {
    const integration = await enter(context, request, changing)
    if (integration.type !== params.channel) throw notFound()
    return integration
  }
  await asIfUnknown(context, params.channel, request, async () => {
    if (!/^\d{1,15}$/.test(params.account_id)) throw unauthenticated()
    await expectDelivery(context, {
      ...addressOf(params),
      query: request.queryString,
      isSuspect: () => request.isSuspect(),
    })
  })
  return null
}

/** Which services tenants have described is nobody else's business: whoever is refused there is told that there is nothing. */
async function asIfUnknown<T>(
  { connectors }: Context,
  channel: string,
  request: RequestFacts,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (connectors.has(channel) || !(error instanceof Fault) || error.kind !== 'unauthenticated') throw error
    request.countRefusal()
    throw notFound()
  }
}

async function receive(
  context: Context,
  entered: Integration | null,
  params: Record<AddressInPath, string>,
  request: RequestFacts,
): Promise<Answer> {
  const inbound = {
    ...addressOf(params),
    delivery: {
      method: request.method,
      headers: request.headers(),
      query: request.queryString,
      target: request.url,
      raw: request.raw,
    },
    isSuspect: () => request.isSuspect(),
  }
  const result = await asIfUnknown(context, params.channel, request, () => receiveDelivery(context, entered, inbound))
  if (result.kind === 'handshake') {
    return { status: result.status, headers: { 'content-type': result.contentType }, body: result.body }
  }
  return { status: 200, body: { data: { received: true, duplicate: result.duplicate } } }
}

export const gatewayChannels = [authorize, callback, handover, webhook('GET'), webhook('POST')]
