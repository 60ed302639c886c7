import { answer, type Door, lacking, type RouteRow, routeIn } from '../../http/route.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { createAuth } from './auth.ts'
import { createCatalog } from './catalog.ts'
import { createHooks } from './hooks.ts'
import { locationIdOf, orderIdOf, productIdOf, variantIdOf } from './ids.ts'
import { createInventory } from './inventory.ts'
import { createLimit } from './limit.ts'
import { createOrders } from './orders.ts'
import { home } from './product-views.ts'
import { gone, problem } from './reply.ts'
import { wordsOf } from './words.ts'

/** Orders of v2, everything else of v3; tokens that do not end; messages that say what changed and not how. */
export const bigcommerce: PlatformDefinition = { domain: 'mybigcommerce.com', tokenSeconds: 0, currency: null, open }

function open(world: World): Platform {
  const hash = (world.settings.shop.split('.')[0] ?? '').replaceAll('-', '')
  const store = `/stores/${hash}`
  const base = `https://api.bigcommerce.com${store}`
  const auth = createAuth(world, `stores/${hash}`)
  const limit = createLimit(world)
  const orders = createOrders(world, base)
  const catalog = createCatalog(world)
  const inventory = createInventory(world)
  const hooks = createHooks(world, { path: `${store}/v3/hooks`, hash, client: auth.client })
  const shop = `store-${hash}.mybigcommerce.com`
  const about = {
    ...{ id: hash, account_uuid: auth.client.account_uuid, domain: shop, secure_url: `https://${shop}` },
    ...{ name: 'Harbour', currency: home, weight_units: 'KGS', timezone: { name: 'Europe/Brussels' } },
  }

  const rows: readonly RouteRow[] = [
    ...auth.routes,
    ['GET', `${store}/v2/store`, 'store.get', () => answer(200, about)],
    ['GET', `${store}/v2/orders`, 'orders.list', orders.list],
    ['POST', `${store}/v2/orders`, 'orders.create', orders.create],
    ['GET', `${store}/v2/orders/:id`, 'orders.get', orders.get],
    ['PUT', `${store}/v2/orders/:id`, 'orders.update', orders.update],
    ['GET', `${store}/v2/orders/:id/shipments`, 'shipments.list', orders.shipments],
    ['POST', `${store}/v2/orders/:id/shipments`, 'shipments.create', orders.send],
    ['PUT', `${store}/v2/orders/:id/shipments/:shipment`, 'shipments.update', orders.correct],
    ['GET', `${store}/v3/catalog/products`, 'products.list', catalog.list],
    ['POST', `${store}/v3/catalog/products`, 'products.create', catalog.create],
    ['GET', `${store}/v3/catalog/products/:id`, 'products.get', catalog.get],
    ['PUT', `${store}/v3/catalog/products/:id`, 'products.update', catalog.update],
    ['PUT', `${store}/v3/catalog/products/:id/variants/:variant`, 'variants.update', catalog.updateVariant],
    ['GET', `${store}/v3/catalog/variants`, 'variants.list', catalog.variants],
    ['GET', `${store}/v3/catalog/brands`, 'brands.list', catalog.brands],
    ['GET', `${store}/v3/inventory/locations`, 'locations.list', inventory.locations],
    ['GET', `${store}/v3/inventory/locations/:id/items`, 'inventory.location', inventory.atLocation],
    ['GET', `${store}/v3/inventory/items`, 'inventory.list', inventory.items],
    ['PUT', `${store}/v3/inventory/adjustments/absolute`, 'inventory.set', inventory.setAbsolute],
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
