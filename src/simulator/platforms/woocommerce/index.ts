import type { Answer, Call, Recorder, Route } from '../../http/call.ts'
import { type Door, type RouteRow, routeIn } from '../../http/route-table.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import { countOrders } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { answer, type World } from '../../world.ts'
import { orderIdOf, orderIndexOf, productIdOf, variantIdOf } from './ids.ts'
import { createKeys } from './keys.ts'
import { createOrderList } from './list-orders.ts'
import { orderView, refundView } from './order-views.ts'
import { createOrders } from './orders.ts'
import { createParcels } from './parcels.ts'
import { home } from './product-views.ts'
import { createProducts } from './products.ts'
import { no, noRoute, notFound } from './reply.ts'
import { siteOf } from './site.ts'
import { createWebhooks } from './webhooks.ts'
import { allStatuses, orderStatus, statusAt } from './words.ts'

/** REST, pages by number, keys that do not end, no limits and no idempotency. */
export const woocommerce: PlatformDefinition = { domain: 'shop.example', tokenSeconds: 0, currency: null, open }

function open(world: World): Platform {
  const { book, stockroom } = world.shop
  const site = siteOf(world)
  const keys = createKeys(world)
  const orders = createOrders(world, site)
  const parcels = createParcels(world, site)
  const products = createProducts(world, site)
  const base = '/wp-json/wc/v3'
  const webhooks = createWebhooks(world, site, `${base}/webhooks`)

  const ofOrder =
    (use: (order: ShopOrder, call: Call, record: Recorder) => Answer): RouteRow[3] =>
    (call, record, [id]) => {
      const order = book.get(orderIndexOf(id))
      return order ? use(order, call, record) : notFound('shop_order')
    }
  const setting = (value: string) => (call: Call) => answer(200, { id: call.path.split('/').at(-1), value })
  const totals = () =>
    allStatuses.map((slug) => ({
      ...{ slug, name: slug, total: countOrders(book, { sort: 'placed', test: (i) => statusAt(book, i) === slug }) },
    }))

  const fulfilments: readonly RouteRow[] = [
    ['GET', `${base}/orders/:id/fulfillments`, 'fulfillments.list', ofOrder(parcels.fulfilments)],
    ['POST', `${base}/orders/:id/fulfillments`, 'fulfillments.create', ofOrder(parcels.fulfil)],
  ]
  const trackings = '/wp-json/wc-shipment-tracking/v3/orders/:id/shipment-trackings'
  const plugIn: readonly RouteRow[] = [
    ['GET', trackings, 'trackings.list', ofOrder(parcels.trackings)],
    ['POST', trackings, 'trackings.create', ofOrder(parcels.track)],
  ]
  const forPeople = { open: true, sheltered: true } as const
  const routes: readonly RouteRow[] = [
    ['GET', '/wc-auth/v1/authorize', 'keys.authorize', (call) => keys.ask(call), forPeople],
    ['POST', '/wc-auth/v1/authorize', 'keys.decide', keys.decide, forPeople],
    ['GET', `${base}/system_status`, 'system_status', () => answer(200, status(world))],
    ['GET', `${base}/settings/general/woocommerce_currency`, 'settings.get', setting(home)],
    ['GET', `${base}/settings/products/woocommerce_weight_unit`, 'settings.get', setting('kg')],
    ['GET', `${base}/reports/orders/totals`, 'reports.orders', () => answer(200, totals())],
    ['GET', `${base}/orders`, 'orders.list', createOrderList(world, site)],
    ['POST', `${base}/orders`, 'orders.create', orders.create],
    ['GET', `${base}/orders/:id`, 'orders.get', ofOrder((order) => answer(200, orderView(order, site)))],
    ['PUT', `${base}/orders/:id`, 'orders.update', ofOrder(orders.update)],
    ['DELETE', `${base}/orders/:id`, 'orders.delete', ofOrder(orders.remove)],
    ['GET', `${base}/orders/:id/notes`, 'notes.list', ofOrder(parcels.notes)],
    ['POST', `${base}/orders/:id/notes`, 'notes.create', ofOrder(parcels.addNote)],
    [
      ...(['GET', `${base}/orders/:id/refunds`, 'refunds.list'] as const),
      ofOrder((order) =>
        answer(
          200,
          order.refunds.map((refund) => refundView(order, refund)),
        ),
      ),
    ],
    ...(site.tracking === 'fulfillments' ? fulfilments : site.tracking === 'plug-in' ? plugIn : []),
    ['GET', `${base}/products`, 'products.list', products.list],
    ['POST', `${base}/products`, 'products.create', products.create],
    ['POST', `${base}/products/batch`, 'products.batch', (call, record) => products.batch(call, record)],
    ['GET', `${base}/products/:id`, 'products.get', (_, __, [id]) => products.get(id)],
    ['PUT', `${base}/products/:id`, 'products.update', (call, record, [id]) => products.update(call, record, id)],
    ['GET', `${base}/products/:id/variations`, 'variations.list', (call, _, [id]) => products.variations(id, call)],
    [
      ...(['POST', `${base}/products/:id/variations/batch`, 'variations.batch'] as const),
      (call, record, [id]) => products.batch(call, record, id),
    ],
    ['GET', `${base}/products/:id/variations/:v`, 'variations.get', (_, __, [id, v]) => products.get(v, id)],
    [
      ...(['PUT', `${base}/products/:id/variations/:v`, 'variations.update'] as const),
      (call, record, [id, v]) => products.update(call, record, v, id),
    ],
    ...webhooks.routes,
  ]

  const around: NonNullable<Door['around']> = ({ method }, _, run) =>
    site.readOnly && method !== 'GET' ? no(401, ...readOnly) : run()

  function route(call: Call): Route {
    const path = call.path.startsWith(site.path) ? call.path.slice(site.path.length) : ''
    // Beside its interface a site shows pages.
    const unknown = () => (path.startsWith('/wp-json/') ? noRoute() : answer(404, '<html>Page not found</html>'))
    // Signatures hold for the whole address.
    const door = { holder: () => keys.holder(call), denied: () => keys.denied(call), unknown, around }
    return routeIn(routes, door, { ...call, path })
  }

  const credentials = keys.issue()
  const settings = { base_url: site.url, order_statuses: [{ status: 'awaiting-pickup', means: 'open' }] }
  return {
    install: { credentials, settings },
    wrong: { ...credentials, consumer_secret: 'cs_wrong' },
    issue: keys.issue,
    route,
    messages: webhooks.messages,
    errorBody: (code) => ({
      code: 'internal_server_error',
      message: 'There has been a critical error.',
      data: { status: code },
    }),
    orderId: (index) => String(orderIdOf(index)),
    orderStatus,
    productId: (index) => String(productIdOf(index)),
    variantId: (variant) => {
      const product = stockroom.product(variant.product)
      return product ? String(variantIdOf(product, variant)) : ''
    },
  }
}

const readOnly = [
  'woocommerce_rest_authentication_error',
  'The API key provided does not have write permissions.',
] as const

const status = ({ origin }: World) => ({
  environment: { site_url: origin, version: '10.9.4', wp_version: '7.0.2' },
  settings: { currency: home },
})
