import { type Fields, isFields } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import type { PlatformStand, StandCall, VendorSpecification } from '../../commerce/stand.ts'
import { isKindOf, type StandListing, standMarketplace } from './stand-families.ts'
import { type Books, makeBooks, type StandOrder, timeAt } from './stand-records.ts'

const orderCount = 72
const listingCount = 55
const seller = 'A2STANDSELLER1'

interface AmazonStand extends PlatformStand {
  books: Books
}

export function makeStand(): AmazonStand {
  const books = makeBooks({ orders: orderCount, listings: listingCount })
  const used = new Set<string>()
  return {
    books,
    facts: { shop: seller.toLowerCase(), settings: { marketplace: 'DE' } },
    credentials: { access_token: 'right', refresh_token: 'Atzr|right' },
    wrong: { access_token: 'wrong', refresh_token: 'Atzr|wrong' },
    typed: { client_id: 'us', client_secret: 'ours', refresh_token: 'Atzr|right' },
    client: { application_id: 'amzn1.sp.solution.us', client_id: 'us', client_secret: 'ours' },
    answer: (call) => answer(books, call),
    counts: {
      orders: orderCount,
      products: books.listings.filter((one) => !isKindOf(one)).length,
      inventory: books.listings.filter(({ fulfillmentAvailability: [level] }) => level?.quantity !== undefined).length,
    },
    openOrder() {
      const order = books.orders.find(
        (one) => one.fulfillment.fulfillmentStatus === 'UNSHIPPED' && !used.has(one.orderId),
      )
      if (!order) throw new Error('No order is left.')
      used.add(order.orderId)
      return order.orderId
    },
    doubles: () => {
      const parcels = books.orders.flatMap((order) =>
        order.packages.map((one) => `${order.orderId} ${one['trackingNumber']}`),
      )
      return parcels.filter((one, n) => parcels.indexOf(one) !== n)
    },
    specifications,
  }
}

const reply = (body: unknown, headers: Record<string, string> = {}): RemoteAnswer => ({ status: 200, headers, body })

const refusal = (status: number, code: string, message: string, details = ''): RemoteAnswer => ({
  status,
  headers: {},
  body: { errors: [{ code, message, details }] },
})

const clockHeader = { date: 'Sun, 15 Nov 2026 08:00:00 GMT' }

function answer(books: Books, { url, request }: StandCall): RemoteAnswer {
  const { hostname, pathname } = new URL(url)
  if (hostname === 'api.amazon.com') return token(request.body)
  if (request.headers?.['x-amz-access-token'] !== 'right') {
    const details = 'The access token you provided is revoked, malformed or invalid.'
    return refusal(403, 'Unauthorized', 'Access to requested resource is denied.', details)
  }
  const query = (request.query ?? {}) as Fields
  const path = decodeURIComponent(pathname)
  const body = isFields(request.body) ? request.body : {}
  if (path === '/sellers/v1/marketplaceParticipations') return reply(participations)
  if (path === '/orders/2026-01-01/orders') return searchOrders(books, query)
  const [, confirmedId] = /^\/orders\/v0\/orders\/([^/]+)\/shipmentConfirmation$/.exec(path) ?? []
  if (confirmedId) return confirm(books, confirmedId, body)
  const [, orderId] = /^\/orders\/2026-01-01\/orders\/([^/]+)$/.exec(path) ?? []
  if (orderId) {
    const order = books.orders.find((one) => one.orderId === orderId)
    return order ? reply({ order }, clockHeader) : refusal(404, 'NotFound', 'The order is unknown.')
  }
  const [, owner, sku] = /^\/listings\/2021-08-01\/items\/([^/]+)(?:\/(.+))?$/.exec(path) ?? []
  if (owner !== seller) return refusal(403, 'Unauthorized', 'Access to requested resource is denied.')
  return sku === undefined ? searchListings(books, query) : listing(books, { sku, method: request.method, body, query })
}

function token(body: unknown): RemoteAnswer {
  const form = new URLSearchParams(String(body))
  const known = form.get('client_id') === 'us' && form.get('client_secret') === 'ours'
  const granted = form.get('code') === 'good' || form.get('refresh_token') === 'Atzr|right'
  if (!known) return { status: 401, headers: {}, body: { error: 'invalid_client' } }
  if (!granted) return { status: 400, headers: {}, body: { error: 'invalid_grant', error_description: 'Revoked.' } }
  const told = { access_token: 'right', refresh_token: 'Atzr|right', token_type: 'bearer', expires_in: 3600 }
  return reply(told, clockHeader)
}

const participations = {
  payload: [
    {
      marketplace: {
        id: standMarketplace,
        name: 'Amazon.de',
        countryCode: 'DE',
        defaultCurrencyCode: 'EUR',
        defaultLanguageCode: 'de_DE',
        domainName: 'www.amazon.de',
      },
      storeName: 'Kontor',
      participation: { isParticipating: true, hasSuspendedListings: false },
    },
  ],
}

/** The token holds for the same question alone. */
function searchOrders(books: Books, query: Fields): RemoteAnswer {
  const { paginationToken, maxResultsPerPage: _, includedData: __, ...question } = query
  const asked = JSON.stringify(question)
  const [start, same] = paginationToken == null ? [0, true] : tokenIn(String(paginationToken), asked)
  if (!same || typeof query['lastUpdatedAfter'] !== 'string') return refusal(400, 'InvalidInput', 'Invalid Input')
  const since = Date.parse(query['lastUpdatedAfter'])
  const wanted = typeof query['fulfillmentStatuses'] === 'string' ? query['fulfillmentStatuses'].split(',') : null
  const found = books.orders
    .filter((one) => Date.parse(one.lastUpdatedTime) >= since)
    .filter((one) => wanted === null || wanted.includes(one.fulfillment.fulfillmentStatus))
    .toSorted((a, b) => (a.lastUpdatedTime < b.lastUpdatedTime ? -1 : 1))
  const end = start + Number(query['maxResultsPerPage'] ?? 100)
  const more = end < found.length
  return reply(
    {
      orders: found.slice(start, end),
      ...(more ? { pagination: { nextToken: Buffer.from(`${end}|${asked}`).toString('base64') } } : {}),
      lastUpdatedBefore: timeAt(200_000),
    },
    { 'x-amzn-ratelimit-limit': '0.0056' },
  )
}

function tokenIn(token: string, asked: string): [start: number, same: boolean] {
  const [, start, question] = /^(\d+)\|(.*)$/s.exec(Buffer.from(token, 'base64').toString()) ?? []
  return [Number(start), question === asked]
}

function searchListings(books: Books, query: Fields): RemoteAnswer {
  const size = Number(query['pageSize'] ?? 10)
  if (query['marketplaceIds'] !== standMarketplace || size > 20) return refusal(400, 'InvalidInput', 'Invalid Input')
  const time = (one: Books['listings'][number]) => Date.parse(one.summaries[0]?.lastUpdatedDate ?? '')
  const [from, until] = ['lastUpdatedAfter', 'lastUpdatedBefore'].map((name) => Date.parse(String(query[name] ?? '')))
  const found = books.listings
    .filter((one) => !(time(one) < Number(from)) && !(time(one) > Number(until)))
    .filter((one) => query['variationParentSku'] == null || isKindOf(one, String(query['variationParentSku'])))
    .toSorted((a, b) => time(a) - time(b))
  const start = Number(query['pageToken'] ?? 0)
  const next = start + size
  return reply({
    numberOfResults: found.length,
    items: found.slice(start, next).map((one) => asAsked(one, query)),
    ...(next < found.length ? { pagination: { nextToken: String(next) } } : {}),
  })
}

/** Nothing but what was asked for. */
const asAsked = (one: StandListing, { includedData: wanted = 'summaries' }: Fields): Fields =>
  Object.fromEntries(Object.entries(one).filter(([name]) => name === 'sku' || String(wanted).split(',').includes(name)))

function listing(
  books: Books,
  { sku, method, body, query }: { sku: string; method: string; body: Fields; query: Fields },
): RemoteAnswer {
  const found = books.listings.find((one) => one.sku === sku)
  if (!found) return refusal(404, 'NOT_FOUND', `SKU '${sku}' not found in marketplace ${standMarketplace}`)
  if (method === 'GET') return reply(asAsked(found, query))
  const submitted = { sku, submissionId: `submission-${++books.clock}` }
  const [patch] = Array.isArray(body['patches']) ? body['patches'].filter(isFields) : []
  const value = Array.isArray(patch?.['value']) ? patch['value'].filter(isFields) : []
  if (body['productType'] !== 'LUGGAGE' || patch?.['path'] !== '/attributes/fulfillment_availability') {
    const issue = {
      code: '90000900',
      message: 'The attributes are invalid.',
      severity: 'ERROR',
      categories: ['INVALID_ATTRIBUTE'],
    }
    return reply({ ...submitted, status: 'INVALID', issues: [issue] })
  }
  found.fulfillmentAvailability = value.map((one) => ({
    fulfillmentChannelCode: String(one['fulfillment_channel_code']),
    quantity: Number(one['quantity']),
  }))
  return reply({ ...submitted, status: 'ACCEPTED', issues: [] })
}

/** A parcel with a known reference is changed. */
function confirm(books: Books, id: string, body: Fields): RemoteAnswer {
  const order = books.orders.find((one) => one.orderId === id)
  const told = isFields(body['packageDetail']) ? body['packageDetail'] : {}
  const items = Array.isArray(told['orderItems']) ? told['orderItems'].filter(isFields) : []
  const reference = String(told['packageReferenceId'])
  const other = told['carrierCode'] === 'Other'
  const isWell =
    order !== undefined &&
    body['marketplaceId'] === standMarketplace &&
    /^[1-9]\d*$/.test(reference) &&
    !Number.isNaN(Date.parse(String(told['shipDate']))) &&
    (!other || typeof told['carrierName'] === 'string')
  if (!isWell) return refusal(400, 'InvalidInput', 'Invalid Input')
  if (order.packages.some((one) => one['packageReferenceId'] === reference))
    return { status: 204, headers: {}, body: '' }
  if (!take(order, items)) return refusal(400, 'InvalidInput', 'The quantity exceeds what is left.')
  order.packages.push({
    packageReferenceId: reference,
    carrier: other ? told['carrierName'] : told['carrierCode'],
    shipTime: told['shipDate'],
    trackingNumber: told['trackingNumber'],
    packageItems: items.map(({ orderItemId, quantity }) => ({ orderItemId, quantity })),
  })
  order.lastUpdatedTime = timeAt(++books.clock)
  return { status: 204, headers: {}, body: '' }
}

function take(order: StandOrder, items: readonly Fields[]): boolean {
  for (const { orderItemId, quantity } of items) {
    const item = order.orderItems.find((one) => one.orderItemId === orderItemId)
    if (!item || item.fulfillment.quantityUnfulfilled < Number(quantity)) return false
    item.fulfillment.quantityUnfulfilled -= Number(quantity)
    item.fulfillment.quantityFulfilled += Number(quantity)
  }
  const left = order.orderItems.some((item) => item.fulfillment.quantityUnfulfilled > 0)
  order.fulfillment.fulfillmentStatus = left ? 'PARTIALLY_SHIPPED' : 'SHIPPED'
  return true
}

/** The models are about paths with versions in them: each is asked about its own. */
const about = (file: string, base: RegExp): VendorSpecification => ({
  kind: 'openapi',
  file: `amazon-spapi/${file}.json`,
  base,
})

const specifications: readonly VendorSpecification[] = [
  about('orders_2026-01-01', /^(?=\/orders\/2026-01-01)/),
  about('ordersV0', /^(?=\/orders\/v0)/),
  about('listingsItems_2021-08-01', /^(?=\/listings\/)/),
  about('sellers', /^(?=\/sellers\/)/),
]
