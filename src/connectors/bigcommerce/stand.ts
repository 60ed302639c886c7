import type { Delivery } from '../../commerce/connector-webhooks.ts'
import { type Fields, isFields } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import type { PlatformStand, StandCall, VendorSpecification } from '../../commerce/stand.ts'
import { hmac } from '../../lib/hmac.ts'
import { answers } from './stand-answers.ts'
import { type Books, makeBooks } from './stand-records.ts'

const orderCount = 70

export interface BigStand extends PlatformStand {
  books: Books
}

export function makeStand(): BigStand {
  const books = makeBooks(orderCount)
  const used = new Set<number>()
  return {
    books,
    facts: { shop: 'store-abc123.mybigcommerce.com', settings: {} },
    credentials: { access_token: 'right' },
    wrong: { access_token: 'wrong' },
    typed: { access_token: 'right' },
    client: { client_id: 'us', client_secret: 'ours' },
    answer: (call) => answer(books, call),
    counts: { orders: orderCount, products: books.products.length, inventory: books.levels.length },
    openOrder() {
      const order = books.orders.find((one) => one['status_id'] === 11 && !used.has(one.id))
      if (!order) throw new Error('No order is left.')
      used.add(order.id)
      return String(order.id)
    },
    messages: (secret) => messagesOf(books, secret),
    secrets: (secret) => ({ registration: [], client: { client_id: 'us', client_secret: secret } }),
    doubles: () => doublesIn(books),
    specifications,
  }
}

function answer(books: Books, { url, request }: StandCall): RemoteAnswer {
  const path = new URL(url).pathname.replace('/stores/abc123', '')
  if (request.headers?.['x-auth-token'] !== 'right')
    return { status: 401, headers: {}, body: { status: 401, title: 'No.' } }
  const ids = [...path.matchAll(/(?<=\/)\d+(?=\/|$)/g)].map(([id]) => Number(id))
  const handle = answers[`${request.method} ${path.replace(/(?<=\/)\d+(?=\/|$)/g, '#')}`]
  if (!handle) return { status: 404, headers: {}, body: { status: 404, title: 'Not found' } }
  const body = isFields(request.body) ? request.body : {}
  const told = handle({ books, ids, body, query: (request.query ?? {}) as Fields })
  return { ...told, headers: limits }
}

const limits = {
  'x-rate-limit-time-window-ms': '30000',
  'x-rate-limit-time-reset-ms': '15000',
  'x-rate-limit-requests-quota': '150',
  'x-rate-limit-requests-left': '149',
}

function messagesOf(books: Books, secret: string): Delivery[] {
  const id = books.orders[0]?.id
  const events: [scope: string, data: Fields][] = [
    ['store/order/updated', { type: 'order', id }],
    ['store/shipment/created', { type: 'shipment', id: 12, orderId: id }],
    ['store/sku/inventory/updated', { type: 'sku', id: 5, inventory: { product_id: 2, variant_id: 3, value: 4 } }],
    ['store/app/uninstalled', { type: 'app', id: 1 }],
  ]
  return events.map(([scope, data], n) => {
    const body = { scope, store_id: '1', data, hash: `hash-${n}`, created_at: 1_793_000_000, producer: 'stores/abc123' }
    const raw = Buffer.from(JSON.stringify(body))
    const signature = hmac(Buffer.concat([Buffer.from(`m${n}.1793000000.`), raw]), secret, 'base64')
    return {
      method: 'POST',
      headers: { 'webhook-id': `m${n}`, 'webhook-timestamp': '1793000000', 'webhook-signature': `v1,${signature}` },
      query: {},
      raw,
    }
  })
}

function doublesIn({ orders, parcels, variants }: Books): string[] {
  const all = [
    ...orders.flatMap(({ external_order_id: reference }) => (reference ? [`order ${reference}`] : [])),
    ...parcels.map((one) => `parcel ${one['order_id']} ${one['tracking_number']} ${one['order_address_id']}`),
    ...variants.map(({ sku }) => `article ${sku}`),
  ]
  return all.filter((one, n) => all.indexOf(one) !== n)
}

const lists = {
  because: 'Lists are one parameter with commas (style form, not exploded), which is told to be an array.',
}

/** Several files are about paths below v3: each is asked about its own. */
const about = (
  file: string,
  paths: string,
  wrong: { report: RegExp; because: string }[] = [],
): VendorSpecification => ({
  kind: 'openapi',
  file: `bigcommerce/${file}`,
  base: new RegExp(`^/stores/abc123/v\\d(?=${paths})`),
  wrong,
})

const specifications: readonly VendorSpecification[] = [
  about('orders.v2.oas2.yml', '/orders', [
    { report: /: sort must be equal to one of/, because: 'The same file says that ":asc" may be added.' },
  ]),
  about('store_information.v2.yml', '/store'),
  about('products_catalog.v3.yml', '/catalog/products(?!/\\d+/variants)', [
    { report: /: include\/0 must be equal/, ...lists },
  ]),
  about('product-variants_catalog.v3.yml', '/catalog/(?:variants|products/\\d+/variants)'),
  about('brands_catalog.v3.yml', '/catalog/brands', [{ report: /: id:in/, ...lists }]),
  about('inventory.v3.yml', '/inventory/(?:items|adjustments|locations/\\d+/items)'),
  about('locations.v3.yml', '/inventory/locations$'),
  about('webhooks.v3.yml', '/hooks', [
    { report: /GET \/hooks: answer\/data must NOT have fewer/, because: 'A store without webhooks has none to tell.' },
  ]),
]
