import { type Fields, isFields } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import type { PlatformStand, StandCall, VendorSpecification } from '../../commerce/stand.ts'
import { acknowledge, cancel, listOrders, refusal, reply, ship } from './stand-orders.ts'
import { type Books, makeBooks } from './stand-records.ts'

const orderCount = 72
const itemCount = 64

interface WalmartStand extends PlatformStand {
  books: Books
}

export function makeStand(): WalmartStand {
  const books = makeBooks({ orders: orderCount, items: itemCount })
  const used = new Set<string>()
  const numbers = new Set<string>()
  return {
    books,
    facts: { shop: '100009.walmart.com', settings: { tracking_url: 'https://parcels.example.com/?id={number}' } },
    credentials: { client_id: 'right', client_secret: 'secret', access_token: 'token' },
    wrong: { client_id: 'right', client_secret: 'secret', access_token: 'wrong' },
    typed: { client_id: 'right', client_secret: 'secret' },
    client: {},
    answer: (call) => answer(books, numbers, call),
    counts: {
      orders: orderCount,
      products: books.items.filter((item) => item['variantGroupId'] === undefined).length + 2,
      inventory: books.levels.reduce((count, { nodes }) => count + nodes.length, 0),
    },
    openOrder() {
      const order = books.orders.find(
        ({ purchaseOrderId: id, orderLines: { orderLine: lines } }) =>
          !used.has(id) &&
          lines.every((line) => line.orderLineStatuses.orderLineStatus.every(({ status }) => status === 'Created')),
      )
      if (!order) throw new Error('No order is left.')
      used.add(order.purchaseOrderId)
      return order.purchaseOrderId
    },
    doubles: () => books.orders.flatMap(doublesIn),
    specifications,
  }
}

/** More was sent or cancelled of a line than it has. */
const doublesIn = ({ purchaseOrderId: id, orderLines: { orderLine: lines } }: Books['orders'][number]): string[] =>
  lines.flatMap((line) => {
    const count = line.orderLineStatuses.orderLineStatus.reduce(
      (sum, one) => sum + Number(one.statusQuantity.amount),
      0,
    )
    return count === Number((line['orderLineQuantity'] as Fields)['amount']) ? [] : [`${id} ${line.lineNumber}`]
  })

function answer(books: Books, numbers: Set<string>, { url, request }: StandCall): RemoteAnswer {
  const { pathname } = new URL(url)
  const { headers = {}, method } = request
  const number = headers['wm_qos.correlation_id'] ?? ''
  if (headers['wm_svc.name'] !== 'Walmart Marketplace' || number === '' || numbers.has(number)) {
    return refusal(400, 'INVALID_REQUEST_HEADER', 'A header is missing, or its number has been used.')
  }
  numbers.add(number)
  if (pathname === '/v3/token') return token(headers['authorization'], request.body)
  if (headers['wm_sec.access_token'] !== 'token') return refusal(401, 'UNAUTHORIZED.GMP_GATEWAY_API', 'Unauthorized')
  const query = (request.query ?? {}) as Fields
  const body = isFields(request.body) ? request.body : {}
  if (pathname === '/v3/token/detail') return reply(tokenDetail)
  if (pathname === '/v3/orders') return listOrders(books, query)
  const [, id, verb] = /^\/v3\/orders\/(\d+)(?:\/(\w+))?$/.exec(pathname) ?? []
  if (id) {
    const order = books.orders.find((one) => one.purchaseOrderId === id)
    if (!order) return refusal(404, 'INVALID_REQUEST_CONTENT.GMP_ORDER_API', 'The order is unknown.')
    if (verb === undefined) return reply({ order })
    const change = { acknowledge, cancel, shipping: ship }[verb]
    return change ? change(books, order, body) : refusal(404, 'NOT_FOUND', 'Not found')
  }
  if (pathname === '/v3/items') return listItems(books, query)
  const [, sku] = /^\/v3\/items\/(.+)$/.exec(pathname) ?? []
  if (sku) {
    const found = books.items.filter((item) => item['sku'] === decodeURIComponent(sku))
    return found.length > 0 ? reply({ ItemResponse: found, totalItems: 1 }) : noItem
  }
  if (pathname === '/v3/inventories') return listLevels(books, query)
  return pathname === '/v3/inventory' && method === 'PUT'
    ? setLevel(books, query, body)
    : refusal(404, 'NOT_FOUND', 'No.')
}

const noItem = refusal(404, 'CONTENT_NOT_FOUND.GMP_ITEM_QUERY_API', 'No item found')

const tokenDetail = {
  expire_at: '1560973098000',
  issued_at: '1560972198000',
  is_valid: true,
  is_channel_match: true,
  scopes: { orders: 'full_access', item: 'view_only', inventory: 'full_access', price: 'no_access' },
}

function token(authorization: string | undefined, body: unknown): RemoteAnswer {
  const right = `Basic ${Buffer.from('right:secret').toString('base64')}`
  if (body !== 'grant_type=client_credentials') return refusal(400, 'INVALID', 'The grant is unknown.')
  if (authorization !== right) return refusal(401, 'UNAUTHORIZED.GMP_GATEWAY_API', 'Unauthorized')
  return reply({ access_token: 'token', token_type: 'Bearer', expires_in: 900 })
}

function listItems(books: Books, { nextCursor, limit, variantGroupId: group }: Fields): RemoteAnswer {
  const items = books.items.filter((item) => group == null || item['variantGroupId'] === group)
  const start = nextCursor === '*' ? 0 : Number(nextCursor)
  const end = start + Number(limit ?? 20)
  const some = items.slice(start, end)
  if (some.length === 0) return noItem
  return reply({ ItemResponse: some, totalItems: items.length, nextCursor: String(end) })
}

const quantity = (amount: number) => ({ unit: 'EACH', amount })

function listLevels({ levels }: Books, { nextCursor, limit }: Fields): RemoteAnswer {
  const start = Number(nextCursor ?? 0)
  const end = start + Number(limit ?? 10)
  const inventories = levels.slice(start, end).map(({ sku, nodes }) => ({
    sku,
    nodes: nodes.map(({ shipNode, inputQty, reserved }) => ({
      shipNode,
      inputQty: quantity(inputQty),
      availToSellQty: quantity(inputQty - reserved),
      reservedQty: quantity(reserved),
    })),
  }))
  const meta = { totalCount: levels.length, ...(end < levels.length ? { nextCursor: String(end) } : {}) }
  return reply({ meta, elements: { inventories } })
}

function setLevel({ levels }: Books, { sku, shipNode }: Fields, body: Fields): RemoteAnswer {
  const nodes = levels.find((one) => one.sku === sku)?.nodes ?? []
  const node = shipNode == null ? nodes[0] : nodes.find((one) => one.shipNode === shipNode)
  const amount = isFields(body['quantity']) ? body['quantity']['amount'] : null
  if (!node || typeof amount !== 'number' || body['sku'] !== sku) {
    return refusal(404, 'CONTENT_NOT_FOUND.GMP_INVENTORY_API', 'The item is unknown.')
  }
  node.inputQty = amount
  return reply({ sku, quantity: quantity(amount) })
}

const about = (
  file: string,
  paths: string,
  wrong: { report: RegExp; because: string }[] = [],
): VendorSpecification => ({
  kind: 'openapi',
  file: `walmart/us-mp-${file}.json`,
  base: new RegExp(`^(?=/v3/${paths})`),
  wrong,
})

const specifications: readonly VendorSpecification[] = [
  about('auth', 'token'),
  about('orders', 'orders', [
    {
      report: /GET \/v3\/orders\/\{purchaseOrderId\}: answer must have/,
      because: 'Its own sample has the order under a name.',
    },
    {
      report: /\/orderLine\/\d+ must have required property 'refunds'/,
      because: 'The lines of refunds stand where those of orders and parcels should.',
    },
  ]),
  about('items', 'items', [
    { report: /\/price\/amount must be string/, because: 'Its own samples have numbers.' },
    { report: /\/groupingAttributes must be object/, because: 'Its own sample has a list there.' },
  ]),
  about('inventory', 'inventor', [
    { report: /answer\/elements\/inventories must be object/, because: 'Its own sample has a list there.' },
  ]),
]
