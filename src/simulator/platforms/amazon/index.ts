import { answer, type Call, type Door, lacking, type RouteRow, routeIn } from '../../http/route.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { createAuth } from './auth.ts'
import { feedRoutes } from './feeds.ts'
import { channelOf, headSkuOf, listingRoutes } from './listings.ts'
import { isPending, marketplace, orderIdOf, orderRoutes, statuses } from './orders.ts'
import { createQueue, queueHost } from './queue.ts'
import { createLimits, denied, no, tooMany } from './reply.ts'
import { fileHost, reportRoutes } from './reports.ts'

/** A seller on Amazon.de, by the Selling Partner API: tiny limits, families of listings, parcels with references. */
export const amazon: PlatformDefinition = { domain: 'amazon.example', tokenSeconds: 3600, currency: 'EUR', open }

/** Where its seller says yes. */
const consentHost = 'sellercentral-europe.amazon.com'
const regions = ['na', 'eu', 'fe'].map((region) => `sellingpartnerapi-${region}.amazon.com`)

function open(world: World): Platform {
  const { shop } = world
  const seller = `A${world.secretFor('seller', 13).toUpperCase()}`
  const auth = createAuth(world, seller)
  const limited = createLimits(world)
  const queue = createQueue(world, seller)
  const tokenIn = (call: Call) => call.header('x-amz-access-token')

  const rows: readonly RouteRow[] = [
    ...auth.routes,
    ['GET', '/sellers/v1/marketplaceParticipations', 'getMarketplaceParticipations', () => answer(200, participations)],
    ...orderRoutes(world),
    ...listingRoutes(world, seller),
    ...queue.rows,
    ...reportRoutes(world),
    ...feedRoutes(world),
  ]
  const door: Door = {
    holder: (call) => auth.grants.holder(tokenIn(call)),
    denied(call) {
      const token = tokenIn(call)
      if (token === null) return denied('Access token is missing in the request header.')
      return denied(/^Atza\|[0-9a-f]{40}$/.test(token) ? ended : unknown)
    },
    refuses: lacking(world, denied),
    // What belongs to another seller is not for this one.
    unknown: ({ path }) =>
      path.startsWith('/listings/') ? denied() : no(404, 'NotFound', 'The requested resource does not exist.'),
    around(call, operation, run) {
      const name = auth.grants.holder(tokenIn(call))
      // A seller of Europe is nobody in the other regions.
      const elsewhere = name !== null && /sellingpartnerapi-(na|fe)\./.test(call.origin)
      return elsewhere ? denied() : limited(operation, name, run)
    },
  }

  return {
    install: {
      shop: seller.toLowerCase(),
      settings: { marketplace: 'DE' },
      client: { ...auth.client, ...queue.client },
    },
    hosts: [
      'api.amazon.com',
      consentHost,
      queueHost,
      fileHost,
      ...regions,
      ...regions.map((host) => `sandbox.${host}`),
    ],
    keep: auth.keep,
    wrong: { ...auth.keep(), access_token: 'Atza|wrong', refresh_token: 'Atzr|wrong' },
    issue: auth.issue,
    route: (call) => routeIn(rows, door, call),
    errorBody: (status) => (status === 429 ? tooMany() : no(status, 'InternalFailure', 'Please try again.')).body,
    expire: (call) => auth.grants.expire(tokenIn(call) ?? ''),
    expireAll: auth.grants.expireAll,
    orderId: orderIdOf,
    remoteStatus: ({ stage }) => statuses[stage],
    tellsArrival: true,
    shownTotal: (order) => (isPending(order) ? 0 : order.total),
    productId(index) {
      const [only, ...others] = shop.stockroom.product(index)?.variants ?? []
      return only && others.length === 0 ? only.sku : headSkuOf({ index })
    },
    variantId: ({ sku }) => sku,
    locationId: channelOf,
    messages: queue.messages,
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
