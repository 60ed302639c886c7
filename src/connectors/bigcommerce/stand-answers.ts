import type { Fields } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import {
  addOrder,
  addParcel,
  addProduct,
  addVariant,
  type Books,
  isoTime,
  type Row,
  setStatus,
} from './stand-records.ts'

/** What the stand answers, by method and path. */

export interface Asked {
  books: Books
  query: Fields
  body: Fields
  /** The ids in the path. */
  ids: readonly number[]
}

const said = (body: unknown, status = 200): RemoteAnswer => ({ status, headers: {}, body })
const nothing: RemoteAnswer = { status: 204, headers: {}, body: null }
const missing = said([{ status: 404, message: 'The requested resource was not found.' }], 404)
const gone = said({ status: 404, title: 'Not found', type: 'x', errors: {} }, 404)
const wrong = (title: string, status = 422) => said({ status, title, type: 'x', errors: {} }, status)

const pageOf = (rows: readonly unknown[], { page = 1, limit = 50 }: Fields) => {
  const [number, size] = [Number(page), Number(limit)]
  return { some: rows.slice((number - 1) * size, number * size), number, size }
}

/** v2: the rows themselves, and no body where there are none. */
function listed(rows: readonly unknown[], query: Fields): RemoteAnswer {
  const { some } = pageOf(rows, query)
  return some.length === 0 ? nothing : said(some)
}

function paged(rows: readonly unknown[], query: Fields): RemoteAnswer {
  const { some, number, size } = pageOf(rows, query)
  const pagination = {
    total: rows.length,
    count: some.length,
    per_page: size,
    current_page: number,
    total_pages: Math.ceil(rows.length / size),
  }
  return said({ data: some, meta: { pagination } })
}

const changedWithin = (time: unknown, from: unknown, until: unknown): boolean =>
  (from == null || Date.parse(String(time)) >= Date.parse(String(from))) &&
  (until == null || Date.parse(String(time)) <= Date.parse(String(until)))

const byTime = (a: Row, b: Row) =>
  Date.parse(String(a['date_modified'])) - Date.parse(String(b['date_modified'])) || a.id - b.id

function told(books: Books, order: Row): Fields {
  const lines = books.lines.filter((line) => line['order_id'] === order.id)
  const shipping = books.addresses
    .filter((one) => one['order'] === order.id)
    .map(({ order: _, ...one }) => ({
      ...one,
      line_items: lines.filter((line) => line['order_address_id'] === one.id),
    }))
  return { ...order, consignments: { shipping, pickups: [], downloads: [], email: { gift_certificates: [] } } }
}

const orderOf = ({ books, ids }: Asked) => books.orders.find((one) => one.id === ids[0])
const withVariants = (books: Books, product: Row) => ({
  ...product,
  variants: books.variants.filter((one) => one['product_id'] === product.id),
})

type Answers = Readonly<Record<string, (asked: Asked) => RemoteAnswer>>

export const answers: Answers = {
  'GET /v2/store': () =>
    said({ id: 'abc123', currency: 'EUR', weight_units: 'KGS', secure_url: 'https://pans.example.com' }),

  'GET /v2/orders': ({ books, query }) => {
    const rows = books.orders
      .filter((one) => changedWithin(one['date_modified'], query['min_date_modified'], query['max_date_modified']))
      .filter((one) => query['external_order_id'] == null || one['external_order_id'] === query['external_order_id'])
      .sort(byTime)
    return listed(
      rows.map((one) => told(books, one)),
      query,
    )
  },
  'GET /v2/orders/#': (asked) => {
    const order = orderOf(asked)
    return order ? said(told(asked.books, order)) : missing
  },
  'PUT /v2/orders/#': (asked) => {
    const order = orderOf(asked)
    if (!order) return missing
    setStatus(asked.books, order, Number(asked.body['status_id']))
    return said(order)
  },
  'POST /v2/orders': ({ books, body }) => {
    if (typeof (body['billing_address'] as Fields | undefined)?.['zip'] !== 'string') {
      return said([{ status: 400, message: 'The required field zip is missing.' }], 400)
    }
    const lines = (body['products'] as Fields[]).map((one) => ({
      variant: (books.variants.find(({ id }) => id === one['variant_id']) ?? {
        id: 0,
        sku: one['sku'],
        name: one['name'],
      }) as Row,
      quantity: Number(one['quantity']),
      price: Number(one['price_ex_tax']),
    }))
    const order = addOrder(books, { statusId: Number(body['status_id']), payment: '', minute: books.next(), lines })
    const { external_order_id: reference = '', customer_message: note = '' } = body
    return said(Object.assign(order, { external_order_id: reference, customer_message: note }))
  },
  'GET /v2/orders/#/shipments': ({ books, query, ids }) =>
    listed(
      books.parcels.filter((one) => one['order_id'] === ids[0]),
      query,
    ),
  'POST /v2/orders/#/shipments': (asked) => {
    const order = orderOf(asked)
    if (!order) return missing
    const { books, body } = asked
    for (const { order_product_id: id, quantity } of body['items'] as Fields[]) {
      const line = books.lines.find((one) => one.id === id && one['order_address_id'] === body['order_address_id'])
      if (!line || Number(quantity) > Number(line['quantity']) - Number(line['quantity_shipped'])) {
        return said([{ status: 400, message: `The quantity specified for order product ${id} is too large.` }], 400)
      }
    }
    return said(addParcel(books, order, body), 201)
  },

  'GET /v3/catalog/products': ({ books, query }) => {
    const rows = books.products
      .filter((one) => changedWithin(one['date_modified'], query['date_modified:min'], query['date_modified:max']))
      .sort(byTime)
    return paged(
      rows.map((one) => withVariants(books, one)),
      query,
    )
  },
  'GET /v3/catalog/products/#': ({ books, ids }) => {
    const product = books.products.find((one) => one.id === ids[0])
    return product ? said({ data: withVariants(books, product), meta: {} }) : gone
  },
  'POST /v3/catalog/products': ({ books, body }) => {
    if (books.variants.some((one) => one['sku'] === body['sku'])) return wrong('The product sku is a duplicate', 409)
    const product = addProduct(books, { ...body, images: [] })
    const variant = addVariant(books, product, { sku: body['sku'], inventory_level: body['inventory_level'] ?? 0 })
    books.levels.push({ variant, place: 1, held: Number(body['inventory_level'] ?? 0), safety: 0 })
    return said({ data: withVariants(books, product), meta: {} })
  },
  'PUT /v3/catalog/products/#': ({ books, ids, body }) => {
    const product = books.products.find((one) => one.id === ids[0])
    if (!product) return gone
    return said({ data: Object.assign(product, body, { date_modified: isoTime(books.next()) }), meta: {} })
  },
  'PUT /v3/catalog/products/#/variants/#': ({ books, ids, body }) => {
    const variant = books.variants.find((one) => one.id === ids[1] && one['product_id'] === ids[0])
    return variant ? said({ data: Object.assign(variant, body), meta: {} }) : gone
  },
  'GET /v3/catalog/variants': ({ books, query }) =>
    paged(
      books.variants.filter((one) => one['sku'] === query['sku']),
      query,
    ),
  'GET /v3/catalog/brands': ({ query }) => paged(query['id:in'] === '7' ? [{ id: 7, name: 'Forge' }] : [], query),

  'GET /v3/inventory/locations': ({ query }) => {
    const rows = [1, 2].map((id) => ({ id, code: `PLACE-${id}`, label: `Place ${id}`, enabled: true }))
    return paged(query['is_default'] ? rows.slice(0, 1) : rows, query)
  },
  'GET /v3/inventory/locations/#/items': ({ books, query, ids }) =>
    paged(
      books.levels
        .filter(({ place }) => place === ids[0])
        .map(({ variant, ...one }) => ({ identity: identityOf(variant), ...levelOf(one) })),
      query,
    ),
  'GET /v3/inventory/items': ({ books, query }) => {
    const skus = String(query['sku:in']).split(',')
    const rows = books.variants
      .filter((one) => skus.includes(String(one['sku'])))
      .map((variant) => ({
        identity: identityOf(variant),
        locations: books.levels
          .filter((one) => one.variant === variant)
          .map((one) => ({ location_id: one.place, ...levelOf(one) })),
      }))
    return paged(rows, query)
  },
  'PUT /v3/inventory/adjustments/absolute': ({ books, body }) => {
    const items = body['items'] as Fields[]
    for (const one of items) {
      const variant = books.variants.find(({ id }) => id === one['variant_id'])
      const product = books.products.find(({ id }) => id === (variant?.['product_id'] ?? one['product_id']))
      if (!product) return wrong('[Item was not found]')
      if (variant && product['inventory_tracking'] === 'product') {
        return wrong(`[Item with variant_id ${variant.id} is tracked by product, please update stock by product id]`)
      }
    }
    for (const one of items) setLevel(books, one)
    return said({ transaction_id: 't1' })
  },

  'GET /v3/hooks': ({ books, query }) => paged(books.hooks, query),
  'POST /v3/hooks': ({ books, body }) => {
    const hook: Row = { id: books.next(), client_id: 'us', store_hash: 'abc123', ...body, created_at: 1, updated_at: 1 }
    books.hooks.push(hook)
    return said({ data: hook, meta: {} })
  },
  'PUT /v3/hooks/#': ({ books, ids, body }) => {
    const hook = books.hooks.find((one) => one.id === ids[0])
    return hook ? said({ data: Object.assign(hook, body), meta: {} }) : gone
  },
  'DELETE /v3/hooks/#': ({ books, ids }) => {
    const at = books.hooks.findIndex((one) => one.id === ids[0])
    if (at < 0) return gone
    const [hook] = books.hooks.splice(at, 1)
    return said({ data: hook, meta: {} })
  },
}

const identityOf = (variant: Row) => ({
  sku: String(variant['sku']),
  variant_id: variant.id,
  product_id: Number(variant['product_id']),
})

/** What is kept back is there, but not for sale. */
const levelOf = ({ held, safety }: { held: number; safety: number }) => ({
  available_to_sell: held - safety,
  total_inventory_onhand: held,
  settings: { safety_stock: safety, is_in_stock: true, warning_level: 0, bin_picking_number: '' },
})

function setLevel(books: Books, { variant_id, product_id, location_id, quantity }: Fields): void {
  const variant = books.variants.find((one) => one.id === variant_id || one['product_id'] === product_id)
  const level = books.levels.find((one) => one.variant === variant && one.place === location_id)
  if (level) level.held = Number(quantity)
  else if (variant) books.levels.push({ variant, place: Number(location_id), held: Number(quantity), safety: 0 })
}
