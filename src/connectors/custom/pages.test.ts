import { describe, expect, test } from 'vitest'
import { paged } from '../../../test/support/described-services.ts'
import type { ReadQuery } from '../../commerce/connector/reads.ts'
import { checkDefinition } from '../../commerce/definition/check-definition.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import type { AnyFields, Shop } from '../../commerce/shop.ts'
import { customConnector } from './index.ts'

type Answer = (request: RemoteRequest) => Partial<RemoteAnswer>

/** A service that is described by these parts, and answers by these rules. */
function service(parts: object, answer: Answer) {
  const connector = customConnector('scripted', checkDefinition({ ...paged, ...parts }))
  if (!connector?.orders || !connector.inventory?.set) throw new Error('The definition does not fit.')
  const asked: RemoteRequest[] = []
  const request = async (one: RemoteRequest) => {
    asked.push(one)
    return { status: 200, headers: {}, body: {}, ...answer(one) }
  }
  const credentials: AnyFields = {}
  const shop: Shop = { shop: 'scripted.example', settings: {}, credentials, remote: { request } }
  return { orders: connector.orders, setLevels: connector.inventory.set.send, shop, asked }
}

const orders = (changes: object) => ({ orders: { ...paged.orders, ...changes } })
const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 2 }
const since = { ...query, updatedSince: '2026-03-01T10:00:00.000000Z' }

describe('a list', () => {
  test('is asked for by POST, with constants, size and page in the body', async () => {
    const paging = { style: 'page', parameter: 'page.number', size_parameter: 'page.size', in: 'body' }
    const list = { method: 'POST', path: '/search', items: 'data', body: [{ path: 'kind', value: 'order' }], paging }
    const { orders: read, shop, asked } = service(orders({ list }), () => ({ body: { data: [{ id: 1 }] } }))
    const { next } = await read.list(shop, query)
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/search',
      repeatable: true,
      body: { kind: 'order', page: { number: 1, size: 2 } },
    })
    await read.list(shop, { ...query, cursor: next }).catch(() => null)
    expect(asked[1]?.body).toMatchObject({ page: { number: 2 } })
  })

  test.each([
    ['the body', { next: 'next' }, { body: { data: [{ id: 1 }], next: 'https://scripted.example/orders/page/2' } }],
    ['a header', {}, { body: { data: [{ id: 1 }] }, headers: { link: '</orders/page/2>; rel="next"' } }],
  ])('whose next page is at another path, by %s, is refused and not taken for whole', async (_, next, answer) => {
    const list = { path: '/orders', items: 'data', paging: { style: 'link', ...next } }
    const { orders: read, shop } = service(orders({ list }), () => answer)
    await expect(read.list(shop, query)).rejects.toThrow('the paging of the definition does not fit it')
  })

  test.each([
    '</orders?page=2>; rel="next last"',
    '</orders?page=9>; rel=last, </orders;v=1?page=2>; title="a; b, <c>"; REL=next',
    '</orders?page=1>; title="rel=next"; rel="prev", </orders?page=2> ; rel="next"',
    '</orders?page=2>; rel="next"; rel="prev"',
    '</orders?page=1,2>; rel=self,</orders?page=2>;rel=next',
  ])('goes on where a Link header says so: %s', async (link) => {
    const list = { path: '/orders', items: 'data', paging: { style: 'link' } }
    const { orders: read, shop } = service(orders({ list }), () => ({ body: { data: [{ id: 1 }] }, headers: { link } }))
    expect((await read.list(shop, query)).next).toBe('page=2')
  })

  test.each([
    '</orders?page=1>; rel="prev"',
    '</orders?page=1>; rel="prev"; title="next"',
    '</orders?page=1>; rel="nextup"',
    '',
  ])('ends where a Link header names no next page: %s', async (link) => {
    const list = { path: '/orders', items: 'data', paging: { style: 'link' } }
    const { orders: read, shop } = service(orders({ list }), () => ({ body: { data: [] }, headers: { link } }))
    expect((await read.list(shop, query)).next).toBeNull()
  })

  test('has its cursor in headers, both ways', async () => {
    const paging = { style: 'cursor', parameter: 'X-After', in: 'header', next_header: 'X-Next' }
    const list = { path: '/orders', items: 'data', headers: [{ name: 'X-Version', value: '2' }], paging }
    const {
      orders: read,
      shop,
      asked,
    } = service(orders({ list }), () => ({
      body: { data: [] },
      headers: { 'x-next': 'c2' },
    }))
    expect((await read.list(shop, query)).next).toBe('c2')
    await read.list(shop, { ...query, cursor: 'c1' })
    expect(asked.map(({ headers }) => headers)).toEqual([{ 'X-Version': '2' }, { 'X-Version': '2', 'x-after': 'c1' }])
  })

  test('goes on after the last key, to the empty page', async () => {
    const paging = { style: 'keyset', parameter: 'after_id', key: 'id' }
    const {
      orders: read,
      shop,
      asked,
    } = service(orders({ list: { path: '/orders', items: 'data', paging } }), ({ query: of }) => {
      const after = Number(of?.['after_id'] ?? 0)
      return {
        body: {
          data: [1, 2, 3]
            .filter((id) => id > after)
            .slice(0, 2)
            .map((id) => ({ id })),
        },
      }
    })
    const ids: unknown[] = []
    let cursor: string | null = null
    do {
      const page = await read.list(shop, { ...query, cursor })
      ids.push(...page.items)
      cursor = page.next
    } while (cursor !== null)
    expect(ids).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    expect(asked).toHaveLength(3)
  })

  test.each([
    [{ name: 'q', template: 'updated:>={since}' }, { q: 'updated:>=2026-03-01T09:59:59Z' }],
    [
      { name: 'sqlfilters', template: "(t.tms:>:'{since}')", time: 'local', zone: 'Europe/Paris' },
      { sqlfilters: "(t.tms:>:'2026-03-01 10:59:59')" },
    ],
    [{ name: 'from', time: 'milliseconds' }, { from: Date.parse('2026-03-01T09:59:59Z') }],
  ])('asks for what changed as %j says', async (said, expected) => {
    const list = { ...paged.orders?.list, since: said }
    const { orders: read, shop, asked } = service(orders({ list }), () => ({ body: { data: [] } }))
    await read.list(shop, since)
    expect(asked[0]?.query).toMatchObject(expected)
  })
})

test('one record is asked for with parameters, which may be all that names it', async () => {
  const get = { path: '/orders', record: 'data', query: [{ name: 'filter[id]', value: '{id}' }] }
  const {
    orders: read,
    shop,
    asked,
  } = service(orders({ get }), ({ query: of }) => ({
    body: { data: of?.['filter[id]'] === '5' ? [{ id: 5 }] : [] },
  }))
  expect(await read.get(shop, '5')).toEqual({ id: 5 })
  expect(await read.get(shop, '6')).toBeNull()
  expect(asked[0]).toMatchObject({ path: '/orders', query: { 'filter[id]': '5' } })
})

test('what is filled into an expression cannot end it', async () => {
  const get = { path: '/orders', record: 'data', query: [{ name: 'q', value: "id:'{id}'" }] }
  const { orders: read, shop, asked } = service(orders({ get }), () => ({ body: { data: [] } }))
  await expect(read.get(shop, "1' or '1'='1")).rejects.toMatchObject({ kind: 'upstream_refused' })
  expect(asked).toEqual([])
  await read.get(shop, 'A-1 b')
  expect(asked).toMatchObject([{ query: { q: "id:'A-1 b'" } }])
})

describe('what belongs to records', () => {
  const list = { ...paged.orders?.list, paging: { style: 'none' } }

  test('is asked for in batches, page by page, and put on each of them', async () => {
    const lines = {
      ...{ name: 'lines', key: 'id', path: '/lines', items: 'data', match: 'order', many: true, batch: 2 },
      query: [{ name: 'filter[order][_in]', value: '{keys}' }],
      paging: { style: 'page', parameter: 'page' },
    }
    const {
      orders: read,
      shop,
      asked,
    } = service(orders({ list, joins: [lines] }), ({ path, query: of }) => {
      if (path === '/orders') return { body: { data: [{ id: 1 }, { id: 2 }, { id: 3 }] } }
      const keys = String(of?.['filter[order][_in]']).split(',').map(Number)
      const rows = keys.flatMap((order) =>
        order === 2
          ? []
          : [
              { order, n: 1 },
              { order, n: 2 },
            ],
      )
      const page = Number(of?.['page']) - 1
      return { body: { data: rows.slice(page, page + 1) } }
    })
    const { items } = await read.list(shop, query)
    expect(items).toEqual([
      {
        id: 1,
        lines: [
          { order: 1, n: 1 },
          { order: 1, n: 2 },
        ],
      },
      { id: 2, lines: [] },
      {
        id: 3,
        lines: [
          { order: 3, n: 1 },
          { order: 3, n: 2 },
        ],
      },
    ])
    expect(asked.filter(({ path }) => path === '/lines').map(({ query: of }) => of?.['filter[order][_in]'])).toEqual([
      ...['1,2', '1,2', '1,2'],
      ...['3', '3', '3'],
    ])
  })

  test('is asked for once by each key, and may be missing', async () => {
    const customer = { name: 'customer', key: 'socid', path: '/thirdparties/{key}' }
    const {
      orders: read,
      shop,
      asked,
    } = service(orders({ list, joins: [customer] }), ({ path }) => {
      if (path === '/orders') return { body: { data: [{ socid: 4 }, { socid: '4' }, { socid: 5 }, {}] } }
      return path === '/thirdparties/4' ? { body: { town: 'Paris' } } : { status: 404 }
    })
    const { items } = await read.list(shop, query)
    expect(items.map((item) => Object(item)['customer'])).toEqual([{ town: 'Paris' }, { town: 'Paris' }, null, null])
    expect(asked).toHaveLength(3)
  })

  test('is there when one record is asked for', async () => {
    const customer = { name: 'customer', key: 'socid', path: '/thirdparties/{key}' }
    const { orders: read, shop } = service(orders({ joins: [customer] }), ({ path }) =>
      path === '/orders/1' ? { body: { data: { socid: 'a/b' } } } : { body: { path } },
    )
    expect(await read.get(shop, '1')).toEqual({ socid: 'a/b', customer: { path: '/thirdparties/a%2Fb' } })
  })

  test('without end is refused', async () => {
    const lines = {
      name: 'lines',
      key: 'id',
      path: '/lines/{key}',
      many: true,
      paging: { style: 'keyset', parameter: 'a', key: 'n' },
    }
    let n = 0
    const { orders: read, shop } = service(orders({ list, joins: [lines] }), ({ path }) =>
      path === '/orders' ? { body: { data: [{ id: 1 }] } } : { body: [{ n: ++n }] },
    )
    await expect(read.list(shop, query)).rejects.toMatchObject({
      message: expect.stringContaining('more than 100 pages'),
    })
  })
})

describe('stock', () => {
  const find = {
    path: '/articles',
    query: [{ name: 'sku', value: '{sku}' }],
    items: 'data',
    id: 'id',
    available: 'free',
  }
  const inventory = (set: object) => ({ inventory: { ...paged.inventory, set } })
  const settings = [{ sku: 'A', quantity: 9 }]

  test('is set by the id of the article, which is looked for by its SKU', async () => {
    const set = { method: 'PATCH', path: '/articles/{id}', body: [{ path: 'free', field: 'quantity' }], find }
    const { setLevels, shop, asked } = service(inventory(set), ({ query: of }) => ({
      body: { data: of?.['sku'] === 'A' ? [{ id: 17, free: 4 }] : of?.['sku'] === 'D' ? [{ id: 1 }, { id: 2 }] : [] },
    }))
    const results = await setLevels(shop, [...settings, { sku: 'X', quantity: 1 }, { sku: 'D', quantity: 1 }], {
      id: 'o',
    })
    expect(results.map(({ ok, error }) => [ok, error])).toEqual([
      [true, null],
      [false, 'The shop has no such article.'],
      [false, 'Several articles of the shop have the same SKU.'],
    ])
    expect(asked[1]).toMatchObject({ method: 'PATCH', path: '/articles/17', body: { free: 9 } })
  })

  test('is moved by the difference, never twice by itself, and not at all where it is right', async () => {
    const body = [
      { path: 'product_id', field: 'id' },
      { path: 'qty', field: 'difference' },
    ]
    let free = 4
    const set = { method: 'POST', path: '/stockmovements', body, find }
    const { setLevels, shop, asked } = service(inventory(set), ({ method }) => {
      if (method === 'POST') free = 9
      return { body: { data: [{ id: 17, free }] } }
    })
    await setLevels(shop, settings, { id: 'o' })
    await setLevels(shop, settings, { id: 'o' })
    const moved = asked.filter(({ method }) => method === 'POST')
    expect(moved).toMatchObject([{ body: { product_id: '17', qty: 5 }, repeatable: false }])
  })
})

test('a cancellation that the shop has made is one, even where its answer cannot be read any more', async () => {
  const raw = {
    ...{ id: 1, state: 'ready', payment: { state: 'paid' }, rows: [] },
    ...{ created: '2026-03-01T10:00:00Z', updated: '2026-03-01T10:00:00Z', totals: { currency: 'EUR', grand: '1.00' } },
  }
  let state = 'paid'
  const { orders: read, shop } = service({}, ({ method }) => {
    if (method === 'POST') state = 'odd'
    return { body: { data: { ...raw, payment: { state } } } }
  })
  expect(await read.cancel?.send(shop, { remoteId: '1', reason: null }, { id: 'o' })).toMatchObject({
    status: 'cancelled',
  })
  await expect(read.cancel?.send(shop, { remoteId: '1', reason: null }, { id: 'o' })).rejects.toMatchObject({
    kind: 'upstream_refused',
    message: expect.stringContaining('no word for "odd" in orders.payment_statuses'),
  })
})

test('a word for all others, and a whole name', () => {
  const statuses = [
    { theirs: 'sent', ours: 'completed' },
    { theirs: '*', ours: 'open' },
  ]
  const fields = { ...paged.orders?.fields, customer: { name: { template: '{buyer.names.0} {buyer.names.1}' } } }
  const { orders: read, shop } = service(orders({ statuses, fields }), () => ({}))
  const raw = {
    ...{ id: 1, state: 'whatever', payment: { state: 'paid' }, rows: [], buyer: { names: ['Ada Maria', 'Byron'] } },
    ...{ created: '2026-03-01T10:00:00Z', updated: '2026-03-01T10:00:00Z', totals: { currency: 'EUR', grand: '1.00' } },
  }
  expect(read.translate(raw, shop)).toMatchObject({
    status: 'open',
    customer: { first_name: 'Ada Maria', last_name: 'Byron' },
  })
})
