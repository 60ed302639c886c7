import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { makeIntegration } from '../../../../test/support/gateway.ts'
import { makeApp } from '../../../../test/support/identity.ts'
import { nodesIn, plansOf } from '../../../../test/support/read-plans.ts'
import { statementsNaming } from '../../../../test/support/sql-statements.ts'
import { watchStatements } from '../../../../test/support/watch-statements.ts'
import { namedRows, rowsOfOrders } from './named-rows.ts'

let it: TestContext
let watch: ReturnType<typeof watchStatements>
let client: pg.Client
let shop: number
beforeAll(async () => {
  watch = watchStatements()
  it = await createTestContext()
  const { integration } = await makeIntegration(it.context, { appId: await makeApp(it.context) })
  shop = integration.id
  client = new pg.Client({ connectionString: it.url })
  await client.connect()
  // No look at the tables comes in between: the statistics know of other shops only.
  await client.query(
    `insert into orders (integration_id, remote_id, number, status, currency, total, items)
     select $1, 'r' || n, '#' || n, 'PENDING', 'EUR', 1, '[]' from generate_series(1, 1000) n`,
    [shop],
  )
  await client.query(
    `insert into products (integration_id, remote_id, sku, name, price, currency)
     select $1, 'r' || n, 'SKU-' || n, 'Thing', 1, 'EUR' from generate_series(1, 1000) n`,
    [shop],
  )
})
afterAll(async () => {
  watch.stop()
  await client.end()
  await it.close()
})

/** How the one statement that looks up something is gone about, whatever the values are and with these. */
async function conditionsOf(table: string, work: () => Promise<unknown>): Promise<string[]> {
  const { sent } = await watch.during(work)
  const [select] = sent.filter(({ text }) => text.includes('named(wanted)'))
  if (!select) throw new Error('Nothing was asked.')
  const plans = await Promise.all((['each time', 'once'] as const).map((planned) => plansOf(client, select, planned)))
  const looks = nodesIn(plans).filter((node) => node['Relation Name'] === table)
  return looks.map((node) => JSON.stringify(Object(node)['Index Cond']))
}

const wanted = Array.from({ length: 100 }, (_, n) => `r${n * 20}`)

test.each(['orders', 'products'] as const)(
  '%s of a new shop are looked up by their whole key, and not among all that it has',
  async (table) => {
    const read = () =>
      sql<{ remote_id: string }>`
      select remote_id from ${namedRows(table, shop, ['r7', ...wanted, 'r7'])} order by id`.execute(it.context.db)
    // As often as they are there, however often they were named.
    expect((await read()).rows.map((row) => row.remote_id)).toEqual(['r7', ...wanted.slice(1, 51)])
    const whole = expect.stringMatching(/integration_id.*remote_id/)
    expect(await conditionsOf(table, read)).toEqual([whole, whole])
  },
)

test('parcels of orders of a new shop are looked up by their orders', async () => {
  await client.query(
    `insert into shipments (integration_id, order_id, tracking_number, carrier, status)
     select integration_id, id, 't' || n, 'DHL', 'SHIPPED' from orders cross join generate_series(1, 2) n where integration_id = $1`,
    [shop],
  )
  const { rows: orders } = await client.query<{ id: number }>(
    'select id::int from orders where integration_id = $1 order by id limit 100',
    [shop],
  )
  const ids = orders.map(({ id }) => id)
  const read = () =>
    sql<{ order_id: number }>`
      select order_id from ${rowsOfOrders('shipments', shop, [...ids, ...ids])} order by id`.execute(it.context.db)
  expect((await read()).rows.map((row) => row.order_id).sort((a, b) => a - b)).toEqual(ids.flatMap((id) => [id, id]))
  const whole = expect.stringMatching(/integration_id.*order_id/)
  expect(await conditionsOf('shipments', read)).toEqual([whole, whole])
})

test('nobody asks for orders or products of the shop in the way that goes through all of them', async () => {
  const statements = await statementsNaming(['orders', 'products'])
  expect(statements.length).toBeGreaterThan(50)
  // What is locked has to be named as a table; that are a few articles which somebody changes.
  const reads = statements.filter(({ text }) => /^\s*select\b/i.test(text) && !/\bfor update\b/.test(text))
  const walking = reads.filter(({ text }) => /\bremote_id = any\(/.test(text))
  expect(walking.map(({ where }) => where)).toEqual([])
})
