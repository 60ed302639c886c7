import { day } from '../../clock.ts'
import { answer, type Call, type Door, forOne, lacking, type RouteRow, routeIn } from '../../http/route.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { createAuth } from './auth.ts'
import { inventory, listingRoutes, locationKeyOf, productIdOf } from './listings.ts'
import { createNotifications } from './notifications.ts'
import { marketplace, orderIdOf, orderRoutes, remoteStatus, time } from './orders.ts'
import { badToken, no } from './reply.ts'
import { returnRoutes } from './returns.ts'
import { ownKeyId, publicKeyView } from './signatures.ts'
import { tradingRoute } from './trading.ts'

/** A seller on eBay.de: lists by time, articles in groups, signatures where money goes back, and no push but sales. */
export const ebay: PlatformDefinition = { domain: 'ebay.com', tokenSeconds: 7200, currency: marketplace.currency, open }

const identity = '/commerce/identity/v1/user/'
const tooMany = () => no(429, 2001, 'Too many requests. The request limit has been reached for the resource.')

function open(world: World): Platform {
  const { settings, clock, shop } = world
  const username = (settings.shop.split('.')[0] ?? '').replaceAll('-', '_')
  const user = { userId: world.secretFor('user', 11), username }
  const auth = createAuth(world)
  const about = { ...user, accountType: 'BUSINESS', status: 'CONFIRMED', registrationMarketplaceId: marketplace.id }
  const noKey = no(404, 195_001, 'The public key was not found.')
  const ofKey = forOne((id) => (id === ownKeyId ? publicKeyView : null), noKey)
  const publicKey = ofKey((key, call) => (auth.isApp(call) ? answer(200, key) : badToken()))

  const days = createDays(world)
  const notifications = createNotifications(world, user, auth)
  const now = () => ({ date: new Date(clock.now() / 1000).toUTCString() })
  const limits = (call: Call) => (auth.isApp(call) ? answer(200, days.view(), now()) : badToken())

  const rows: readonly RouteRow[] = [
    ...auth.routes,
    ['GET', '/developer/analytics/v1_beta/rate_limit/', 'limits.get', limits, { open: true }],
    ['GET', identity, 'user.get', () => answer(200, about)],
    ['GET', '/commerce/notification/v1/public_key/:id', 'public_key.get', publicKey, { open: true }],
    tradingRoute(world, (token) => auth.grants.holder(token) !== null),
    ...notifications.routes,
    ...orderRoutes(world),
    ...returnRoutes(world),
    ...listingRoutes(world),
  ]

  /** Who somebody is is asked at a host of its own. */
  const isAtHome = (origin: string, path: string) =>
    !/ebay\.com$/.test(origin) ||
    /\/\/(api|apiz)\.ebay\.com$/.exec(origin)?.[1] === (path === identity ? 'apiz' : 'api')

  const door: Door = {
    holder: (call) => (isAtHome(call.origin, call.path) ? auth.grants.holder(auth.tokenIn(call)) : null),
    denied: badToken,
    refuses: lacking(world, () => no(403, 1100, 'Access denied')),
    unknown: () => no(404, 2002, 'Resource not found'),
    around: async ({ path }, _, run) => {
      const made = days.admits(path) ? await run() : tooMany()
      return { ...made, headers: { ...now(), ...made.headers } }
    },
  }

  return {
    install: { credentials: null, client: auth.client },
    hosts: ['api.ebay.com', 'apiz.ebay.com', 'auth.ebay.com'],
    wrong: { access_token: 'v^1.1#wrong', refresh_token: 'v^1.1#wrong' },
    issue: auth.keep,
    messages: notifications.messages,
    route: (call) => routeIn(rows, door, call),
    errorBody: (status) => (status === 429 ? tooMany() : no(status, 20_500, 'System error.')).body,
    expire: (call) => auth.grants.expire(auth.tokenIn(call) ?? ''),
    expireAll: auth.grants.expireAll,
    orderId: orderIdOf,
    remoteStatus,
    shown: (moment) => moment - (moment % 1000),
    productId: (index) => productIdOf(shop.stockroom.product(index)),
    variantId: ({ sku }) => sku,
    locationId: settings.variant['locations'] === 'none' ? null : locationKeyOf,
  }
}

/** The calls of an app in a day: so many for stock, fewer for orders, few for each kind of the older interface. No answer says how many are left. */
function createDays({ clock, weather }: World) {
  const used = new Map<string, number>()
  let today = 0
  const apiOf = (path: string) => path.split('/', path.startsWith('/post-order/') ? 4 : 3).join('/')
  const most = (api: string) =>
    inventory.startsWith(api) ? 2_000_000 : api.startsWith('/post-order/') ? 5000 : 100_000
  const limitOf = (api: string) => Math.max(1, Math.round(most(api) * weather.now().limit_scale))
  function usedOf(api: string): number {
    const date = Math.floor(clock.now() / day)
    if (date !== today) used.clear()
    today = date
    return used.get(api) ?? 0
  }
  function resource(name: string, api: string) {
    const limit = limitOf(api)
    const remaining = Math.max(0, limit - usedOf(api))
    return { name, rates: [{ limit, remaining, reset: time((today + 1) * day), timeWindow: 86_400 }] }
  }
  const sold = (apiName: string) => ({
    ...{ apiContext: 'sell', apiName, apiVersion: 'v1' },
    resources: [resource(`sell.${apiName}`, `/sell/${apiName}`)],
  })
  const settled = (kind: string) => resource(`post-order.${kind}`, `/post-order/v2/${kind}`)
  return {
    admits(path: string): boolean {
      const api = apiOf(path)
      const count = usedOf(api) + 1
      used.set(api, count)
      return count <= limitOf(api) || !/^\/(sell|post-order)\//.test(path)
    },
    view: () => ({
      rateLimits: [
        ...['fulfillment', 'inventory'].map(sold),
        {
          ...{ apiContext: 'post-order', apiName: 'post-order', apiVersion: 'v2' },
          resources: ['return', 'cancellation'].map(settled),
        },
      ],
    }),
  }
}
