import { toSecond } from '../../clock.ts'
import type { Call } from '../../http/call.ts'
import { type Door, type RouteRow, routeIn } from '../../http/route-table.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import { secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'
import { createAuth } from './auth.ts'
import { createFeeds, documentHost } from './feeds.ts'
import { channelOf, headSkuOf, orderIdOf } from './ids.ts'
import { createListings } from './listings.ts'
import { marketplace, orderStatus } from './order-view.ts'
import { createOrders } from './orders.ts'
import { createLimits, denied, no } from './reply.ts'

/** A seller on Amazon.de, by the Selling Partner API: tiny limits, families of listings, parcels with references. */
export const amazon: PlatformDefinition = { domain: 'amazon.example', tokenSeconds: 3600, currency: 'EUR', open }

const regions = ['na', 'eu', 'fe'].map((region) => `sellingpartnerapi-${region}.amazon.com`)
const listingsPath = '/listings/2021-08-01/items'
const feedsPath = '/feeds/2021-06-30'

function open(world: World): Platform {
  const { settings, shop } = world
  const seller = `A${secretFor(settings.seed, 'seller', 13).toUpperCase()}`
  const auth = createAuth(world, seller)
  const orders = createOrders(world)
  const listings = createListings(world)
  const feeds = createFeeds(world, listings, seller)
  const limited = createLimits(world)
  const tokenIn = (call: Call) => call.header('x-amz-access-token')
  const own = (owner: string, run: () => ReturnType<typeof answer>) => (owner === seller ? run() : denied())

  const rows: readonly RouteRow[] = [
    ...auth.routes,
    ['GET', '/sellers/v1/marketplaceParticipations', 'getMarketplaceParticipations', () => answer(200, participations)],
    ['GET', '/orders/2026-01-01/orders', 'searchOrders', (call) => orders.search(call)],
    ['GET', '/orders/2026-01-01/orders/:id', 'getOrder', (call, _, [id]) => orders.get(call, id)],
    [
      ...(['POST', '/orders/v0/orders/:id/shipmentConfirmation', 'confirmShipment'] as const),
      (call, record, [id]) => orders.confirm(call, record, id),
    ],
    [
      ...(['GET', `${listingsPath}/:seller`, 'searchListingsItems'] as const),
      (call, _, [owner]) => own(owner, () => listings.search(call)),
    ],
    [
      ...(['GET', `${listingsPath}/:seller/:sku`, 'getListingsItem'] as const),
      (call, _, [owner, sku]) => own(owner, () => listings.get(call, sku)),
    ],
    [
      ...(['PATCH', `${listingsPath}/:seller/:sku`, 'patchListingsItem'] as const),
      (call, record, [owner, sku]) => own(owner, () => listings.patch(call, record, sku)),
    ],
    [
      ...(['PUT', `${listingsPath}/:seller/:sku`, 'putListingsItem'] as const),
      (call, record, [owner, sku]) => own(owner, () => listings.put(call, record, sku)),
    ],
    ['POST', `${feedsPath}/documents`, 'createFeedDocument', () => feeds.createDocument()],
    ['GET', `${feedsPath}/documents/:id`, 'getFeedDocument', (_, __, [id]) => feeds.getDocument(id)],
    ['POST', `${feedsPath}/feeds`, 'createFeed', (call, record) => feeds.create(call, record)],
    ['GET', `${feedsPath}/feeds/:id`, 'getFeed', (_, __, [id]) => feeds.get(id)],
    ['PUT', '/:document', 'uploadDocument', (call, _, [id]) => feeds.upload(call, id), { open: true }],
    ['GET', '/:document', 'downloadDocument', (_, __, [id]) => feeds.download(id), { open: true }],
  ]

  const door: Door = {
    holder: (call) => auth.grants.holder(tokenIn(call)),
    denied(call) {
      const token = tokenIn(call)
      if (token === null) return denied('Access token is missing in the request header.')
      return denied(/^Atza\|[0-9a-f]{40}$/.test(token) ? ended : unknown)
    },
    unknown: () => no(404, 'NotFound', 'The requested resource does not exist.'),
    around(call, operation, run) {
      const name = auth.grants.holder(tokenIn(call))
      // A seller of Europe is nobody in the other regions.
      if (name !== null && /sellingpartnerapi-(na|fe)\./.test(call.origin)) return denied()
      return name === null ? run() : limited(operation, name, run)
    },
  }

  return {
    install: {
      type: 'amazon',
      shop: seller.toLowerCase(),
      settings: { marketplace: 'DE' },
      credentials: auth.issue(),
      client: auth.client,
    },
    hosts: ['api.amazon.com', ...regions, ...regions.map((host) => `sandbox.${host}`), documentHost],
    keep: auth.keep,
    wrong: { ...auth.keep(), access_token: 'Atza|wrong', refresh_token: 'Atzr|wrong' },
    issue: auth.issue,
    route: (call) => routeIn(rows, door, call),
    errorBody: (status) => ({
      errors: [
        status === 429
          ? { code: 'QuotaExceeded', message: 'You exceeded your quota for the requested resource.', details: '' }
          : { code: 'InternalFailure', message: 'We encountered an internal error. Please try again.', details: '' },
      ],
    }),
    expire(call) {
      auth.grants.expire(tokenIn(call) ?? '')
      return true
    },
    expireAll: auth.grants.expireAll,
    orderId: orderIdOf,
    orderNumber: ({ index }) => orderIdOf(index),
    orderStatus,
    shownTotal: (order) => (orderStatus(order).remote_status.startsWith('PENDING') ? 0 : order.total),
    shown: toSecond,
    productId(index) {
      const product = shop.stockroom.product(index)
      const [only] = product?.variants ?? []
      return product && only && product.variants.length === 1 ? only.sku : headSkuOf({ index })
    },
    variantId: ({ sku }) => sku,
    locationId: channelOf,
  }
}

const ended = 'The access token you provided has expired.'
const unknown = 'The access token you provided is revoked, malformed or invalid.'

const participations = {
  payload: [
    {
      marketplace: {
        ...{ id: marketplace.id, name: marketplace.name, countryCode: 'DE', domainName: 'www.amazon.de' },
        ...{ defaultCurrencyCode: marketplace.currency, defaultLanguageCode: 'de_DE' },
      },
      storeName: 'Harbour',
      participation: { isParticipating: true, hasSuspendedListings: false },
    },
  ],
}
