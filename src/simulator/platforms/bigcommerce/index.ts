import { answer, below, type Door, lacking, type RouteRow, routeIn } from '../../http/route.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { createAuth } from './auth.ts'
import { catalogRoutes, home } from './catalog.ts'
import { channelRoutes } from './channels.ts'
import { createHooks } from './hooks.ts'
import { locationIdOf, orderIdOf, productIdOf, variantIdOf } from './ids.ts'
import { inventoryRoutes } from './inventory.ts'
import { orderRoutes } from './orders.ts'
import { createLimit, gone, problem } from './reply.ts'
import { wordsOf } from './words.ts'

/** Orders of v2, everything else of v3; tokens that do not end; messages that say what changed and not how. */
export const bigcommerce: PlatformDefinition = { domain: 'mybigcommerce.com', tokenSeconds: 0, currency: null, open }

function open(world: World): Platform {
  const hash = (world.settings.shop.split('.')[0] ?? '').replaceAll('-', '')
  const store = `/stores/${hash}`
  const base = `https://api.bigcommerce.com${store}`
  const auth = createAuth(world, `stores/${hash}`)
  const limit = createLimit(world)
  const hooks = createHooks(world, { path: `${store}/v3/hooks`, hash, client: auth.client })
  const shop = `store-${hash}.mybigcommerce.com`
  const about = {
    ...{ id: hash, account_uuid: auth.client.account_uuid, domain: shop, secure_url: `https://${shop}` },
    ...{ name: 'Harbour', currency: home, weight_units: 'KGS', timezone: { name: 'Europe/Brussels' } },
  }

  const rows: readonly RouteRow[] = [
    ...auth.routes,
    ['GET', `${store}/v2/store`, 'store.get', () => answer(200, about)],
    ...below(store, [
      ...orderRoutes(world, base),
      ...catalogRoutes(world),
      ...inventoryRoutes(world),
      ...channelRoutes,
    ]),
    ...hooks.routes,
  ]
  const door: Door = {
    holder: auth.holder,
    denied: () => problem(401, 'Unauthorized'),
    refuses: lacking(world, () => problem(403, "You don't have a required scope to access the endpoint")),
    unknown: () => gone('requested URL'),
    around: (_, __, run) => limit(run),
  }

  return {
    install: { shop, client: auth.client },
    hosts: ['api.bigcommerce.com', 'login.bigcommerce.com'],
    wrong: { access_token: 'wrong' },
    issue: auth.issue,
    expireAll: auth.expireAll,
    messages: hooks.messages,
    route: (call) => routeIn(rows, door, call),
    errorBody: (status) => problem(status, status === 429 ? 'Too many requests' : 'An error has occurred.').body,
    orderId: (index) => String(orderIdOf(index)),
    remoteStatus: (order) => wordsOf(order).label,
    productId: (index) => String(productIdOf(index)),
    variantId: (variant) => String(variantIdOf(variant)),
    locationId: (location) => String(locationIdOf(location)),
  }
}
