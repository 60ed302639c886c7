import { describe, expect, test } from 'vitest'
import { checkDefinition, readDefinition } from './check-definition.ts'
import { type SeenPage, suggestAll } from './suggest-rest.ts'

type Tree = Record<string, unknown>

/** As somebody takes all of it up in the console. */
function taken(written: Tree, ...pages: SeenPage[]): Tree {
  const tree: Tree = structuredClone(written)
  for (const page of pages) {
    for (const { at, field, value, place } of suggestAll(tree, page)) {
      const names = (at ?? `${page.part}.${field}`).split('.')
      const last = names.pop() ?? ''
      const inner = names.reduce<Tree>((inside, name) => {
        inside[name] ??= {}
        return inside[name] as Tree
      }, tree)
      inner[last] ??= value ?? place
    }
  }
  return tree
}

const line = { id: 11, sku: 'A-1', title: 'Engine', quantity: 2, price_cents: 1250 }
const order = {
  ...{ id: 7, status: 'new', date_created: '2026-11-01T10:00:00Z', date_updated: null, total_cents: 2500 },
  ...{ customer_name: 'Ada Byron', customer_email: 'ada@example.com', street: '1 Way', zip: '75001', city: 'Paris' },
  ...{ country: 'FR', tracking_number: null, carrier: null, lines: [line] },
}
const article = {
  ...{ id: 1, sku: 'A-1', title: 'Engine', price_cents: 1250, stock: 40 },
  ...{ date_created: '2026-10-01T08:00:00Z', date_updated: '2026-10-02T08:00:00Z' },
}
const orders = [order, { ...order, id: 8, status: 'shipped' }, { ...order, id: 9, status: 'cancelled' }]
const outline = {
  origin: { from: 'setting' },
  auth: { kind: 'bearer' },
  format: { currency: 'EUR' },
  orders: { list: { path: '/items/orders' } },
  products: { list: { path: '/items/articles' } },
}
const pages: SeenPage[] = [
  { part: 'orders', records: orders, body: { data: orders } },
  { part: 'products', records: [article], body: { data: [article] } },
]

describe('what is suggested from a page of orders and one of articles', () => {
  const whole = taken(outline, ...pages)

  test('is a whole description', () => {
    expect(readDefinition(whole).errors).toBeNull()
    expect(Object.keys(checkDefinition(whole)).sort()).toEqual(
      ['auth', 'format', 'inventory', 'orders', 'origin', 'products', 'shipments'].sort(),
    )
  })

  test('knows cents, times that are only there after a change, and an address without a name', () => {
    expect(whole['orders']).toMatchObject({
      fields: {
        total: { at: 'total_cents', money: 'minor' },
        updated_at: { select: 'not_null(date_updated, date_created)' },
        shipping_address: { line1: 'street', city: 'city', postal_code: 'zip', country_code: 'country' },
      },
      lines: { items: 'lines', fields: { unit_price: { at: 'price_cents', money: 'minor' } } },
    })
  })

  test('has the words of the service, and what would be sent', () => {
    expect(whole['orders']).toMatchObject({
      statuses: [
        { theirs: 'cancelled', ours: 'cancelled' },
        { theirs: 'new', ours: 'open' },
        { theirs: 'shipped', ours: 'completed' },
      ],
      get: { path: '/items/orders/{id}', record: 'data' },
      cancel: { method: 'PATCH', path: '/items/orders/{id}', body: [{ path: 'status', value: 'cancelled' }] },
      shipments: { fields: { tracking_number: 'tracking_number', carrier: 'carrier' } },
    })
    expect(whole['shipments']).toMatchObject({
      create: { body: [{ field: 'tracking_number' }, { field: 'carrier' }, { path: 'status', value: 'shipped' }] },
    })
    expect(whole['inventory']).toMatchObject({
      list: { path: '/items/articles' },
      set: {
        path: '/items/articles/{id}',
        find: { query: [{ name: 'filter[sku][_eq]', value: '{sku}' }], items: 'data', id: 'id' },
      },
    })
  })

  test('asks for what has changed and for what is new, where these are two places', () => {
    const { list } = Object(whole['orders'])
    expect(list.since.template).toBe(
      '{"_or":[{"date_updated":{"_gte":"{since}"}},{"date_created":{"_gte":"{since}"}}]}',
    )
    expect(Object(whole['products']).list.since).toBe('filter[date_updated][_gte]')
  })
})

test('Dolibarr is known by the name of its key: its numbers are words, its customers are joined, its stock is moved', () => {
  const own = {
    ...{ id: '12', ref: 'CO-12', statut: '1', status: '1', socid: '4', date: 1_793_520_000, note_public: null },
    ...{ date_creation: 1_793_520_000, date_modification: 1_793_523_600, total_ttc: '30.00000000' },
    lines: [
      { id: '31', product_ref: 'A-1', label: null, product_label: 'Engine', qty: '2', price: null, subprice: '12.5' },
    ],
  }
  const ware = { id: '9', ref: 'A-1', label: 'Engine', price: '12.5', price_ttc: '15', stock_reel: '40', status: '1' }
  const written = {
    ...{ origin: { from: 'setting' }, auth: { kind: 'header', name: 'DOLAPIKEY' }, format: { currency: 'EUR' } },
    ...{ orders: { list: { path: '/orders' } }, products: { list: { path: '/products' } } },
  }
  const whole = taken(
    written,
    { part: 'orders', records: [own], body: [own] },
    { part: 'products', records: [{ ...ware, date_modification: '2026-11-15 12:28:31' }], body: [ware] },
  )
  expect(readDefinition(whole).errors).toBeNull()
  expect(whole).toMatchObject({
    orders: {
      list: { paging: { style: 'page', first: 0 }, since: { name: 'sqlfilters' } },
      ...{ format: { time: 'unix' }, joins: [{ name: 'customer', key: 'socid' }] },
      fields: { status: 'statut', customer: { email: 'customer.email' } },
      statuses: expect.arrayContaining([{ theirs: '0', ours: 'pending' }]),
      lines: { fields: { sku: 'product_ref', unit_price: 'subprice' } },
    },
    products: { format: { time: 'local' }, variants: { fields: { price: 'price_ttc' } } },
    inventory: {
      list: { query: expect.arrayContaining([{ name: 'includestockdata', value: '1' }]) },
      set: { method: 'POST', path: '/stockmovements', find: { available: { at: 'stock_reel' } } },
    },
    shipments: { create: { body: [{ path: 'note_public' }, { path: 'statut', value: 3 }] } },
  })
  expect(Object(whole['products']).list.since).toBeUndefined()
})

test('nothing is suggested for levels that they cannot have', () => {
  const whole = taken(outline, ...pages, { part: 'inventory', records: [article] })
  expect(readDefinition(whole).errors).toBeNull()
})

test('ids in the place of lines are asked for as records, where it is known how', () => {
  const bare = [{ ...order, lines: [11, 12] }]
  const found = suggestAll(outline, { part: 'orders', records: bare, body: { data: bare } })
  expect(found.find(({ field }) => field === 'list.query')?.value).toContainEqual({
    name: 'fields',
    value: '*,lines.*',
  })
  expect(found.find(({ field }) => field === 'get')?.value).toMatchObject({
    query: [{ name: 'fields', value: '*,lines.*' }],
  })
})

test.each([
  [{ results: [order], next: 'https://erp.example/orders?page=2', count: 3 }, { style: 'link', next: 'next' }, 'count'],
  [
    { rows: [order], meta: { next_cursor: 'abc', total: 3 } },
    { style: 'cursor', next: 'meta.next_cursor' },
    'meta.total',
  ],
])('where no kind of service is known, its answer tells how the list goes on', (body, paging, total) => {
  const written = { orders: { list: { path: '/orders' } } }
  const found = suggestAll(written, { part: 'orders', records: [order], body })
  const value = (field: string) => found.find((one) => one.field === field)?.value
  expect(value('list.items')).toBe(Object.keys(body)[0])
  expect(value('list.paging')).toMatchObject(paging)
  expect(value('list.total')).toBe(total)
})

test('what the description says already is not suggested otherwise', () => {
  const list = { path: '/items/orders', items: 'data', paging: { style: 'none' }, total: 'n', query: [], since: 's' }
  const found = suggestAll({ orders: { list, get: { path: '/one/{id}' } } }, { part: 'orders', records: orders })
  expect(found.filter(({ field }) => field.startsWith('list.') || field === 'get')).toEqual([])
  expect(found.find(({ field }) => field === 'cancel')?.value).toMatchObject({ path: '/one/{id}' })
})

test.each([null, 7, [], 'x', { status: {} }, { lines: [null] }, { status: 'a'.repeat(500) }])(
  '%j does no harm',
  (record) => {
    for (const part of ['orders', 'products', 'inventory'] as const) {
      expect(
        Array.isArray(suggestAll({ [part]: { list: 5 } }, { part, records: [record, record], body: record })),
      ).toBe(true)
    }
  },
)
