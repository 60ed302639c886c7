import { describe, expect, test } from 'vitest'
import { linked, paged } from '../../../test/support/described-services.ts'
import type { ReadQuery } from '../../commerce/connector/reads.ts'
import { checkDefinition } from '../../commerce/definition/check-definition.ts'
import { valueAt } from '../../commerce/definition/value-in.ts'
import { isHidden, type RemoteAnswer, type RemoteRequest } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { customConnector } from './index.ts'
import { readerOf } from './values.ts'

test('values are read at their place and nowhere else', () => {
  const record = { a: { b: [{ c: 1 }] }, list: ['x', 'y'] }
  expect(valueAt(record, 'a.b.0.c')).toBe(1)
  for (const path of ['a.toString', 'list.length', 'list.x', '__proto__', 'a.b.5.c', 'a.b.c']) {
    expect(valueAt(record, path)).toBeUndefined()
  }
})

test('amounts, times and numbers are exact, or refused', () => {
  const plain = readerOf({ m: '1234567.10', t: '2026-03-01T10:00:00+02:00', d: '2026-03-01', n: '7', w: 1.5, e: '' })
  expect(plain.money('m', 'EUR')).toEqual({ amount: '1234567.10', currency: 'EUR' })
  expect([plain.time('t'), plain.time('d')]).toEqual(['2026-03-01T08:00:00.000000Z', '2026-03-01T00:00:00.000000Z'])
  expect([plain.whole('n'), plain.maybeText('e'), plain.maybeMoney('none', 'EUR')]).toEqual([7, null, null])
  expect(() => plain.whole('w')).toThrow(TypeError)
  expect(() => plain.time('m')).toThrow(TypeError)
  expect(() => plain.text('none')).toThrow(TypeError)
  const minor = readerOf({ m: 3325, t: 1_790_000_000, f: 33.25 }, { money: 'minor', time: 'unix' })
  expect([minor.money('m', 'EUR').amount, minor.money('m', 'JPY').amount]).toEqual(['33.25', '3325'])
  expect(minor.time('t')).toBe('2026-09-21T14:13:20.000000Z')
  expect(() => minor.money('f', 'EUR')).toThrow(TypeError)
})

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 2 }

/** A shop that answers by these rules, and what it was asked. */
function scripted(definition: object, answer: (request: RemoteRequest) => Partial<RemoteAnswer>) {
  const connector = customConnector('scripted', definition)
  const asked: RemoteRequest[] = []
  const remote = {
    request: async (request: RemoteRequest) => {
      asked.push(request)
      return { status: 200, headers: {}, body: {}, ...answer(request) }
    },
  }
  const shop: Shop = { shop: 'scripted.example', settings: {}, credentials: {}, remote }
  if (!connector?.products || !connector.orders) throw new Error('The definition does not fit.')
  return { connector, products: connector.products, orders: connector.orders, shop, asked }
}

describe('pages', () => {
  test('that are shorter than asked for are not the last ones', async () => {
    const pages = [[{ id: 1 }], [{ id: 2 }], []]
    const { products, shop } = scripted(paged, ({ query: asked }) => ({
      body: { data: pages[Number(asked?.['page']) - 1] ?? [] },
    }))
    const ids: unknown[] = []
    let cursor: string | null = null
    do {
      const page = await products.list(shop, { ...query, limit: 20, cursor })
      ids.push(...page.items.map((item) => valueAt(item, 'id')))
      cursor = page.next
    } while (cursor !== null)
    expect(ids).toEqual([1, 2])
  })

  test('that never turn are found out', async () => {
    const { products, orders, shop } = scripted(paged, () => ({ body: { data: [{ id: 1 }], meta: { total: 9 } } }))
    const { next } = await products.list(shop, query)
    const again = { message: expect.stringContaining('same page'), kind: 'upstream_refused' }
    await expect(products.list(shop, { ...query, cursor: next })).rejects.toMatchObject(again)
    const first = await orders.list(shop, query)
    await expect(orders.list(shop, { ...query, cursor: first.next })).rejects.toMatchObject(again)
    const still = scripted(linked, () => ({ body: { results: [], page: { next: 'c' } } }))
    expect((await still.orders.list(still.shop, query)).next).toBe('c')
    await expect(still.orders.list(still.shop, { ...query, cursor: 'c' })).rejects.toMatchObject(again)
  })

  test('beyond the last one may be a 404; a first one that is missing is no empty list', async () => {
    const { products, shop } = scripted(paged, () => ({ status: 404 }))
    expect(await products.list(shop, { ...query, cursor: '3|60|mark' })).toMatchObject({ items: [], next: null })
    await expect(products.list(shop, query)).rejects.toMatchObject({ kind: 'upstream_refused' })
  })

  test('are followed by the parameters of a link alone, whatever host it names', async () => {
    const link = '<https://evil.example/steal?from=2&a=1&a=2>; rel="next"'
    const { products, shop, asked } = scripted(linked, () => ({ body: [], headers: { link } }))
    const { next } = await products.list(shop, query)
    await products.list(shop, { ...query, cursor: next }).catch(() => null)
    expect(asked[1]).toEqual({ method: 'GET', path: '/goods', query: { from: ['2'], a: ['1', '2'] } })
  })

  test('without a list where it should be are refused', async () => {
    const { orders, shop } = scripted(paged, () => ({ body: { data: { 1: {} } } }))
    await expect(orders.list(shop, query)).rejects.toMatchObject({ message: expect.stringContaining('"data"') })
  })

  test('ask for what changed a second early, in the words of the shop', async () => {
    const since = { ...query, updatedSince: '2026-03-01T10:00:00.500000Z' }
    const iso = scripted(paged, () => ({ body: { data: [] } }))
    await iso.orders.list(iso.shop, since)
    expect(iso.asked[0]?.query).toMatchObject({ updated_after: '2026-03-01T09:59:59Z', sort: 'updated', per_page: 2 })
    const unix = scripted(linked, () => ({ body: { results: [] } }))
    await unix.orders.list(unix.shop, since)
    expect(unix.asked[0]?.query).toMatchObject({ changed_since: Date.parse('2026-03-01T09:59:59Z') / 1000 })
  })
})

test('a status that the table does not have holds the order', () => {
  const { orders, shop } = scripted(linked, () => ({}))
  const raw = { sale_id: 1, state: 7, amount_total: 100, created: 1, changed: 2, rows: [] }
  expect(orders.translate(raw, shop)).toMatchObject({ status: 'on_hold', hold_reason: expect.stringContaining('7') })
  expect(orders.translate({ ...raw, state: 1 }, shop)).toMatchObject({ status: 'open', total: { amount: '1.00' } })
})

test.each([
  [{ kind: 'header', name: 'X-Key' }, { api_key: 'k' }, { headers: { 'x-key': 'k' } }],
  [{ kind: 'bearer' }, { token: 't' }, { headers: { authorization: 'Bearer t' } }],
  [{ kind: 'basic' }, { username: 'ü', password: ' p' }, { headers: { authorization: 'Basic w7w6IHA=' } }],
  [{ kind: 'query', name: 'key' }, { api_key: 'k' }, { query: { key: 'k', a: '1' } }],
  [{ kind: 'none' }, {}, {}],
])('the credentials of %j are asked for and sent', (auth, credentials, sent) => {
  const connector = customConnector('opened', checkDefinition({ ...paged, auth }))
  const call = { url: 'https://opened.example/x', seconds: 0, nonce: '' }
  const request: RemoteRequest = { method: 'GET', path: '/x', query: { a: '1' } }
  const facts = { shop: 'opened.example', settings: {} }
  expect(Object.keys(connector?.auth.credentials.properties ?? {})).toEqual(Object.keys(credentials))
  expect(connector?.remote.authenticate(request, credentials, facts, call)).toEqual({ ...request, ...sent })
})

test.each(['', '.', '..'])('an id %j leads nowhere', async (id) => {
  const { orders, shop, asked } = scripted(paged, () => ({}))
  await expect(orders.get(shop, id)).rejects.toMatchObject({ kind: 'upstream_refused' })
  expect(asked).toEqual([])
})

test('a body holds what was said, at its places', async () => {
  const { connector, shop, asked } = scripted(linked, ({ method }) => (method === 'GET' ? { status: 404 } : {}))
  const draft = {
    order_remote_id: 'a/b',
    tracking_number: 'T1',
    carrier: 'Post',
    lines: [{ order_line_remote_id: '7', quantity: 2 }],
  }
  await connector.shipments?.create.send(shop, draft, { id: 'operation' })
  expect(asked.find(({ method }) => method === 'POST')).toEqual({
    method: 'POST',
    path: '/sales/a%2Fb/send',
    body: { tracking: 'T1', rows: [{ row: '7', qty: 2 }] },
    headers: { 'idempotency-key': 'operation' },
    repeatable: true,
  })
  const whole = scripted(paged, () => ({ status: 404 }))
  await expect(whole.connector.shipments?.create.send(whole.shop, draft, { id: 'o' })).rejects.toMatchObject({
    message: 'This shop sends orders as a whole.',
  })
})

test('stock is set by whatever the service knows an article by', async () => {
  const body = [{ path: 'free', field: 'quantity' }]
  const set = { method: 'PUT', path: '/stock/{variant_remote_id}', body }
  const definition = checkDefinition({ ...paged, inventory: { ...paged.inventory, set } })
  const { connector, shop, asked } = scripted(definition, () => ({}))
  const settings = [
    { variant_remote_id: '17', quantity: 3 },
    { sku: 'A-1', quantity: 4 },
  ]
  const results = await connector.inventory?.set?.send(shop, settings, { id: 'stock' })
  expect(results?.map(({ ok, error }) => [ok, error])).toEqual([
    [true, null],
    [false, 'This service knows articles by the id of the variant.'],
  ])
  expect(asked).toMatchObject([{ path: '/stock/17', body: { free: 3 } }])
})

test('a record that is forbidden is hidden, and is not said to be missing', async () => {
  const { orders, shop } = scripted(paged, () => ({ status: 403, body: { message: 'You may not see this.' } }))
  const refusal = await orders.get(shop, '7').catch((error: unknown) => error)
  expect([isHidden(refusal), refusal]).toMatchObject([true, { message: 'You may not see this.' }])
})
