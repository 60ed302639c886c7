import type { Delivery } from '../../commerce/connector-webhooks.ts'
import { type Fields, isFields } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import type { PlatformStand, StandCall } from '../../commerce/stand.ts'
import { hmac } from '../../lib/hmac.ts'
import { makeBooks } from './stand-books.ts'
import { type Bulk, makeBulk } from './stand-bulk.ts'
import { carryOut, connection, isFound, readDocument } from './stand-graphql.ts'
import type { Books, Row } from './stand-records.ts'
import { mutationsOn } from './stand-writes.ts'

const shop = 'coffee-stand.myshopify.com'
const path = '/admin/api/2026-10/graphql.json'
const credentials = { access_token: 'shpat_right', refresh_token: 'shprt_right' }
const orderCount = 60

/** What one question may cost; pages of more orders are refused before they run. */
const mostCost = 1000
const costOfOrder = 60

export interface ShopifyStand extends PlatformStand {
  books: Books
  bulk: Bulk
  /** How many orders the shop says it has, where that is not the truth. */
  claims: number | undefined
}

export const makeStand = (): ShopifyStand => makeShop({})

export function makeShop({ claims }: { claims?: number }): ShopifyStand {
  const books = makeBooks(orderCount)
  const bulk = makeBulk(books)
  const used = new Set<string>()
  const stand: ShopifyStand = {
    claims,
    facts: { shop, settings: {} },
    credentials,
    wrong: { access_token: 'shpat_wrong', refresh_token: 'shprt_wrong' },
    typed: { access_token: 'shpat_right' },
    client: { client_id: 'us', client_secret: 'ours' },
    books,
    bulk,
    answer: (call) => answer(books, bulk, stand.claims, call),
    counts: { orders: orderCount, products: books.products.length, inventory: books.levels.length },
    openOrder() {
      const order = books.orders.find(
        (one) => one['displayFinancialStatus'] === 'PAID' && isUnsent(one) && !used.has(one.id),
      )
      if (!order) throw new Error('No order is left.')
      used.add(order.id)
      return order.id
    },
    statuses: { 402: 'away', 423: 'away', 430: 'throttled' },
    messages: (secret) => messagesOf(books, secret),
    secrets: (secret) => ({ registration: [], client: { client_id: 'us', client_secret: secret } }),
    doubles: () => doublesIn(books),
    specifications: [{ kind: 'graphql', file: 'shopify/admin-2026-10.graphql', path }],
  }
  return stand
}

const isUnsent = (order: Row): boolean =>
  order['displayFulfillmentStatus'] === 'UNFULFILLED' && order['cancelledAt'] === null

function answer(books: Books, bulk: Bulk, claims: number | undefined, { url, request }: StandCall): RemoteAnswer {
  const { hostname, pathname } = new URL(url)
  if (hostname !== shop) return bulk.download(url, request)
  if (pathname !== path) return { status: 404, headers: {}, body: { errors: 'Not Found' } }
  if (request.headers?.['x-shopify-access-token'] !== credentials.access_token) {
    return { status: 401, headers: {}, body: { errors: '[API] Invalid API key or access token' } }
  }
  const { query, variables } = isFields(request.body) ? request.body : {}
  const cost = { requestedQueryCost: 10, actualQueryCost: 5, throttleStatus }
  try {
    const document = readDocument(String(query), isFields(variables) ? variables : {})
    const wanted = document.selections.find(({ name }) => name === 'orders')
    const asked = wanted?.inner?.some(({ inner }) => inner?.some(({ name }) => name === 'lineItems'))
    const price = asked ? Number(wanted?.args['first']) * costOfOrder : 0
    if (price > mostCost) return said({ errors: [tooCostly(price)] })
    const root =
      document.kind === 'mutation' ? { ...mutationsOn(books), ...bulk.mutations } : rootOf(books, bulk, claims)
    return said({ data: carryOut(root, document.selections), extensions: { cost } })
  } catch (error) {
    return said({ errors: [{ message: error instanceof Error ? error.message : String(error) }], extensions: { cost } })
  }
}

const said = (body: Fields): RemoteAnswer => ({ status: 200, headers: { 'content-type': 'application/json' }, body })

const throttleStatus = { maximumAvailable: 2000, currentlyAvailable: 1995, restoreRate: 100 }

const tooCostly = (cost: number) => ({
  message: `Query cost is ${cost}, which exceeds the single query max cost limit (${mostCost}).`,
  extensions: { code: 'MAX_COST_EXCEEDED', cost, maxCost: mostCost },
})

function rootOf(books: Books, bulk: Bulk, claims: number | undefined): Fields {
  const byId =
    (list: () => readonly Row[]) =>
    ({ id }: Fields) =>
      list().find((one) => one.id === id) ?? null
  const searched = (list: () => readonly Row[], key: string) => (args: Fields) =>
    connection(
      () =>
        [...list()].sort((a, b) => (String(a[key]) < String(b[key]) ? -1 : 1) * (args['reverse'] === true ? -1 : 1)),
      (one, { query }) => isFound(one, query),
    )(args)
  const counted =
    (list: () => readonly Row[]) =>
    ({ query }: Fields) => ({
      count: claims ?? list().filter((one) => isFound(one, query)).length,
      precision: 'EXACT',
    })
  const items = () => books.products.flatMap((one) => one['list'] as Row[]).map((one) => one['inventoryItem'] as Row)
  const parcels = () => books.orders.flatMap((one) => one['parcels'] as Row[])
  return {
    __typename: 'QueryRoot',
    shop: { myshopifyDomain: shop, currencyCode: 'EUR' },
    currentAppInstallation: {
      accessScopes: ['write_orders', 'read_products', 'write_inventory', 'read_locations'].map((handle) => ({
        handle,
      })),
    },
    orders: searched(() => books.orders, 'updatedAt'),
    ordersCount: counted(() => books.orders),
    order: byId(() => books.orders),
    fulfillment: byId(parcels),
    fulfillmentOrder: byId(() => books.orders.map((one) => one['part'] as Row)),
    job: ({ id }: Fields) => ({ id, done: true }),
    nodes: ({ ids }: Fields) =>
      (ids as string[]).map((id) => [...books.orders, ...items()].find((one) => one.id === id) ?? null),
    products: searched(() => books.products, 'updatedAt'),
    productsCount: counted(() => books.products),
    product: byId(() => books.products),
    productVariants: searched(() => books.products.flatMap((one) => one['list'] as Row[]), 'id'),
    locations: searched(() => books.places, 'id'),
    location: ({ id }: Fields) => (id == null ? books.places[0] : (books.places.find((one) => one.id === id) ?? null)),
    webhookSubscriptions: searched(() => books.hooks, 'id'),
    bulkOperation: bulk.operation,
  }
}

function messagesOf(books: Books, secret: string): Delivery[] {
  const [first = { id: '' }] = books.orders
  const id = Number(first.id.split('/').at(-1))
  const bodies: [topic: string, body: Fields][] = [
    ['orders/updated', { id, updated_at: '2026-11-01T10:00:00+01:00' }],
    ['fulfillments/create', { id: 1, order_id: id }],
    ['products/delete', { id: 7 }],
    ['inventory_levels/update', { inventory_item_id: 3, location_id: 1 }],
    ['app/uninstalled', { id: 1, myshopify_domain: shop }],
    ['customers/redact', { shop_domain: shop, customer: { id: 5, email: 'ada@example.com' }, orders_to_redact: [id] }],
  ]
  return bodies.map(([topic, body], n) => {
    const raw = Buffer.from(JSON.stringify(body))
    return {
      method: 'POST',
      headers: {
        'x-shopify-topic': topic,
        'x-shopify-shop-domain': shop,
        'x-shopify-webhook-id': `message-${n}`,
        'x-shopify-triggered-at': '2026-11-01T09:00:01.123456789Z',
        'x-shopify-hmac-sha256': hmac(raw, secret, 'base64'),
      },
      query: {},
      raw,
    }
  })
}

function doublesIn({ orders, products }: Books): string[] {
  const references = orders.flatMap(({ sourceIdentifier }) => (sourceIdentifier ? [`order ${sourceIdentifier}`] : []))
  const parcels = orders.flatMap((one) =>
    (one['parcels'] as Row[]).map(
      (parcel) => `parcel ${one.id} ${(parcel['trackingInfo'] as Fields[])[0]?.['number']}`,
    ),
  )
  const skus = products.flatMap((one) => (one['list'] as Row[]).map(({ sku }) => `article ${sku}`))
  const all = [...references, ...parcels, ...skus]
  return all.filter((one, n) => all.indexOf(one) !== n)
}
