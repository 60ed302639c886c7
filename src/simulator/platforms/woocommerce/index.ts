import { toSecond } from '../../clock.ts'
import type { Call, Route } from '../../http/call.ts'
import { type RouteRow, routeIn } from '../../http/route-table.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import { createSubscriptions } from '../../subscriptions.ts'
import { answer, type World } from '../../world.ts'
import { createWebhooks } from './hooks.ts'
import { orderIdOf, productIdOf, variantIdOf } from './ids.ts'
import { createKeys } from './keys.ts'
import { createOrders } from './orders.ts'
import { createProducts } from './products.ts'
import { no } from './reply.ts'
import { orderStatus } from './words.ts'

const base = '/wp-json/wc/v3'
const tracking = '/wp-json/wc-shipment-tracking/v3'

/** REST, pages by number, keys that do not end, no limits and no idempotency. */
export const woocommerce: PlatformDefinition = { domain: 'shop.example', tokenSeconds: 0, currency: null, open }

function open(world: World): Platform {
  const keys = createKeys(world)
  const orders = createOrders(world)
  const products = createProducts(world)
  const webhooks = createWebhooks(world, createSubscriptions(world.clock))

  const forPeople = { open: true, sheltered: true } as const

  const routes: readonly RouteRow[] = [
    ['GET', '/wc-auth/v1/authorize', 'keys.authorize', keys.ask, forPeople],
    ['POST', '/wc-auth/v1/authorize', 'keys.decide', keys.decide, forPeople],
    ['GET', base, 'index', () => answer(200, { namespace: 'wc/v3', routes: {} })],
    ['GET', `${base}/system_status`, 'system_status', () => answer(200, status(world))],
    ['GET', `${base}/orders`, 'orders.list', (call) => orders.list(call)],
    ['POST', `${base}/orders`, 'orders.create', (call, record) => orders.create(call, record)],
    ['GET', `${base}/orders/:id`, 'orders.get', (_, __, [id]) => orders.get(id)],
    ['PUT', `${base}/orders/:id`, 'orders.update', (call, record, [id]) => orders.update(id, call, record)],
    ['DELETE', `${base}/orders/:id`, 'orders.delete', (_, record, [id]) => orders.remove(id, record)],
    ['GET', `${base}/orders/:id/notes`, 'notes.list', (_, __, [id]) => orders.notes(id)],
    ['POST', `${base}/orders/:id/notes`, 'notes.create', (call, record, [id]) => orders.addNote(id, call, record)],
    ['GET', `${tracking}/orders/:id/shipment-trackings`, 'trackings.list', (_, __, [id]) => orders.trackings(id)],
    [
      ...(['POST', `${tracking}/orders/:id/shipment-trackings`, 'trackings.create'] as const),
      (call, record, [id]) => orders.track(id, call, record),
    ],
    ['GET', `${base}/products`, 'products.list', (call) => products.list(call)],
    ['POST', `${base}/products`, 'products.create', (call, record) => products.create(call, record)],
    ['GET', `${base}/products/:id`, 'products.get', (_, __, [id]) => products.get(id)],
    ['PUT', `${base}/products/:id`, 'products.update', (call, record, [id]) => products.update(id, call, record)],
    ['GET', `${base}/products/:id/variations`, 'variations.list', (call, _, [id]) => products.variations(id, call)],
    ['GET', `${base}/products/:id/variations/:v`, 'variations.get', (_, __, [id, v]) => products.variation(id, v)],
    [
      ...(['PUT', `${base}/products/:id/variations/:v`, 'variations.update'] as const),
      (call, record, [id, v]) => products.updateVariation(id, v, call, record),
    ],
    ['GET', `${base}/webhooks`, 'webhooks.list', (call) => webhooks.list(call)],
    ['POST', `${base}/webhooks`, 'webhooks.create', (call, record) => webhooks.create(call, record)],
    ['GET', `${base}/webhooks/:id`, 'webhooks.get', (_, __, [id]) => webhooks.get(id)],
    ['PUT', `${base}/webhooks/:id`, 'webhooks.update', (call, record, [id]) => webhooks.update(id, call, record)],
    ['DELETE', `${base}/webhooks/:id`, 'webhooks.delete', (_, record, [id]) => webhooks.remove(id, record)],
  ]

  function route(call: Call): Route {
    const denied = () => no(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.')
    const unknown = () => no(404, 'rest_no_route', 'No route was found matching the URL and request method.')
    return routeIn(routes, { holder: keys.holder, denied, unknown }, call)
  }

  return {
    install: {
      type: 'woocommerce',
      shop: world.settings.shop,
      settings: { base_url: world.origin },
      credentials: keys.issue(),
      client: {},
    },
    hosts: [],
    keep: keys.issue,
    wrong: { ...keys.issue(), consumer_secret: 'cs_wrong' },
    issue: keys.issue,
    route,
    errorBody: (code) => ({
      code: 'internal_server_error',
      message: 'There has been a critical error.',
      data: { status: code },
    }),
    expire: () => false,
    expireAll: () => {},
    orderId: (index) => String(orderIdOf(index)),
    orderNumber: ({ index }) => String(orderIdOf(index)),
    orderStatus,
    shown: toSecond,
    productId: (index) => String(productIdOf(index)),
    variantId: (variant) => {
      const product = world.shop.stockroom.product(variant.product)
      return product ? String(variantIdOf(product, variant)) : ''
    },
    locationId: null,
  }
}

const status = ({ settings }: World) => ({
  environment: { site_url: `https://${settings.shop}`, version: '10.3.0', wp_version: '6.9' },
  settings: { currency: 'EUR' },
})
