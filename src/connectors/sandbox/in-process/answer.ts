import { digitsOf, toMinorUnits } from '../../../commerce/money.ts'
import { isFields } from '../../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../../commerce/remote.ts'
import type { ShopFacts } from '../../../commerce/shop.ts'
import { at, lineOf, type ShopOrder, type ShopState, stockShop, sums } from './goods.ts'

/**
 * The shop's own side: answers requests as a shop over HTTP would, from memory. It is handed whatever a proxied call
 * contains, so it trusts nothing.
 */
const shops = new Map<string, ShopState>()
const maxShops = 500

/** As after a restart of the process: what was changed in them is gone. */
export const forgetShops = (): void => shops.clear()

interface Facts {
  seed?: string | undefined
  orders?: number | undefined
}

function shopOf({ shop, settings }: ShopFacts<Facts>): ShopState {
  const count = settings.orders ?? 25
  const name = `${settings.seed ?? shop}|${count}`
  const known = shops.get(name)
  if (known) return known
  // The oldest goes: it is a playground, and must not fill the memory of a server that hosts many.
  for (const oldest of shops.keys()) {
    if (shops.size < maxShops) break
    shops.delete(oldest)
  }
  const made = stockShop(settings.seed ?? shop, count)
  shops.set(name, made)
  return made
}

const reply = (status: number, body: unknown): RemoteAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  // As over a wire: what the shop changes later does not change what it has said.
  body: structuredClone(body),
})
const no = (status: number, error: string) => reply(status, { error })

type Route = [method: string, pattern: RegExp, handle: (shop: ShopState, request: Asked) => RemoteAnswer]

interface Asked {
  id: string
  query: NonNullable<RemoteRequest['query']>
  body: Readonly<Record<string, unknown>>
}

const routes: readonly Route[] = [
  ['GET', /^\/shop$/, (shop) => reply(200, { orders: shop.orders.size, products: shop.products.size })],
  ['GET', /^\/orders$/, (shop, { query }) => reply(200, page(ordersIn(shop, query), query))],
  ['POST', /^\/orders$/, createOrder],
  ['POST', /^\/orders\/acknowledge$/, acknowledgeOrders],
  ['GET', /^\/orders\/([^/]+)$/, (shop, { id }) => found(shop.orders.get(id))],
  ['POST', /^\/orders\/([^/]+)\/cancel$/, cancelOrder],
  ['POST', /^\/orders\/([^/]+)\/shipments$/, createShipment],
  ['GET', /^\/products$/, (shop, { query }) => reply(200, page(changedIn(shop.products, query), query))],
  [
    'GET',
    /^\/products\/([^/]+)$/,
    ({ products }, { id }) => found([...products.values()].find((one) => one.id === id)),
  ],
  ['PUT', /^\/products$/, putProduct],
  ['GET', /^\/inventory$/, (shop, { query }) => reply(200, page(changedIn(shop.products, query), query))],
  ['PUT', /^\/inventory$/, setInventory],
]

export async function answer(request: RemoteRequest, facts: ShopFacts<Facts>): Promise<RemoteAnswer> {
  const key = request.headers?.['x-api-key'] ?? ''
  if (key === '' || key.startsWith('bad')) return no(401, 'The key is not valid.')
  const [path = ''] = request.path.split('?')
  for (const [method, pattern, handle] of routes) {
    const match = method === request.method ? pattern.exec(path) : null
    if (!match) continue
    const body = isFields(request.body) ? request.body : {}
    return handle(shopOf(facts), { id: decoded(match[1]), query: request.query ?? {}, body })
  }
  return no(404, 'There is nothing here.')
}

const found = (record: unknown) => (record === undefined ? no(404, 'There is no such record.') : reply(200, record))

function decoded(segment = ''): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

/** The next moment of a shop without a clock. */
const now = (shop: ShopState): string => at(++shop.seconds)

const textOf = (value: unknown, fallback: string | null = null): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 2000) : fallback

function changedIn<T extends { updated_at: string }>(records: Map<string, T>, query: Asked['query']): T[] {
  const since = textOf(query['updated_since'], '') ?? ''
  const rows = [...records.values()].filter(({ updated_at }) => updated_at >= since)
  return rows.sort((a, b) => (a.updated_at < b.updated_at ? -1 : a.updated_at > b.updated_at ? 1 : 0))
}

/** The words of the filter may be the shop's own, or those of our order model. */
const words: Readonly<Record<ShopOrder['status'], readonly string[]>> = {
  awaiting_payment: ['pending'],
  awaiting_shipment: ['open', 'unfulfilled'],
  partly_shipped: ['open', 'partial'],
  shipped: ['completed', 'fulfilled'],
  delivered: ['completed'],
  cancelled: [],
}

function ordersIn(shop: ShopState, query: Asked['query']): ShopOrder[] {
  const wanted = [query['status'] ?? []].flat().map((status) => String(status).toLowerCase())
  const rows = changedIn(shop.orders, query)
  if (wanted.length === 0) return rows
  return rows.filter(({ status }) => wanted.includes(status) || words[status].some((word) => wanted.includes(word)))
}

/** A cursor is the place in the list. */
function page(rows: readonly unknown[], query: Asked['query']) {
  const start = Math.max(0, Number.parseInt(String(query['cursor'] ?? '0'), 10) || 0)
  const limit = Math.min(250, Math.max(1, Number.parseInt(String(query['limit'] ?? '50'), 10) || 50))
  const end = start + limit
  return { items: rows.slice(start, end), next: end < rows.length ? String(end) : null, total: rows.length }
}

/** Decimal text in minor units, or null if it is none. */
function minor(amount: unknown, currency: string): number | null {
  if (typeof amount !== 'string' || !/^\d{1,12}(\.\d{1,6})?$/.test(amount)) return null
  const [whole = '0', fraction = ''] = amount.split('.')
  return toMinorUnits({ amount: `${whole}.${fraction.slice(0, digitsOf(currency)).padEnd(1, '0')}`, currency })
}

function createOrder(shop: ShopState, { body }: Asked): RemoteAnswer {
  const reference = textOf(body['reference'])
  const same = [...shop.orders.values()].find((order) => reference !== null && order.reference === reference)
  if (same) return reply(200, same)
  if (shop.orders.size >= 10_000) return no(422, 'The shop is full.')
  const currency = textOf(body['currency'], 'EUR') ?? 'EUR'
  const number = 1001 + shop.orders.size
  const lines = (Array.isArray(body['lines']) ? body['lines'] : []).filter(isFields).map((line, index) => {
    const sku = textOf(line['sku'], '') ?? ''
    const product = shop.products.get(sku)
    return lineOf({
      id: `${number}-${index + 1}`,
      sku,
      title: textOf(line['title'], product?.title ?? sku) ?? sku,
      quantity: typeof line['quantity'] === 'number' ? line['quantity'] : 1,
      unit_price: minor(line['unit_price'], currency) ?? product?.price ?? 0,
    })
  })
  if (lines.length === 0 || lines.some(({ sku }) => sku === '')) return no(422, 'An order has lines, and each a sku.')
  const buyer = isFields(body['customer']) ? body['customer'] : {}
  const shipping = isFields(body['shipping_address']) ? body['shipping_address'] : {}
  const placed = now(shop)
  const order: ShopOrder = {
    id: String(number),
    number: `S-${number}`,
    status: 'awaiting_shipment',
    reference,
    currency,
    ...sums(lines, 0),
    shipping_method: 'standard',
    buyer: {
      id: textOf(buyer['remote_id']),
      email: textOf(buyer['email']),
      first_name: textOf(buyer['first_name']),
      last_name: textOf(buyer['last_name']),
    },
    ship_to: addressOf(shipping),
    bill_to: addressOf(isFields(body['billing_address']) ? body['billing_address'] : shipping),
    lines,
    shipments: [],
    note: textOf(body['note']),
    acknowledged: false,
    placed_at: placed,
    cancelled_at: null,
    cancel_reason: null,
    updated_at: placed,
  }
  shop.orders.set(order.id, order)
  return reply(201, order)
}

const addressOf = (given: Readonly<Record<string, unknown>>): ShopOrder['ship_to'] => ({
  name: textOf(given['name']),
  street: textOf(given['line1']),
  city: textOf(given['city']),
  zip: textOf(given['postal_code']),
  country: textOf(given['country_code']),
})

function cancelOrder(shop: ShopState, { id, body }: Asked): RemoteAnswer {
  const order = shop.orders.get(id)
  if (!order) return no(404, 'There is no such order.')
  if (order.shipments.length > 0) return no(422, 'The order has been shipped.')
  if (order.status !== 'cancelled') {
    order.status = 'cancelled'
    for (const line of order.lines) line.cancelled = line.quantity
    order.cancelled_at = order.updated_at = now(shop)
    order.cancel_reason = textOf(body['reason'])
  }
  return reply(200, order)
}

function acknowledgeOrders(shop: ShopState, { body }: Asked): RemoteAnswer {
  const asked = Array.isArray(body['orders']) ? body['orders'] : []
  const known = asked.map((id) => shop.orders.get(String(id))).filter((order) => order !== undefined)
  for (const order of known) {
    if (order.acknowledged) continue
    order.acknowledged = true
    order.updated_at = now(shop)
  }
  return reply(200, { items: known.map(({ id }) => id), next: null, total: known.length })
}

function createShipment(shop: ShopState, { id, body }: Asked): RemoteAnswer {
  const order = shop.orders.get(id)
  const number = textOf(body['tracking_number'])
  const carrier = textOf(body['carrier'])
  if (!order) return no(404, 'There is no such order.')
  if (order.status === 'cancelled') return no(422, 'The order has been cancelled.')
  if (number === null || carrier === null) return no(422, 'A parcel has a tracking number and a carrier.')
  const same = order.shipments.find((shipment) => shipment.tracking_number === number)
  if (same) return reply(200, same)
  const parts = partsOf(order, body['lines'])
  if (!parts) return no(422, 'More is to be sent than is left.')
  const shipped = now(shop)
  for (const { line, quantity } of parts) {
    const sent = order.lines.find(({ id }) => id === line)
    if (sent) sent.shipped += quantity
  }
  const shipment = {
    id: `s${order.id}-${order.shipments.length + 1}`,
    tracking_number: number,
    carrier,
    tracking_url: textOf(body['tracking_url']),
    shipped_at: shipped,
    delivered: false,
    lines: parts,
  }
  order.shipments.push(shipment)
  if (order.status !== 'delivered')
    order.status = order.lines.every((line) => line.shipped >= line.quantity) ? 'shipped' : 'partly_shipped'
  order.updated_at = shipped
  return reply(201, shipment)
}

/** What goes into a parcel: the lines named, or all that is left. Null if that is more than there is. */
function partsOf(order: ShopOrder, given: unknown): { line: string; quantity: number }[] | null {
  const left = new Map(order.lines.map(({ id, quantity, shipped }) => [id, quantity - shipped]))
  const named = (Array.isArray(given) ? given : []).filter(isFields)
  if (named.length === 0) {
    return [...left].flatMap(([line, quantity]) => (quantity > 0 ? [{ line, quantity }] : []))
  }
  const parts = named.map((part) => ({
    line: String(part['order_line_remote_id']),
    quantity: Number(part['quantity']),
  }))
  return parts.every(({ line, quantity }) => quantity > 0 && quantity <= (left.get(line) ?? 0)) ? parts : null
}

function putProduct(shop: ShopState, { body }: Asked): RemoteAnswer {
  const sku = textOf(body['sku'])
  const currency = textOf(body['currency'], 'EUR') ?? 'EUR'
  const price = minor(body['price'], currency)
  if (sku === null || price === null) return no(422, 'A product has a sku and a price.')
  const known = shop.products.get(sku)
  if (!known && shop.products.size >= 10_000) return no(422, 'The shop is full.')
  const product = {
    id: known?.id ?? `p${shop.products.size + 1}`,
    sku,
    title: textOf(body['title'], known?.title ?? sku) ?? sku,
    description: textOf(body['description_html'], known?.description ?? null),
    price,
    currency,
    stock: typeof body['quantity'] === 'number' ? body['quantity'] : (known?.stock ?? 0),
    visible: (body['status'] ?? 'active') === 'active',
    images: (Array.isArray(body['images']) ? body['images'] : []).filter(isFields).flatMap((image) => {
      const url = textOf(image['url'])
      return url === null ? [] : [{ url, alt: textOf(image['alt']) }]
    }),
    updated_at: now(shop),
  }
  shop.products.set(sku, product)
  return reply(known ? 200 : 201, product)
}

function setInventory(shop: ShopState, { body }: Asked): RemoteAnswer {
  const items = (Array.isArray(body['items']) ? body['items'] : []).filter(isFields)
  const known: string[] = []
  for (const { sku, quantity } of items) {
    const product = shop.products.get(String(sku))
    if (!product || typeof quantity !== 'number') continue
    known.push(product.sku)
    if (product.stock === quantity) continue
    product.stock = quantity
    product.updated_at = now(shop)
  }
  return reply(200, { items: known, next: null, total: known.length })
}
