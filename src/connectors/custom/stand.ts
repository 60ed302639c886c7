import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import type { PlatformStand, StandCall } from '../../commerce/stand.ts'
import { linked, paged } from './stand-definitions.ts'
import { type Books, makeBooks } from './stand-records.ts'

/** The shops of `stand-definitions.ts`, as they answer. */

const json = (body: unknown, headers: Record<string, string> = {}): RemoteAnswer => ({ status: 200, headers, body })
const failing = (status: number, message: string): RemoteAnswer => ({ status, headers: {}, body: { message } })
const missing = () => failing(404, 'Not here.')
const numberIn = ({ query }: RemoteRequest, name: string, otherwise: number) => Number(query?.[name] ?? otherwise)
const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
const decimal = (cents: number) => (cents / 100).toFixed(2)

type Answering = (books: Books, request: RemoteRequest, path: string) => RemoteAnswer

const answerPaged: Answering = (books, request, path) => {
  const { method, query, body } = request
  if (request.headers?.['x-api-key'] !== 'right') return failing(401, 'Who are you?')
  const after = typeof query?.['updated_after'] === 'string' ? Date.parse(query['updated_after']) / 1000 : 0
  const pageOf = <T extends { changed: number }>(all: readonly T[], show: (one: T) => object, total: boolean) => {
    const rows = all.filter(({ changed }) => changed > after).sort((a, b) => a.changed - b.changed)
    const size = numberIn(request, 'per_page', 10)
    const start = (numberIn(request, 'page', 1) - 1) * size
    const data = rows.slice(start, start + size).map(show)
    return json(total ? { data, meta: { total: rows.length } } : { data })
  }
  const article = (one: Books['articles'][number]) => ({
    id: one.id,
    sku: one.sku,
    name: one.title,
    live: one.id % 7 !== 0,
    tags: ['a', 'b'],
    updated: iso(one.changed),
    price: { amount: decimal(one.cents), currency: 'EUR' },
  })
  const states = { waiting: 'waiting', ready: 'ready', sent: 'sent', gone: 'void' }
  const order = (one: Books['orders'][number]) => ({
    id: one.id,
    reference: `R-${one.id}`,
    state: states[one.state],
    payment: { state: one.state === 'waiting' ? 'due' : 'paid' },
    totals: { currency: 'EUR', shipping: '4.90', grand: decimal(one.cents + 490) },
    created: iso(one.created),
    updated: iso(one.changed),
    buyer: { mail: `buyer${one.id}@example.com`, names: ['Ada', 'Byron'] },
    ship_to: { street: 'Dock 1', town: 'Gent', country: 'be' },
    rows: one.rows.map((row) => ({ ...row, price: decimal(row.cents) })),
    parcels: one.parcels.map(({ id, tracking, carrier }) => ({ id, code: tracking, by: carrier })),
  })
  const [, kind = '', id = '', act = ''] = path.split('/')
  if (kind === 'orders' && id === '') return pageOf(books.orders, order, true)
  if (kind === 'articles' && id === '') return pageOf(books.articles, article, false)
  if (kind === 'articles') {
    const found = books.articles.find((one) => String(one.id) === id)
    return found ? json({ data: article(found) }) : missing()
  }
  if (kind === 'stock' && method === 'GET') {
    const start = numberIn(request, 'skip', 0)
    const rows = books.articles.slice(start, start + numberIn(request, 'take', 10))
    return json({
      data: rows.map(({ sku, left, changed }) => ({ sku, free: left, total: left, updated: iso(changed) })),
    })
  }
  if (kind === 'stock') return books.stock(decodeURIComponent(id), numberOf(body, 'free')) ? json({}) : missing()
  const found = books.orders.find((one) => String(one.id) === id)
  if (!found) return missing()
  if (act === 'void') books.cancel(found)
  if (act === 'parcels') {
    const parcel = recordOf(recordOf(body)['parcel'])
    books.send(found, { tracking: String(parcel['code']), carrier: String(parcel['by']), key: null })
  }
  return json({ data: order(found) })
}

const answerLinked: Answering = (books, request, path) => {
  const { method, query, body } = request
  const right = `Basic ${Buffer.from('shop:right word').toString('base64')}`
  if (request.headers?.['authorization'] !== right) return failing(401, 'Who are you?')
  const since = numberIn(request, 'changed_since', 0)
  const size = numberIn(request, 'limit', 10)
  const states = { waiting: 0, ready: 1, sent: 2, gone: 9 }
  const sale = (one: Books['orders'][number]) => ({
    sale_id: one.id,
    state: states[one.state],
    amount_total: one.cents,
    created: one.created,
    changed: one.changed,
    mail: '',
    rows: one.rows.map(({ cents, ...row }) => ({ ...row, price: cents })),
  })
  const [, kind = '', id = '', act = ''] = path.split('/')
  if (kind === 'whoami') return json({ name: 'shop' })
  if (kind === 'goods') {
    const rows = books.articles.filter(({ changed }) => changed >= since)
    const start = Number(query?.['from'] ?? 0)
    const goods = rows.slice(start, start + size).map(({ id: good, title, changed, sku, cents, left }) => ({
      id: good,
      title,
      changed,
      variants: [{ id: `${good}-1`, sku, cents, left }],
    }))
    const next = `<https://elsewhere.example/goods?limit=${size}&changed_since=${since}&from=${start + size}>; rel="next"`
    return json(goods, start + size < rows.length ? { link: `</goods>; rel="first", ${next}` } : {})
  }
  if (kind === 'levels' && method === 'GET') {
    return json({ levels: books.articles.map(({ sku, left }) => ({ article: sku, place: 'main', count: left })) })
  }
  if (kind === 'levels') {
    const { article, place } = recordOf(body)
    if (place !== 'main') return failing(422, 'No such place.')
    return books.stock(String(article), numberOf(body, 'count')) ? json({}) : failing(422, 'No such article.')
  }
  if (id === '') {
    const rows = books.orders.filter(({ changed }) => changed >= since).sort((a, b) => a.changed - b.changed)
    const start = query?.['after'] === undefined ? 0 : rows.findIndex((one) => `c${one.id}` === query['after']) + 1
    const some = rows.slice(start, start + size)
    const last = some.at(-1)
    const next = start + size < rows.length && last ? `c${last.id}` : null
    return json({ results: some.map(sale), page: { next } })
  }
  const found = books.orders.find((one) => String(one.id) === id)
  if (!found) return missing()
  if (method === 'DELETE') books.cancel(found)
  if (act === 'send') {
    const key = request.headers?.['idempotency-key'] ?? null
    books.send(found, { tracking: String(recordOf(body)['tracking']), carrier: '', key })
  }
  return json(sale(found))
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
const numberOf = (body: unknown, name: string) => Number(recordOf(body)[name])

function standFor(answering: Answering, base: string, rest: Pick<PlatformStand, 'facts' | 'credentials' | 'wrong'>) {
  const books = makeBooks()
  const { orders, articles } = books
  return {
    ...rest,
    typed: rest.credentials,
    client: {},
    counts: { orders: orders.length, products: articles.length, inventory: articles.length },
    answer: ({ url, request }: StandCall) => {
      const { origin, pathname } = new URL(url)
      const known = `${origin}${pathname}`.startsWith(base)
      return known ? answering(books, request, `${origin}${pathname}`.slice(base.length)) : missing()
    },
    openOrder: books.openOrder,
    doubles: books.doubles,
    specifications: [],
  } satisfies PlatformStand
}

/** Definitions, each with the shop that it describes. */
export const described = [
  {
    type: 'described-by-pages',
    definition: paged,
    makeStand: () =>
      standFor(answerPaged, 'https://erp.example/api/v1', {
        facts: { shop: 'erp.example', settings: {} },
        credentials: { api_key: 'right' },
        wrong: { api_key: 'wrong' },
      }),
  },
  {
    type: 'described-by-cursors',
    definition: linked,
    makeStand: () =>
      standFor(answerLinked, 'https://sales.example/rest', {
        facts: { shop: 'sales.example', settings: { base_url: 'https://sales.example/rest/' } },
        credentials: { username: 'shop', password: 'right word' },
        wrong: { username: 'shop', password: 'wrong' },
      }),
  },
]
