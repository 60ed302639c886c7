import { afterAll, beforeAll, expect, test } from 'vitest'
import { nameBuyers } from '../bench/support/tenants.ts'
import { findOrderRecord, listOrderRecords } from '../src/domain/orders/order-record-store.ts'
import { createTestContext, type TestContext } from './support/context.ts'
import { makeIntegration } from './support/gateway.ts'
import { makeApp } from './support/identity.ts'
import { fillRows, ordersIn } from './support/many-rows.ts'
import { makePrivacyKeys, makeShops, type Shops } from './support/many-shops.ts'

/** What fills a database for proofs and benchmarks: the program has to find in it what it would have stored itself. */

const count = 40
const rows = 12_000
const orders = ordersIn(rows)

let tested: TestContext
let shops: Shops
let before: unknown
beforeAll(async () => {
  tested = await createTestContext()
  const { context, database } = tested
  const { integration } = await makeIntegration(context, { appId: await makeApp(context) })
  shops = await makeShops(database.query, integration.id, count)
  await makePrivacyKeys(database.query, context.keys, shops)
  before = await schema()
  await fillRows(database.query, [{ ...shops, rows }], { bareFrom: 0 })
})
afterAll(() => tested.close())

const schema = () =>
  tested.database.query(
    `select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     union all select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2, 3`,
  )

test('indexes and constraints are those from before', async () => {
  expect(await schema()).toEqual(before)
})

test('all orders are there, very many in the first shop and few in most', async () => {
  const { reader } = tested.context
  const totals: number[] = []
  for (let id = shops.first; id < shops.first + count; id++) {
    const { total } = await listOrderRecords(reader, id, { page: 1, perPage: 1, filter: {}, sort: [] })
    totals.push(Number(total))
  }
  expect(totals.reduce((sum, n) => sum + n, 0)).toBe(orders)
  expect(totals[0]).toBeGreaterThan(2 * 1024)
  expect(totals.toSorted((a, b) => a - b)[count / 2]).toBeLessThan(orders / count / 1.5)
})

test('pages of a long list follow each other to its end', async () => {
  const { reader } = tested.context
  const perPage = 100
  const ids: number[] = []
  for (let page = 1; ; page++) {
    const { rows: found } = await listOrderRecords(reader, shops.first, { page, perPage, filter: {}, sort: [] })
    ids.push(...found.map(({ id }) => id))
    if (found.length < perPage) break
  }
  const all = await tested.database.query<{ id: number }>(
    'select id from orders where integration_id = $1 order by id',
    [shops.first],
  )
  expect(ids).toEqual(all.map(({ id }) => id))
})

test('orders that are shown can be opened, as the program would have sealed them', async () => {
  const { context, database } = tested
  const { rows: page } = await listOrderRecords(context.reader, shops.first, {
    page: 1,
    perPage: 2,
    filter: {},
    sort: [],
  })
  const [named, other] = page.map(({ id }) => id)
  if (named === undefined || other === undefined) throw new Error('There are no orders.')
  await nameBuyers({ context, query: database.query }, shops.first, [named])
  const customerOf = async (id: number) => (await findOrderRecord(context.db, shops.first, id)).customer
  expect(await customerOf(named)).toMatchObject({ email: `buyer-of-${shops.first}@example.com` })
  expect(await customerOf(other)).toEqual({ redacted: true })
})
