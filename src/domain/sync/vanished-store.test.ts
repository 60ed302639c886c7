import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { nodesIn, plansOf } from '../../../test/support/read-plans.ts'
import { watchStatements } from '../../../test/support/watch-statements.ts'
import type { SyncKind } from './sync.ts'
import { countUnseen, forgetSeen, type Place, unseenKeys } from './vanished-store.ts'

/** More than are held against each other at a time. */
const rows = 12_000
const everyNth = 1000
const integrationId = 1
const startedAt = '2099-01-01T00:00:00Z'

let it: TestContext
let watch: ReturnType<typeof watchStatements>

beforeAll(async () => {
  watch = watchStatements()
  it = await createTestContext()
  const { db } = it.context
  await sql`insert into integration_state (integration_id) values (${integrationId})`.execute(db)
  await sql`
    insert into orders (integration_id, remote_id, number, status, currency, total, remote_version, placed_at)
    select ${integrationId}, n::text, n::text, 'PENDING', 'EUR', 1, '1', timestamptz '2026-01-01 00:00:00Z' + make_interval(mins => n)
    from generate_series(1, ${rows}::int) n`.execute(db)
  await sql`
    insert into inventory (integration_id, sku, location, remote_id, quantity)
    select ${integrationId}, 'sku ' || n % 7, 'place ' || n % 5, n::text, 1 from generate_series(1, ${rows}::int) n`.execute(
    db,
  )
  await sql`
    insert into sync_seen (integration_id, run_id, kind, remote_id)
    select ${integrationId}, 1, kind, case kind when 'orders' then n::text
      else 'place ' || n % 5 || chr(10) || n || chr(10) || 'sku ' || n % 7 end
    from generate_series(1, ${rows}::int) n cross join unnest(array['orders', 'inventory']) kind
    where n % ${everyNth}::int > 0`.execute(db)
})
afterAll(async () => {
  watch.stop()
  await it.close()
})

const keysOf = async (kind: SyncKind, since: string | null) => {
  const pass = { run: 1, since, startedAt }
  const keys: string[] = []
  let after: Place | null = null
  for (;;) {
    const some: Awaited<ReturnType<typeof unseenKeys>> = await unseenKeys(it.context, integrationId, {
      ...{ kind, pass, after, limit: 5 },
    })
    keys.push(...some.map(({ key }) => key))
    const last = some.at(-1)
    if (!last) return keys
    after = last.place
  }
}

const missed = Array.from({ length: rows / everyNth }, (_, n) => (n + 1) * everyNth)

test('what a pass over the whole shop has not come across is found piece by piece, each once', async () => {
  const pass = { run: 1, since: null, startedAt }
  expect(await countUnseen(it.context, integrationId, { kind: 'orders', pass })).toEqual({ held: rows, unseen: 12 })
  expect(await keysOf('orders', null)).toEqual(missed.map(String))
})

test('of a part of it, only what was placed since is gone through', async () => {
  const pass = { run: 1, since: '2026-01-05T00:00:00Z', startedAt }
  const before = 4 * 24 * 60 - 1
  const counts = await countUnseen(it.context, integrationId, { kind: 'orders', pass })
  expect(counts).toEqual({ held: rows - before, unseen: missed.filter((n) => n > before).length })
  expect(await keysOf('orders', pass.since)).toEqual(missed.filter((n) => n > before).map(String))
})

test('levels are told apart by place, article and SKU', async () => {
  const pass = { run: 1, since: null, startedAt }
  expect(await countUnseen(it.context, integrationId, { kind: 'inventory', pass })).toEqual({ held: rows, unseen: 12 })
  const names = missed.map((n) => `place ${n % 5}\n${n}\nsku ${n % 7}`)
  expect((await keysOf('inventory', null)).sort()).toEqual(names.sort())
})

test('what runs have seen that are over is forgotten, however much it is, and never held against itself', async () => {
  const { sent } = await watch.during(() => forgetSeen(it.context.db, integrationId))
  const [forget] = sent.filter(({ text }) => text.includes('delete from'))
  if (!forget) throw new Error('Nothing was forgotten.')
  const client = new pg.Client({ connectionString: it.url })
  await client.connect()
  const nodes = nodesIn(await plansOf(client, forget, 'each time'))
  await client.end()
  expect(nodes.map((node) => node['Node Type']).filter((type) => /Join|Nested Loop/.test(type))).toEqual([])
  expect(await it.database.query('select from sync_seen where integration_id = 1 limit 1')).toEqual([])
})
