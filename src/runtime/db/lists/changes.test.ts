import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { untilHolds } from '../../../../test/support/until.ts'
import { columnTypes } from '../column-types.ts'
import { type ChangePlan, positionOf, readChanges, settledUntil } from './changes.ts'

/** What holds under many writers at once is proved by test/prove/changes-never-skip.ts. */

let it: TestContext
beforeAll(async () => {
  it = await createTestContext()
  await sql`insert into integration_state (integration_id) values (1), (2)`.execute(it.context.db)
})
afterAll(() => it.close())

const plan: ChangePlan = {
  name: 'tested-levels',
  from: 'inventory',
  columns: 'sku, location, quantity, updated_at',
  keys: [
    { column: 'sku', type: 'text' },
    { column: 'location', type: 'text' },
  ],
}
const begin = '2000-01-01T00:00:00Z'

interface Row {
  sku: string
  quantity: number
}

const read = (since: string, { integrationId = 1, limit = 100 } = {}) =>
  readChanges<Row>(it.database.pool, plan, integrationId, { since, limit })

const put = (sku: string, quantity: number, integrationId = 1) =>
  sql`insert into inventory as i (integration_id, sku, location, quantity) values (${integrationId}, ${sku}, '', ${quantity})
    on conflict (integration_id, sku, location, remote_id) do update
    set quantity = excluded.quantity, updated_at = excluded.updated_at`

/** Follows the cursor until these have been seen. */
async function awaitRows(since: string, skus: readonly string[], integrationId = 1) {
  const seen = new Map<string, number>()
  let cursor = since
  await untilHolds(async () => {
    const page = await read(cursor, { integrationId })
    for (const { sku, quantity } of page.rows) seen.set(sku, quantity)
    cursor = page.cursor
    expect([...seen.keys()]).toEqual(expect.arrayContaining([...skus]))
  })
  return { seen, cursor }
}

describe('changes', () => {
  test('wait for a transaction that began before them, and come with it', async () => {
    const { db } = it.context
    let cursor = ''
    await db.transaction().execute(async (slow) => {
      await sql`select now()`.execute(slow)
      await put('quick', 1).execute(db)
      await untilHolds(async () => expect(Date.now() - Date.parse(await began())).toBeGreaterThan(1100))
      const early = await read(begin)
      expect([early.rows, early.more]).toEqual([[], false])
      cursor = early.cursor
      await put('slow', 2).execute(slow)
    })
    const { seen } = await awaitRows(cursor, ['quick', 'slow'])
    expect(Object.fromEntries(seen)).toEqual({ quick: 1, slow: 2 })
  })

  test.each([
    [
      'reads all of it for a backup',
      'begin isolation level repeatable read read only',
      'select count(*) from inventory',
    ],
    ['has begun and does nothing', 'begin', 'select now()'],
    ['writes something else', 'begin', 'create temp table notes as select 1 as note'],
  ])('come although somebody else %s', async (_, ...statements) => {
    await asStranger(async (stranger) => {
      for (const statement of statements) await stranger.query(statement)
      const { cursor } = await read(begin)
      await put('unhindered', 1).execute(it.context.db)
      const { seen } = await awaitRows(cursor, ['unhindered'])
      expect(seen.get('unhindered')).toBe(1)
      const { rows } = await stranger.query<{ open: boolean }>('select now() < statement_timestamp() as open')
      expect(rows).toEqual([{ open: true }])
    })
  })

  test('wait for somebody else who has changed rows as well', async () => {
    await asStranger(async (stranger) => {
      await stranger.query('begin')
      await stranger.query(
        `insert into inventory (integration_id, sku, location, quantity) values (1, 'by hand', '', 7)`,
      )
      const { rows } = await stranger.query<{ at: string }>('select now() as at')
      expect((await settledUntil(it.database.pool)) < (rows[0]?.at ?? '')).toBe(true)
      await stranger.query('commit')
    })
    const { seen } = await awaitRows(begin, ['by hand'])
    expect(seen.get('by hand')).toBe(7)
  })

  test('wait for everybody where a pooler hides whose connections are ours', async () => {
    await asStranger(async (stranger) => {
      await stranger.query('begin')
      const { rows } = await stranger.query<{ at: string }>('select now() as at')
      await asStranger(async (reader) => {
        expect((await settledUntil(reader)) < (rows[0]?.at ?? '')).toBe(true)
      })
    })
  })

  test.each([
    [
      'a stranger who has changed rows',
      'somebody',
      `insert into products (integration_id, sku, name, price, currency) values (1, 's', 's', 1, 'EUR')`,
    ],
    ['one of us who has written nothing yet', 'entrepot', 'select now()'],
  ])('wait for %s, although it is hidden from us since when', async (_, name, statement) => {
    await asStranger(async (writer) => {
      await writer.query('begin')
      await writer.query(statement)
      const { rows } = await writer.query<{ at: string }>('select now() as at')
      const at = rows[0]?.at ?? ''
      await untilHolds(async () => expect(Date.now() - Date.parse(at)).toBeGreaterThan(1100))
      await asStranger(async (reader) => {
        // A role that may see its own connections only, of which there are none.
        await reader.query('set role pg_database_owner')
        expect((await settledUntil(reader)) < at).toBe(true)
        await writer.query('rollback')
        expect((await settledUntil(reader)) > at).toBe(true)
      }, 'entrepot')
    }, name)
  })

  /** One connection that is not the service's, unless it bears its name. */
  async function asStranger(work: (connection: pg.Pool) => Promise<void>, name = 'somebody') {
    const connection = new pg.Pool({
      connectionString: it.url,
      application_name: name,
      max: 1,
      idleTimeoutMillis: 0,
      types: columnTypes,
    })
    try {
      await work(connection)
    } finally {
      await connection.end()
    }
  }

  const began = async () => {
    const { rows } = await sql<{ at: string }>`
      select min(xact_start) as at from pg_stat_activity where datname = current_database()
        and backend_type = 'client backend'`.execute(it.context.db)
    return rows[0]?.at ?? ''
  }

  test('come in pages that follow on from each other, even where all have the same time', async () => {
    const { db } = it.context
    await sql`insert into inventory (integration_id, sku, location, quantity)
      select 2, 'page-' || lpad(n::text, 3, '0'), '', n from generate_series(1, 25) n`.execute(db)
    await awaitRows(begin, ['page-025'], 2)
    const pages: string[][] = []
    let cursor = begin
    for (let more = true; more; ) {
      const page = await read(cursor, { integrationId: 2, limit: 10 })
      pages.push(page.rows.map(({ sku }) => sku))
      ;({ cursor, more } = page)
    }
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5])
    expect(new Set(pages.flat()).size).toBe(25)
    const whole = await read(begin, { integrationId: 2, limit: 25 })
    expect([whole.rows.length, whole.more]).toEqual([25, false])
    expect((await read(begin, { integrationId: 2, limit: 24 })).more).toBe(true)
    const after = await read(cursor, { integrationId: 2 })
    expect([after.rows, after.cursor]).toEqual([[], cursor])
  })

  test('of a row that changes again come again', async () => {
    await put('again', 1).execute(it.context.db)
    const { cursor } = await awaitRows(begin, ['again'])
    await put('again', 2).execute(it.context.db)
    const { seen } = await awaitRows(cursor, ['again'])
    expect(seen.get('again')).toBe(2)
  })

  test('are settled before now, never after', async () => {
    const until = await settledUntil(it.database.pool)
    expect(Date.parse(until)).toBeLessThan(Date.now())
  })
})

describe('a position', () => {
  test('may be a time, down to the millisecond before', () => {
    expect(positionOf(plan, '2026-11-15T10:00:00.123456+01:00')).toEqual({ at: '2026-11-15T09:00:00.123Z', keys: null })
    expect(positionOf(plan, '2026-11-15')).toEqual({ at: '2026-11-15T00:00:00.000Z', keys: null })
  })

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

  test.each([
    ['nothing', ''],
    ['words', 'yesterday'],
    ['no array', encoded({ at: '2026-11-15T10:00:00.000000Z' })],
    ['another kind of cursor', encoded(['2026-11-15T10:00:00.000000Z', '7'])],
    ['no time', encoded(['now()', 'a', 'b'])],
    ['a day that is none', encoded(['2026-02-31T10:00:00.000000Z', 'a', 'b'])],
    ['what no column holds', encoded(['2026-11-15T10:00:00.000000Z', 'a\0', 'b'])],
    ['numbers', encoded(['2026-11-15T10:00:00.000000Z', 1, 2])],
  ])('that is %s is refused', (_, since) => {
    expect(() => positionOf(plan, since)).toThrow('neither a time nor the next_cursor')
  })
})
