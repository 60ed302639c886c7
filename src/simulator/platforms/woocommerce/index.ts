import { answer, below, type Call, type Door, forOne, type Route, type RouteRow, routeIn } from '../../http/route.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import { customersOf } from '../../shop/customers.ts'
import { countOrders } from '../../shop/list-orders.ts'
import type { World } from '../../world.ts'
import { orderIdOf, orderIndexOf, orderOfRefund, productIdOf, refundIdOf, variantIdOf } from './ids.ts'
import { createKeys } from './keys.ts'
import { customerView, orderView, refundView } from './order-views.ts'
import { createOrderList, createOrders } from './orders.ts'
import { createParcels } from './parcels.ts'
import { createProducts, home } from './products.ts'
import { listOf, no, noRoute, notFound, pageFrom } from './reply.ts'
import { siteOf } from './site.ts'
import { createWebhooks } from './webhooks.ts'
import { allStatuses, statusAt, statusOf } from './words.ts'

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

  const ofOrder = forOne((id) => book.get(orderIndexOf(id)), notFound('shop_order'))
  const setting = (value: string) => (call: Call) => answer(200, { id: call.path.split('/').at(-1), value })
  const totals = () =>
    allStatuses.map((slug) => {
      const total = countOrders(book, { sort: 'placed', test: (index) => statusAt(book, index) === slug })
      return { slug, name: slug, total }
    })

  const tracking: Readonly<Record<string, readonly RouteRow[] | undefined>> = {
    fulfillments: below(`${base}/orders/:id`, [
      ['GET', '/fulfillments', 'fulfillments.list', ofOrder(parcels.fulfilments)],
      ['POST', '/fulfillments', 'fulfillments.create', ofOrder(parcels.fulfil)],
      ['PUT', '/fulfillments/:parcel', 'fulfillments.update', ofOrder(parcels.correct)],
      ['DELETE', '/fulfillments/:parcel', 'fulfillments.delete', ofOrder(parcels.unfulfil)],
    ]),
    'plug-in': below('/wp-json/wc-shipment-tracking/v3/orders/:id', [
      ['GET', '/shipment-trackings', 'trackings.list', ofOrder(parcels.trackings)],
      ['POST', '/shipment-trackings', 'trackings.create', ofOrder(parcels.track)],
      ['DELETE', '/shipment-trackings/:parcel', 'trackings.delete', ofOrder(parcels.untrack)],
    ]),
  }
  const forPeople = { open: true, sheltered: true } as const
  const refunds = ofOrder((order) => listOf(order.refunds, (refund) => refundView(order, refund)))
  const refundsById = ({ query }: Call) => {
    const found = (query.get('include') ?? '').split(',').flatMap((id) => {
      const order = book.get(orderOfRefund(Number(id)))
      const refund = order?.refunds.find((one) => refundIdOf(order.index, one.refund) === Number(id))
      return order && refund ? { parent_id: orderIdOf(order.index), ...refundView(order, refund) } : []
    })
    return answer(200, found)
  }
  const customers = () => customersOf(book).toSorted((a, b) => a.id - b.id)
  const listCustomers = (call: Call) => pageFrom(call, customers(), customerView)
  const ofCustomer = forOne(
    (id) => customers().find((one) => String(one.id + 1) === id),
    no(404, 'woocommerce_rest_invalid_id', 'Invalid resource ID.'),
  )
  const sinceNine: readonly RouteRow[] = site.age === 'new' ? [['GET', '/refunds', 'refunds.list', refundsById]] : []
  const routes: readonly RouteRow[] = [
    ['GET', '/wc-auth/v1/authorize', 'keys.authorize', (call) => keys.ask(call), forPeople],
    ['POST', '/wc-auth/v1/authorize', 'keys.decide', keys.decide, forPeople],
    ['GET', base, 'index', () => answer(200, { namespace: 'wc/v3', routes: {} }), { open: true }],
    ...below(base, [
      ['GET', '/settings/general/woocommerce_currency', 'settings.get', setting(home)],
      ['GET', '/settings/products/woocommerce_weight_unit', 'settings.get', setting('kg')],
      ['GET', '/reports/orders/totals', 'reports.orders', () => answer(200, totals())],
      ['GET', '/customers', 'customers.list', listCustomers],
      ['GET', '/customers/:id', 'customers.get', ofCustomer((one) => answer(200, customerView(one)))],
      ['GET', '/orders', 'orders.list', createOrderList(world, site)],
      ['POST', '/orders', 'orders.create', orders.create],
      ['GET', '/orders/:id', 'orders.get', ofOrder((order) => answer(200, orderView(order, site)))],
      ['PUT', '/orders/:id', 'orders.update', ofOrder(orders.update)],
      ['DELETE', '/orders/:id', 'orders.delete', ofOrder(orders.remove)],
      ['GET', '/orders/:id/notes', 'notes.list', ofOrder(parcels.notes)],
      ['POST', '/orders/:id/notes', 'notes.create', ofOrder(parcels.addNote)],
      ['GET', '/orders/:id/refunds', 'refunds.list', refunds],
      ['POST', '/orders/:id/refunds', 'refunds.create', ofOrder(orders.refund)],
      ...sinceNine,
      ...products.routes,
    ]),
    ...(tracking[site.tracking] ?? []),
    ...webhooks.routes,
  ]

  const around: NonNullable<Door['around']> = ({ method }, _, run) =>
    site.readOnly && method !== 'GET' ? no(401, ...readOnly) : run()

  function route(call: Call): Route {
    const below = call.path.startsWith(site.path) ? call.path.slice(site.path.length) : ''
    const routed = call.query.has('_via') ? `/wp-json${call.query.get('rest_route')}` : below.replace('/wp-json', '')
    const path = site.plain ? routed : below
    // Beside its interface a site shows pages.
    const page = () => answer(site.plain ? 200 : 404, '<html>Page not found</html>')
    const unknown = () => (path.startsWith('/wp-json/') ? noRoute() : page())
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
    remoteStatus: statusOf,
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
