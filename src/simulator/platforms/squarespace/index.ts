import { consentRoutes } from '../../auth/consent-routes.ts'
import { createGrants } from '../../auth/grants.ts'
import { tokenRoute } from '../../auth/token-route.ts'
import { createTokens } from '../../auth/tokens.ts'
import { second } from '../../clock.ts'
import { answer, type Door, lacking, type RouteRow, routeIn } from '../../http/route.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { orderIdOf, productIdOf, variantIdOf } from './ids.ts'
import { inventoryRoutes } from './inventory.ts'
import { orderRoutes, words } from './orders.ts'
import { productRoutes } from './products.ts'
import { createLimit, currency, no, notFound, problem } from './reply.ts'
import { createWebhooks } from './webhooks.ts'

/** A site on Squarespace: keys that do not end, or tokens of half an hour; lists by cursor; orders that are sent as a whole. */
export const squarespace: PlatformDefinition = { domain: 'squarespace.com', tokenSeconds: 1800, currency, open }

const days7 = 7 * 86_400
const login = '/api/1/login/oauth/provider'

function open(world: World): Platform {
  const { clock, settings, secretFor } = world
  const siteId = (settings.shop.split('.')[0] ?? '').replace(/[^a-z0-9-]/g, '')
  const websiteId = secretFor('website', 24)
  const client = { client_id: secretFor('client', 32), client_secret: secretFor('client secret', 43) }
  const grants = createGrants(world, { prefixes: ['', ''], rotates: true, refreshSeconds: days7 })
  const keys = createTokens(world, 'key-')
  const limit = createLimit(world)
  const webhooks = createWebhooks(world, '/1.0/webhook_subscriptions', websiteId)
  const about = {
    ...{ id: websiteId, siteId, title: 'Harbour Goods', url: 'https://www.harbour-goods.example', currency },
    ...{ language: 'en-US', timeZone: 'Europe/Brussels', measurementStandard: 'METRIC' },
    location: { country: 'BE', region: 'VOV' },
  }
  const rows: readonly RouteRow[] = [
    tokenRoute(world, {
      ...{ path: `${login}/tokens`, operation: 'tokens', grants, client },
      shownBy: (call) => call.basic(),
      refusals: ['Invalid client.', 'Unsupported grant type.', 'Invalid code or refresh token.'],
      give: ({ accessToken, refreshToken, seconds }) => ({
        ...{ token_type: 'bearer', access_token: accessToken, refresh_token: refreshToken },
        access_token_expires_at: String(Math.floor(clock.now() / second) + seconds),
        refresh_token_expires_at: String(Math.floor(clock.now() / second) + days7),
      }),
    }),
    ...consentRoutes({
      ...{ path: `${login}/authorize`, shop: about.title },
      isKnown: ({ client_id, access_type: type }) => client_id === client.client_id && type === 'offline',
      allowed: (_, redirect) => ({ code: grants.code({ redirect, challenge: null }) }),
    }),
    ['GET', '/1.0/authorization/website', 'website.get', () => answer(200, about)],
    ...orderRoutes(world, '/1.0/commerce/orders'),
    ...inventoryRoutes(world, '/1.0/commerce/inventory'),
    ...productRoutes(world, '/v2/commerce/products'),
    ...webhooks.routes,
  ]
  const lacks = lacking(world, () => no(403, 'The token lacks a scope.', 'MISSING_SCOPE'))
  const door: Door = {
    holder: (call) => grants.holder(call.bearer()) ?? keys.holder(call.bearer()),
    denied: () => no(401, 'You are not authorized to do that.'),
    refuses: (operation, call) =>
      operation.startsWith('webhooks.') && keys.holder(call.bearer()) !== null
        ? no(403, 'An OAuth token is required.', 'OAUTH_TOKEN_REQUIRED')
        : lacks(operation),
    unknown: notFound,
    around: (call, _, run) =>
      call.header('user-agent') === null
        ? no(400, 'The User-Agent header is required.', 'MISSING_ARGUMENT')
        : limit(run),
  }
  const shop = `${siteId}.squarespace.com`

  return {
    install: { shop, client },
    hosts: ['api.squarespace.com', 'login.squarespace.com'],
    wrong: { access_token: 'wrong', refresh_token: 'wrong' },
    issue: () => ({ api_key: keys.key() }),
    keep: grants.keep,
    route: (call) => routeIn(rows, door, call),
    errorBody: (status) =>
      problem(status, status === 429 ? 'Too many requests. Wait a minute.' : 'Something went wrong.'),
    expire: (call) => grants.expire(call.bearer() ?? ''),
    expireAll: grants.expireAll,
    messages: webhooks.messages,
    orderId: orderIdOf,
    orderNumber: ({ index }) => String(index + 1),
    remoteStatus: ({ stage }) => words[stage].join('/'),
    shown: (moment) => moment - (moment % 1000),
    productId: productIdOf,
    variantId: variantIdOf,
  }
}
