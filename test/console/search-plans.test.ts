import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { search } from '../../src/domain/across/search.ts'
import { keysForSealing } from '../../src/runtime/db/vault/vault.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { crowd } from '../support/crowd.ts'
import { bigTables, costLooksAsAtHome, nodesIn, plansOf } from '../support/read-plans.ts'
import { watchStatements } from '../support/watch-statements.ts'

/** How the database goes about a search in an app of a thousand shops, and what it is asked at all. */

let it: TestContext
let client: pg.Client
let watch: ReturnType<typeof watchStatements>
const appId = crowd.firstId
const everything = { orders: true, shops: true }

const shop = `${crowd.firstId} + n % ${crowd.integrations}`

/**
 * So many that a thousand looks into an index are felt less than a walk. Under Citus more tables have to be that full: a shard
 * holds a part only, and PostgreSQL 15 walks one with 5,000 rows rather than look a thousand times.
 */
const many = [
  `insert into orders (integration_id, remote_id, number, status, currency, total, private, private_digest, private_words)
   select ${shop}, 'many-' || n, '#many-' || n, 'SHIPPED', 'EUR', 1, '\\x01', '\\x01', array[n, n % 500 + 5000000]::bigint[]
   from generate_series(1, 100000) n`,
  `insert into products (integration_id, remote_id, sku, name, price, currency, remote_version)
   select ${shop}, 'many-' || n, 'many-' || n, 'Many ' || n, 1, 'EUR', '1' from generate_series(1, 100000) n`,
  `insert into shipments (integration_id, order_id, tracking_number, carrier, status)
   select ${shop}, ${shop}, 'many-' || n, 'DHL', 'SHIPPED' from generate_series(1, 100000) n`,
  `insert into runs (integration_id, resource, status) select ${shop}, 'sync_orders', 'completed' from generate_series(1, 100000) n`,
]

beforeAll(async () => {
  watch = watchStatements()
  it = await createTestContext('crowd')
  await costLooksAsAtHome(it.url)
  client = new pg.Client({ connectionString: it.url })
  await client.connect()
  const { db } = it.context
  await sql`update integrations set app_id = ${appId}, account_id = null where id >= ${crowd.firstId}`.execute(db)
  for (const statement of inject('onCitus') ? many : many.slice(0, 1)) await client.query(statement)
  const { rows } = await sql<{ id: number }>`select id from integrations where app_id = ${appId}`.execute(db)
  expect(rows).toHaveLength(crowd.integrations)
  await keysForSealing(
    db,
    rows.map(({ id }) => id),
  )
  await client.query('analyze integrations, orders, products, shipments, runs')
  // On shards it takes most of a minute.
})
afterAll(async () => {
  watch.stop()
  await client.end()
  await it.close()
})

const inShops = /\b(?:orders|shipments|products|runs) r\b/

async function sentFor(q: string, may = everything) {
  const { sent, result } = await watch.during(() => search(it.context, appId, { q, may }))
  return { found: result, all: sent, sent: sent.filter(({ text }) => inShops.test(text)) }
}

describe.each([
  ['an order number', '#777', 1],
  ['a number', '1000000777', 1],
  ['a tracking number', 't777', 1],
  ['the shop’s own id of an order', 'r777', 1],
  ['a SKU', 'sku-777', 1],
  ['a phone number', '+49 30 1234567', 0],
  ['an e-mail address', 'nobody@example.com', 0],
  ['a name', 'Zebedee Nobody', 0],
  ['a word', 'Zebedee', 0],
])('%s', (_, q, least) => {
  test('is looked for in all shops by one statement, with an index for each of its parts', async () => {
    // The keys of shops are read once in the life of a process.
    await sentFor('Zebedee')
    const { sent, all, found } = await sentFor(q)
    expect(sent).toHaveLength(1)
    expect(all).toHaveLength(3)
    expect(Object.values(found).flat().length).toBeGreaterThanOrEqual(least)
    const big = await bigTables(client, 2000)
    for (const table of ['orders', 'products', 'runs']) expect(big).toContain(table)
    for (const one of sent) {
      for (const planned of ['each time', 'once'] as const) {
        const walked = nodesIn(await plansOf(client, one, planned)).filter((node) => node['Node Type'] === 'Seq Scan')
        expect(walked.map((node) => node['Relation Name'] ?? '').filter((table) => big.has(table))).toEqual([])
      }
    }
  })
})

test('words of orders that have just come are in the index at once: a list beside it would be read to its end by each look', async () => {
  const { rows } = await sql<{ options: string[] | null }>`
    select reloptions as options from pg_class where relname = 'orders_words'`.execute(it.context.db)
  expect(rows).toEqual([{ options: ['fastupdate=off'] }])
})

test('of shops nobody is asked for what whoever searches may not see', async () => {
  const tablesFor = async (q: string, may: typeof everything) =>
    (await sentFor(q, may)).sent.flatMap(({ text }) =>
      [...text.matchAll(/(?:from|join) (\w+) r\b/g)].map(([, name]) => name),
    )
  const orders = ['orders', 'orders', 'orders']
  expect(await tablesFor('777', everything)).toEqual([...orders, 'products', 'runs'])
  expect(await tablesFor('777', { orders: true, shops: false })).toEqual(orders)
  expect(await tablesFor('777', { orders: false, shops: true })).toEqual(['products', 'runs'])
  expect(await tablesFor('nobody@example.com', { orders: false, shops: true })).toEqual([])
  for (const q of ['777', 'Zebedee', 'nobody@example.com']) {
    const { sent, found } = await sentFor(q, { orders: false, shops: false })
    expect([sent, Object.values(found).flat()]).toEqual([[], []])
  }
})
