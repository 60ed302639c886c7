import { toSecond } from '../../clock.ts'
import { consentRoutes } from '../../consent-routes.ts'
import { createGrants } from '../../grants.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { type Door, type RouteRow, routeIn } from '../../http/route-table.ts'
import { textOf } from '../../json.ts'
import type { Credentials, Platform, PlatformDefinition } from '../../platform.ts'
import { secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'
import { currency, listingIdOf, productIdOf } from './listing-view.ts'
import { createListings } from './listings.ts'
import { createMessages } from './messages.ts'
import { createReceipts, orderStatus, receiptIdOf } from './receipts.ts'
import { createLimits, no, notFound } from './reply.ts'

/** A shop on Etsy: tokens of a person that rotate, receipts, listings whose stock is told as a whole. */
export const etsy: PlatformDefinition = { domain: 'etsy.example', tokenSeconds: 3600, currency, open }

const base = '/v3/application'
const user = 7

function open(world: World): Platform {
  const { settings, clock } = world
  const shopId = 10_000_000 + (Number.parseInt(secretFor(settings.seed, 'shop', 8), 16) % 40_000_000)
  const client = {
    client_id: secretFor(settings.seed, 'keystring', 24),
    client_secret: secretFor(settings.seed, 'shared secret', 10),
  }
  const apiKey = `${client.client_id}:${client.client_secret}`
  // Tokens begin with the number of the person who gave them.
  const days90 = 90 * 86_400
  const grants = createGrants(world, { prefixes: [`${user}.`, `${user}.`], rotates: true, refreshSeconds: days90 })
  const receipts = createReceipts(world)
  const listings = createListings(world, shopId)
  const limited = createLimits(world)

  function token(call: Call, record: Recorder): Answer {
    const fields = call.fields()
    const text = (name: string) => textOf(fields[name]) ?? ''
    const refuse = (error: string, error_description: string) => answer(400, { error, error_description })
    if (text('client_id') !== client.client_id) return refuse('invalid_client', 'client_id is not valid')
    const trip = { redirect: text('redirect_uri'), verifier: text('code_verifier') }
    const granted = {
      authorization_code: () => grants.redeem(text('code'), trip, record),
      refresh_token: () => grants.refresh(text('refresh_token'), record),
    }[text('grant_type')]
    if (!granted) return refuse('unsupported_grant_type', 'grant_type is not valid')
    const given = granted()
    if (!given) return refuse('invalid_grant', 'code or refresh_token is not valid')
    const { accessToken: access_token, refreshToken: refresh_token, seconds: expires_in } = given
    const date = new Date(clock.now() / 1000).toUTCString()
    return answer(200, { access_token, refresh_token, token_type: 'Bearer', expires_in }, { date })
  }

  const own = `${base}/shops/${shopId}`
  const me = () => answer(200, { user_id: user, shop_id: shopId })
  const about = () =>
    answer(200, { shop_id: shopId, user_id: user, shop_name: 'HarbourGoods', currency_code: currency })
  const rows: readonly RouteRow[] = [
    ['POST', '/v3/public/oauth/token', 'tokens', token, { open: true, careful: true }],
    ...consentRoutes({
      path: '/oauth/connect',
      shop: 'HarbourGoods',
      objection: (fields) => {
        const safe = textOf(fields['code_challenge']) !== null && fields['code_challenge_method'] === 'S256'
        return fields['client_id'] === client.client_id && safe ? null : 'The app asks in a way that is not allowed.'
      },
      wishes: (fields) => (textOf(fields['scope']) ?? '').split(' '),
      allowed: (fields, redirect) => ({ code: grants.code({ redirect, challenge: textOf(fields['code_challenge']) }) }),
    }),
    ['GET', `${base}/users/me`, 'users.me', me],
    ['GET', own, 'shops.get', about],
    ['GET', `${own}/receipts`, 'receipts.list', (call) => receipts.list(call)],
    ['GET', `${own}/receipts/:id`, 'receipts.get', (_, __, [id]) => receipts.get(id)],
    [
      'POST',
      `${own}/receipts/:id/tracking`,
      'receipts.track',
      (call, record, [id]) => receipts.track(id, call, record),
    ],
    ['GET', `${own}/listings`, 'listings.list', (call) => listings.list(call)],
    ['GET', `${base}/listings/:id`, 'listings.get', (call, _, [id]) => listings.get(id, call)],
    ['GET', `${base}/listings/:id/inventory`, 'inventory.get', (_, __, [id]) => listings.inventory(id)],
    [
      ...(['PUT', `${base}/listings/:id/inventory`, 'inventory.set'] as const),
      (call, record, [id]) => listings.setInventory(id, call, record),
    ],
  ]
  const holder = (call: Call) => grants.holder(call.bearer())
  const door: Door = {
    holder,
    denied: () => answer(401, { error: 'invalid_token', error_description: 'access token is expired or invalid' }),
    unknown: notFound,
    around(call, _, run) {
      if (call.header('x-api-key') !== apiKey) return no(403, 'Shared secret is required in x-api-key header.')
      return limited(client.client_id, run)
    },
  }
  const keep = (seconds?: number): Credentials => {
    const { accessToken, refreshToken } = grants.open(seconds)
    return { access_token: accessToken, refresh_token: refreshToken, api_key: apiKey }
  }

  return {
    install: { type: 'etsy', shop: `${shopId}.etsy.com`, settings: { shop_id: shopId }, credentials: null, client },
    hosts: ['openapi.etsy.com', 'api.etsy.com'],
    keep,
    wrong: { ...keep(), access_token: `${user}.wrong` },
    issue: keep,
    route: (call) => routeIn(rows, door, call),
    errorBody: (status) => ({ error: status === 429 ? 'Rate limit exceeded' : 'Internal server error' }),
    expire(call) {
      grants.expire(call.bearer() ?? '')
      return true
    },
    expireAll: grants.expireAll,
    orderId: (index) => String(receiptIdOf(index)),
    orderNumber: ({ index }) => String(receiptIdOf(index)),
    orderStatus,
    shown: toSecond,
    productId: (index) => String(listingIdOf(index)),
    variantId: ({ product, position }) =>
      String(productIdOf(product, position, listings.generationOf({ index: product }))),
    locationId: null,
    messages: createMessages(world, shopId),
  }
}
