import type { GivenStore } from '../../support/given-stores.ts'

/** What the server itself says, asked with nothing of ours, in the words of `GET /api/2.0/app/…`. */
export interface TrueShop {
  orders: readonly TrueOrder[]
  products: readonly { remote_id: string; title: string }[]
  levels: readonly { sku: string; available: number }[]
}

export interface TrueOrder {
  remote_id: string
  status: string
  currency: string
  total: number
  customer: { email: string }
  items: readonly { sku: string; name: string; quantity: number; price: number }[]
  tracking: string | null
}

type Json = Record<string, unknown>

const records = (value: unknown): Json[] => (Array.isArray(value) ? value : [])
const text = (value: unknown): string | null =>
  value === null || value === undefined || value === '' ? null : String(value)

async function ask({ url }: GivenStore, path: string, headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await fetch(url.href.replace(/\/$/, '') + path, { headers })
  const body: unknown = await answer.json()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(body).slice(0, 300)}`)
  return body
}

/** Directus: everything at once, with `limit=-1`. */
async function directus(store: GivenStore): Promise<TrueShop> {
  const headers = { authorization: `Bearer ${store.credentials['token']}` }
  const all = async (collection: string, fields: string) =>
    records(Object(await ask(store, `/items/${collection}?limit=-1&sort=id&fields=${fields}`, headers))['data'])
  const words: Json = { new: 'PENDING', shipped: 'SHIPPED', cancelled: 'CANCELLED' }
  const articles = await all('articles', '*')
  return {
    orders: (await all('orders', '*,lines.*')).map((order) => ({
      ...{ remote_id: String(order['id']), status: String(words[String(order['status'])]), currency: 'EUR' },
      ...{ total: Number(order['total_cents']) / 100, customer: { email: String(order['customer_email']) } },
      items: records(order['lines']).map((line) => ({
        ...{ sku: String(line['sku']), name: String(line['title']), quantity: Number(line['quantity']) },
        price: Number(line['price_cents']) / 100,
      })),
      tracking: text(order['tracking_number']),
    })),
    products: articles.map(({ id, title }) => ({ remote_id: String(id), title: String(title) })),
    levels: articles.map(({ sku, stock }) => ({ sku: String(sku), available: Number(stock) })),
  }
}

/** json-server: lists are whole where nobody asks for a page. */
async function jsonServer(store: GivenStore): Promise<TrueShop> {
  const words: Json = { open: 'PENDING', sent: 'SHIPPED', cancelled: 'CANCELLED' }
  const products = records(await ask(store, '/products'))
  return {
    orders: records(await ask(store, '/orders')).map((order) => ({
      ...{ remote_id: String(order['id']), status: String(words[String(order['status'])]) },
      ...{ currency: String(order['currency']), total: Number(order['total']) },
      customer: { email: String(order['email']) },
      items: records(order['lines']).map((line) => ({
        ...{ sku: String(line['sku']), name: String(line['name']) },
        ...{ quantity: Number(line['qty']), price: Number(line['price']) },
      })),
      tracking: text(order['tracking_number']),
    })),
    products: products.map(({ id, name }) => ({ remote_id: String(id), title: String(name) })),
    levels: products.map(({ sku, stock }) => ({ sku: String(sku), available: Number(stock) })),
  }
}

/** Parse Server. */
async function parse(store: GivenStore): Promise<TrueShop> {
  const headers = {
    'x-parse-application-id': String(store.credentials['application_id']),
    'x-parse-rest-api-key': String(store.credentials['rest_api_key']),
  }
  const all = async (name: string) =>
    records(Object(await ask(store, `/classes/${name}?limit=10000`, headers))['results'])
  const words: Json = { placed: 'PENDING', shipped: 'SHIPPED', canceled: 'CANCELLED' }
  const articles = await all('Article')
  return {
    orders: (await all('Order')).map((order) => ({
      ...{ remote_id: String(order['objectId']), status: String(words[String(order['status'])]) },
      ...{ currency: String(order['currency']), total: Number(order['total']) },
      customer: { email: String(Object(order['customer'])['email']) },
      items: records(order['lines']).map((line) => ({
        ...{ sku: String(line['sku']), name: String(line['title']) },
        ...{ quantity: Number(line['quantity']), price: Number(line['unit_price']) },
      })),
      tracking: text(order['tracking_number']),
    })),
    products: articles.map(({ objectId, title }) => ({ remote_id: String(objectId), title: String(title) })),
    levels: articles.map(({ sku, stock }) => ({ sku: String(sku), available: Number(stock) })),
  }
}

/** Dolibarr: pages count from 0, and one beyond the last is 404. */
async function dolibarr(store: GivenStore): Promise<TrueShop> {
  const headers = { DOLAPIKEY: String(store.credentials['api_key']) }
  const all = async (list: string) => {
    const found: Json[] = []
    for (let page = 0; ; page++) {
      const path = `/${list}?limit=100&page=${page}&sortfield=t.rowid&includestockdata=1`
      const some = records(await ask(store, path, headers).catch(() => []))
      found.push(...some)
      if (some.length < 100) return found
    }
  }
  const words: Json = { '-1': 'CANCELLED', 0: 'UNPAID', 1: 'PENDING', 2: 'PENDING', 3: 'SHIPPED' }
  const people = new Map((await all('thirdparties')).map((one) => [String(one['id']), one]))
  const products = await all('products')
  return {
    orders: (await all('orders')).map((order) => ({
      ...{ remote_id: String(order['id']), status: String(words[String(order['statut'])]), currency: 'EUR' },
      total: Number(order['total_ttc']),
      customer: { email: String(people.get(String(order['socid']))?.['email']) },
      items: records(order['lines']).map((line) => ({
        ...{ sku: String(line['product_ref']), name: String(line['product_label']) },
        ...{ quantity: Number(line['qty']), price: Number(line['subprice']) },
      })),
      tracking: text(String(order['note_public'] ?? '').split('#')[1]),
    })),
    products: products.map(({ id, label }) => ({ remote_id: String(id), title: String(label) })),
    levels: products.map((one) => ({ sku: String(one['ref']), available: Number(one['stock_reel'] ?? 0) })),
  }
}

export const servers: Readonly<Record<string, (store: GivenStore) => Promise<TrueShop>>> = {
  directus,
  dolibarr,
  'json-server': jsonServer,
  parse,
}
