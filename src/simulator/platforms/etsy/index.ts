import { consentRoutes } from '../../auth/consent-routes.ts'
import { createGrants } from '../../auth/grants.ts'
import { tokenRoute } from '../../auth/token-route.ts'
import { answer, type Door, type RouteRow, routeIn } from '../../http/route.ts'
import { textOf } from '../../json.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { createListings, currency, listingIdOf, productIdOf } from './listings.ts'
import { createMessages } from './messages.ts'
import { receiptIdOf, receiptRoutes, statuses } from './receipts.ts'
import { createLimits, no, notFound } from './reply.ts'

/** A shop on Etsy: tokens of a person that rotate, receipts, listings whose stock is told as a whole. */
export const etsy: PlatformDefinition = { domain: 'etsy.example', tokenSeconds: 3600, currency, open }

const base = '/v3/application'
const user = 7
const scopes = ['transactions_r', 'transactions_w', 'listings_r', 'listings_w', 'shops_r']
const days90 = 90 * 86_400

function open(world: World): Platform {
  const { variant } = world.settings
  const lacked = variant['lacks'] ?? 'none'
  const shopId = 10_000_000 + (Number.parseInt(world.secretFor('shop', 8), 16) % 40_000_000)
  const client = { client_id: world.secretFor('keystring', 24), client_secret: world.secretFor('shared secret', 10) }
  const apiKey = `${client.client_id}:${client.client_secret}`
  // Tokens begin with the number of the person who gave them.
  const grants = createGrants(world, { prefixes: [`${user}.`, `${user}.`], rotates: true, refreshSeconds: days90 })
  const listings = createListings(world, shopId, base)
  const limited = createLimits(world)
  const own = { shop_id: shopId, user_id: user }
  const about = { ...own, shop_name: 'HarbourGoods', currency_code: currency }
  const rows: readonly RouteRow[] = [
    tokenRoute(world, {
      ...{ path: '/v3/public/oauth/token', operation: 'tokens', grants, client, clientStatus: 400 },
      // No secret: whoever asks has shown where the question came from.
      shownBy: (call) => [textOf(call.fields()['client_id']) ?? '', client.client_secret],
      refusals: ['client_id is not valid', 'grant_type is not valid', 'code or refresh_token is not valid'],
    }),
    ...consentRoutes({
      ...{ path: '/oauth/connect', shop: 'HarbourGoods' },
      isKnown: ({ client_id, code_challenge, code_challenge_method: method }) =>
        client_id === client.client_id && textOf(code_challenge) !== null && method === 'S256',
      allowed: (fields, redirect) => ({ code: grants.code({ redirect, challenge: textOf(fields['code_challenge']) }) }),
    }),
    ['GET', `${base}/users/me`, 'users.me', () => answer(200, own)],
    [
      ...(['POST', `${base}/scopes`, 'scopes'] as const),
      () => answer(200, { scopes: scopes.filter((scope) => !scope.startsWith(lacked)) }),
      { writes: false },
    ],
    ['GET', `${base}/shops/${shopId}`, 'shops.get', () => answer(200, about)],
    ...receiptRoutes(world, `${base}/shops/${shopId}/receipts`),
    ...listings.routes,
  ]
  const door: Door = {
    holder: (call) => grants.holder(call.bearer()),
    denied: () => answer(401, { error: 'invalid_token', error_description: 'access token is expired or invalid' }),
    // Orders, and what belongs to them, are all below one path.
    refuses: (_, { path }) =>
      lacked === 'transactions' && path.includes('/receipts') ? no(403, 'insufficient_scope: transactions_r') : null,
    unknown: notFound,
    around: (call, _, run) =>
      call.header('x-api-key') === apiKey
        ? limited(client.client_id, run)
        : no(403, 'Shared secret is required in x-api-key header.'),
  }
  const keep = (seconds?: number) => ({ ...grants.keep(seconds), api_key: apiKey })

  return {
    install: { shop: `${shopId}.etsy.com`, settings: { shop_id: shopId }, credentials: null, client },
    hosts: ['openapi.etsy.com', 'api.etsy.com', 'www.etsy.com'],
    wrong: { ...keep(), access_token: `${user}.wrong` },
    issue: keep,
    route: (call) => routeIn(rows, door, call),
    errorBody: (status) => ({ error: status === 429 ? 'Rate limit exceeded' : 'Internal server error' }),
    expire: (call) => grants.expire(call.bearer() ?? ''),
    expireAll: grants.expireAll,
    orderId: (index) => String(receiptIdOf(index)),
    remoteStatus: ({ stage }) => statuses[stage],
    productId: (index) => String(listingIdOf(index)),
    variantId: ({ product, position }) => String(productIdOf(product, position, listings.generationOf(product))),
    messages: createMessages(world, shopId),
  }
}
