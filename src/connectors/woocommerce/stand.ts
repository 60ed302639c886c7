import { type Fields, fieldsOf, idIn, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import type { PlatformStand, StandCall } from '../../commerce/stand.ts'
import { oauth1Parameters } from '../../commerce/wire/oauth1.ts'
import { hmac } from '../../lib/hmac.ts'
import { type Age, answer, listOf, noRoute, refusal } from './stand-list.ts'
import { makeLine, makeOrder, makeProduct, makeVariations, stamp } from './stand-records.ts'

interface Options {
  base?: string
  /** How the shop keeps parcels. */
  tracking?: 'fulfillments' | 'plug-in' | 'none'
  age?: Age
}

const keys = { consumer_key: `ck_${'1'.repeat(40)}`, consumer_secret: `cs_${'2'.repeat(40)}` }

export function makeStand({
  base = 'https://tea.example/shop',
  tracking = 'fulfillments',
  age = 'new',
}: Options = {}): PlatformStand {
  const orders = Array.from({ length: 60 }, (_, n) => makeOrder(n + 1))
  const products = Array.from({ length: 30 }, (_, n) => makeProduct(n + 1))
  const variations = products.flatMap((_, n) => makeVariations(n + 1))
  const webhooks: Fields[] = []
  const parcels = new Map<string, Fields[]>()
  const notes = new Map<string, Fields[]>()
  const doubles: string[] = []
  let clock = 100_000
  let lastId = 900_000

  const touch = (record: Fields, change: Fields): Fields =>
    Object.assign(record, change, { date_modified_gmt: stamp(++clock), date_modified: stamp(clock + 7200) })
  const byId = (rows: readonly Fields[], id: string) => rows.find((row) => idIn(row, 'id') === id)

  const list = (rows: readonly Fields[], query: Fields, times = true) => listOf(rows, query, { age, times })

  /** One record: read, changed or deleted. */
  function one(rows: Fields[], id: string, { method, body }: RemoteRequest, kind: string): RemoteAnswer {
    const found = byId(rows, id)
    if (!found) return refusal(404, `woocommerce_rest_${kind}_invalid_id`, 'Invalid ID.')
    if (method === 'PUT') touch(found, merged(found, fieldsOf(body)))
    if (method === 'DELETE') rows.splice(rows.indexOf(found), 1)
    return answer(structuredClone(found))
  }

  function merged(old: Fields, change: Fields): Fields {
    if (!Array.isArray(change['meta_data'])) return change
    const told = recordsIn(change, 'meta_data')
    const kept = recordsIn(old, 'meta_data').filter(({ key }) => !told.some((note) => note['key'] === key))
    return { ...change, meta_data: [...kept, ...told.map((note) => ({ id: ++lastId, ...note }))] }
  }

  function create(body: Fields): RemoteAnswer {
    const lines = recordsIn(body, 'line_items').map((line) => {
      const article = byId([...products, ...variations], String(line['variation_id'] ?? line['product_id'])) ?? {}
      const quantity = Number(line['quantity'])
      const total = String(line['total'] ?? (Number(article['price']) * quantity).toFixed(2))
      return makeLine({
        id: ++lastId,
        name: String(line['name'] ?? article['name']),
        product_id: Number(line['product_id']),
        variation_id: Number(line['variation_id'] ?? 0),
        quantity,
        sku: String(article['sku']),
        subtotal: total,
        total,
      })
    })
    const id = ++lastId
    const total = lines.reduce((all, line) => all + Number(line['total']), 0).toFixed(2)
    const blank = { ...makeOrder(1), id, number: String(id), customer_id: 0, meta_data: [], refunds: [] }
    const sums = { total, total_tax: '0.00', discount_total: '0.00', shipping_total: '0.00', shipping_lines: [] }
    const made = { ...blank, ...merged(blank, body), ...sums, line_items: lines }
    orders.push(touch(made, {}))
    return answer(structuredClone(made), 201)
  }

  function createProduct(body: Fields): RemoteAnswer {
    const taken = [...products, ...variations].some(({ sku }) => sku === body['sku'])
    if (taken) return refusal(400, 'product_invalid_sku', 'Invalid or duplicated SKU.')
    const blank = {
      ...makeProduct(1),
      id: ++lastId,
      images: [],
      sale_price: '',
      manage_stock: false,
      stock_quantity: null,
    }
    const made = touch(blank, { ...body, price: body['regular_price'] })
    products.push(made)
    return answer(structuredClone(made), 201)
  }

  const batch = (rows: Fields[], body: Fields): RemoteAnswer =>
    answer({
      update: recordsIn(body, 'update').map(({ id, ...change }) => {
        const found = byId(rows, String(id))
        if (!found) return { id, error: { code: 'invalid_id', message: 'Invalid ID.', data: { status: 400 } } }
        return structuredClone(touch(found, change))
      }),
    })

  /** Parcels of one order, whoever keeps them. */
  function parcelsOf(
    orderId: string,
    { method, body }: RemoteRequest,
    numberOf: (parcel: Fields) => unknown,
  ): RemoteAnswer {
    const order = byId(orders, orderId)
    if (!order) return refusal(404, 'woocommerce_rest_order_invalid_id', 'Invalid order ID.')
    const there = parcels.get(orderId) ?? []
    if (method === 'GET') return answer(structuredClone(there))
    const given = fieldsOf(body)
    if (there.some((parcel) => numberOf(parcel) === numberOf(given))) doubles.push(`parcel ${String(numberOf(given))}`)
    const made = { id: ++lastId, tracking_id: String(lastId), date_updated: stamp(clock), ...given }
    parcels.set(orderId, [...there, made])
    if (tracking === 'fulfillments') touch(order, merged(order, { meta_data: [statusNote(order, [...there, made])] }))
    return answer(structuredClone(made), 201)
  }

  const trackingNumber = (parcel: Fields) =>
    Array.isArray(parcel['meta_data'])
      ? recordsIn(parcel, 'meta_data').find(({ key }) => key === '_tracking_number')?.['value']
      : parcel['tracking_number']

  function hooks(request: RemoteRequest, id: string | undefined): RemoteAnswer {
    if (id !== undefined) return one(webhooks, id, request, 'shop_webhook')
    if (request.method === 'GET') return list(webhooks, request.query ?? {}, false)
    const { secret: _, ...hook } = fieldsOf(request.body)
    if (webhooks.some((one) => one['topic'] === hook['topic'] && one['delivery_url'] === hook['delivery_url']))
      doubles.push(`webhook ${String(hook['topic'])}`)
    const made = { id: ++lastId, ...hook, date_modified_gmt: stamp(clock) }
    webhooks.push(made)
    return answer(structuredClone(made), 201)
  }

  function notesOf(orderId: string, { method, body }: RemoteRequest): RemoteAnswer {
    const there = notes.get(orderId) ?? []
    if (method === 'GET') return answer(structuredClone(there))
    if (there.some(({ note }) => note === fieldsOf(body)['note'])) doubles.push(`note on ${orderId}`)
    const made = { id: ++lastId, ...fieldsOf(body) }
    notes.set(orderId, [...there, made])
    return answer(made, 201)
  }

  function route(path: string, request: RemoteRequest): RemoteAnswer {
    const { method, query = {}, body } = request
    const [space, name = '', id, part, inner] = path.split('/').slice(1)
    if (space === 'wc-shipment-tracking') {
      return tracking === 'plug-in' ? parcelsOf(path.split('/')[4] ?? '', request, trackingNumber) : noRoute()
    }
    if (name === 'settings') return answer({ value: part === 'woocommerce_currency' ? 'EUR' : 'kg' })
    if (name === 'webhooks') return hooks(request, id)
    if (name === 'orders') {
      if (part === 'fulfillments')
        return tracking === 'fulfillments' ? parcelsOf(id ?? '', request, trackingNumber) : noRoute()
      if (part === 'notes') return notesOf(id ?? '', request)
      if (id !== undefined) return one(orders, id, request, 'shop_order')
      return method === 'POST' ? create(fieldsOf(body)) : list(orders, query)
    }
    if (name !== 'products') return noRoute()
    const own = variations.filter((one) => String(one['parent_id']) === id)
    if (part === 'variations') {
      if (inner === 'batch') return batch(own, fieldsOf(body))
      return inner === undefined ? list(own, query) : one(own, inner, request, 'product_variation')
    }
    if (id === 'batch') return batch(products, fieldsOf(body))
    if (id !== undefined) return one(products, id, request, 'product')
    if (method === 'POST') return createProduct(fieldsOf(body))
    return list(query['sku'] === undefined ? products : [...products, ...variations], query)
  }

  function isKnown({ url, request }: StandCall): boolean {
    const { method, headers = {}, query = {} } = request
    if (url.startsWith('https://')) {
      const basic = Buffer.from(`${keys.consumer_key}:${keys.consumer_secret}`).toString('base64')
      const asked = query['consumer_key'] === keys.consumer_key && query['consumer_secret'] === keys.consumer_secret
      return asked || headers['authorization'] === `Basic ${basic}`
    }
    const { oauth_signature: signature, ...rest } = query
    const signed = oauth1Parameters({
      method,
      url,
      query: Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('oauth_'))),
      keys: { consumerKey: keys.consumer_key, consumerSecret: keys.consumer_secret },
      seconds: Number(rest['oauth_timestamp']),
      nonce: String(rest['oauth_nonce']),
    })
    return signed['oauth_signature'] === signature
  }

  const open = orders.filter(({ status }) => status === 'processing').map((order) => idIn(order, 'id'))
  const counted = [...products, ...variations].filter((one) => one['manage_stock'] === true)
  return {
    facts: { shop: 'tea.example', settings: { base_url: base } },
    credentials: keys,
    wrong: { ...keys, consumer_secret: `cs_${'3'.repeat(40)}` },
    typed: keys,
    client: {},
    answer(call) {
      const { pathname, href } = new URL(call.url)
      const root = `${base}/wp-json`
      if (!href.startsWith(root)) return answer('<html>Not here</html>', 404)
      if (!isKnown(call)) return refusal(401, 'woocommerce_rest_authentication_error', 'Invalid signature.')
      return route(pathname.slice(new URL(root).pathname.length).replace('/wc/v3', '/v3'), call.request)
    },
    counts: { orders: orders.length, products: products.length, inventory: counted.length },
    openOrder: () => open.pop() ?? '',
    messages: (secret) =>
      [
        ['order.updated', makeOrder(1)],
        ['order.created', makeOrder(2)],
        ['order.deleted', { id: 1003 }],
        ['product.updated', makeProduct(1)],
      ].map(([topic, record]) => {
        const raw = Buffer.from(JSON.stringify(record))
        return {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-wc-webhook-topic': String(topic),
            'x-wc-webhook-delivery-id': '0f5c8a',
            'x-wc-webhook-signature': hmac(raw, secret, 'base64'),
          },
          query: {},
          raw,
        }
      }),
    doubles: () => doubles,
    specifications: [
      {
        kind: 'wordpress',
        file: 'woocommerce/wc-v3-index-routes.json',
        base: new URL(`${base}/wp-json/wc/v3`).pathname,
        wrong: [
          {
            report: /query knows no (modified_after|modified_before|dates_are_gmt)$/,
            because: 'came with 5.8; the index is older',
          },
          { report: /query\/orderby must be equal to one of/, because: '"modified" came with 5.8; the index is older' },
          {
            report: /query knows no (_fields|consumer_key|consumer_secret)$/,
            because: 'taken everywhere, by WordPress or by the way keys are sent',
          },
          {
            report: /\{order_id\}\/fulfillments is not in|^(GET|POST) \/orders\/\d+\/fulfillments is not in/,
            because: 'came with 10.1; the index is older',
          },
          {
            report: /\/batch: body knows no update$/,
            because: 'the index lists the fields of a single record in the place of the three lists',
          },
          {
            report: /body\/images must be object$/,
            because: 'a list of images, which the same index describes with `items`',
          },
        ],
      },
    ],
  }
}

/** What an order notes of its parcels. */
function statusNote(order: Fields, parcels: readonly Fields[]): Fields {
  const count = (items: unknown) => (Array.isArray(items) ? items : []).reduce((all, item) => all + Number(item.qty), 0)
  const sent = parcels
    .flatMap((parcel) => recordsIn(parcel, 'meta_data'))
    .reduce((all, { key, value }) => all + (key === '_items' ? count(value) : 0), 0)
  const ordered = recordsIn(order, 'line_items').reduce((all, line) => all + Number(line['quantity']), 0)
  return { key: '_fulfillment_status', value: sent < ordered ? 'partially_fulfilled' : 'fulfilled' }
}
