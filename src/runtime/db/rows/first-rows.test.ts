import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { nodesIn, plansOf } from '../../../../test/support/read-plans.ts'
import { firstRows } from './first-rows.ts'

/** Of a shop that has come since the statistics were taken. */
const shop = 7001

let it: TestContext
let client: pg.Client
beforeAll(async () => {
  it = await createTestContext()
  client = new pg.Client({ connectionString: it.url })
  await client.connect()
  await client.query('insert into integration_state (integration_id) select generate_series(7000, $1::int)', [shop])
  const seen = `insert into sync_seen (integration_id, run_id, kind, remote_id)
    select $1, 1 + n % 2, 'orders', n from generate_series(1, $2::int) n`
  await client.query(seen, [shop - 1, 1000])
  await client.query('analyze sync_seen')
  await client.query(seen, [shop, 100])
})
afterAll(async () => {
  await client.end()
  await it.close()
})

const key = ['run_id', 'kind', 'remote_id']
const ofTwo = { key, limit: 20, which: sql`run_id <> 1` }
const piece = (more: { key: string[]; limit: number }) =>
  sql`delete from ${firstRows('sync_seen', shop, more)}`.compile(it.context.db)

test('are deleted in the order of their key, so many at a time, until none is left', async () => {
  const sizes: number[] = []
  do {
    const { rows } = await sql<{ remote_id: string }>`
      delete from ${firstRows('sync_seen', shop, ofTwo)} returning remote_id`.execute(it.context.db)
    if (sizes.length === 0) {
      const first = Array.from({ length: 50 }, (_, n) => String(2 * n + 1))
        .sort()
        .slice(0, 20)
      expect(rows.map((row) => row.remote_id).sort()).toEqual(first)
    }
    sizes.push(rows.length)
  } while (sizes.at(-1) !== 0)
  expect(sizes).toEqual([20, 20, 10, 0])
  const { rows } = await client.query(
    'select integration_id::int as of, count(*)::int from sync_seen group by 1 order by 1',
  )
  expect(rows).toEqual([
    { of: shop - 1, count: 1000 },
    { of: shop, count: 50 },
  ])
})

test('are a part of the index, whatever the statistics know, and never held against each other', async () => {
  const { sql: text, parameters } = piece({ key, limit: 1000 })
  for (const planned of ['each time', 'once'] as const) {
    const nodes = nodesIn(await plansOf(client, { text, values: [...parameters] }, planned))
    expect(nodes.map((node) => node['Node Type']).filter((type) => /Join|Nested Loop/.test(type))).toEqual([])
  }
})
