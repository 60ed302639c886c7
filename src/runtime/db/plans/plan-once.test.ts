import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { createLog } from '../../log.ts'
import { type Database, openDatabase } from '../connection.ts'
import { type ListPlan, paginate } from '../lists/paginate.ts'
import { maxNames, planOnce } from './plan-once.ts'

const log = createLog('silent')
let database: TestDatabase

beforeAll(async () => {
  database = await createEmptyDatabase()
  const made = openDatabase({ url: database.url, log })
  await made.query('create table things (id bigint primary key, a int, b int, c int, d int, e int)')
  await made.query('insert into things select n, n, n, n, n, n from generate_series(1, 20) n')
  await made.close()
})
afterAll(() => database.drop())

/** Over one connection, unless more are wanted. */
async function withDatabase(
  work: (opened: Database) => Promise<void>,
  options: { max?: number; pooled?: boolean } = {},
): Promise<void> {
  const opened = openDatabase({ url: database.url, log, max: 1, ...options })
  try {
    await work(opened)
  } finally {
    await opened.close()
  }
}

/** What the server keeps for the connection, in the order in which it was named. */
async function namedOn({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query<{ statement: string }>(
    'select statement from pg_prepared_statements order by prepare_time',
  )
  return rows.map(({ statement }) => statement)
}

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done++) await work()
}

describe('a statement', () => {
  const text = 'select a from things where id = $1'

  test('has a name from its third use on', () =>
    withDatabase(async (opened) => {
      await times(2, () => opened.query(text, [1]))
      expect(await namedOn(opened)).toEqual([])
      await times(5, () => opened.query(text, [1]))
      expect(await namedOn(opened)).toEqual([text])
    }))

  test('has it in transactions as well, and other words have none', () =>
    withDatabase(async (opened) => {
      await times(4, () => opened.transaction(async (trx) => void (await sql`select b from things`.execute(trx))))
      expect(await namedOn(opened)).toEqual(['select b from things'])
    }))

  test('keeps it when it fails, and gives it up in a transaction that has failed', () =>
    withDatabase(async (opened) => {
      await times(4, () => opened.query('select 1 / $1::int', [0]).catch(() => undefined))
      expect(await opened.query('select 1 / $1::int as n', [1])).toEqual([{ n: 1 }])
      expect(await namedOn(opened)).toEqual(['select 1 / $1::int'])
      const failing = opened.transaction(async (trx) => {
        await sql`select 1 / 0`.execute(trx).catch(() => undefined)
        for (let n = 0; n < maxNames; n++)
          await times(3, () =>
            sql
              .raw(`select ${n} from things`)
              .execute(trx)
              .catch(() => undefined),
          )
      })
      await expect(failing).rejects.toThrow('rolled back')
      expect(await namedOn(opened)).toEqual([])
      await opened.query('select 7 from things')
      expect(await namedOn(opened)).toEqual(['select 7 from things'])
    }))

  test('has none behind a pooler', () =>
    withDatabase(
      async (opened) => {
        await times(5, () => opened.query(text, [1]))
        expect(await namedOn(opened)).toEqual([])
      },
      { pooled: true },
    ))

  test('goes on without one where the server does not know it, as behind a pooler that nobody has told us of', () =>
    withDatabase(async (opened) => {
      await times(3, () => opened.query(text, [1]))
      await opened.pool.query('deallocate all')
      await times(5, async () => expect(await opened.query(text, [1])).toEqual([{ a: 1 }]))
      expect(await namedOn(opened)).toEqual([])
    }))

  test('is planned anew after a second, and then after twice as long each time, up to a minute', async () => {
    let now = 0
    const ask = planOnce({ pooled: false, now: () => now })
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const name = async () => (await client.query('select name from pg_prepared_statements')).rows.map((row) => row.name)
    await times(4, () => ask(client, text, [1]))
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const before = await name()
      expect(before).toHaveLength(1)
      now += seconds * 1000 - 1
      await ask(client, text, [1])
      expect(await name()).toEqual(before)
      now += 1
      await ask(client, text, [1])
      expect(await name()).not.toEqual(before)
    }
    await client.end()
  })
})

test('those that were used longest ago lose their names first', () =>
  withDatabase(async (opened) => {
    const use = (n: number) => times(3, () => opened.query(`select ${n} from things where id = $1`, [1]))
    for (let n = 0; n < maxNames; n++) await use(n)
    await use(0)
    await use(maxNames)
    const named = await namedOn(opened)
    expect(named).toHaveLength(maxNames)
    expect(named).toContain('select 0 from things where id = $1')
    expect(named).not.toContain('select 1 from things where id = $1')
  }))

test('six thousand lists, sorted and filtered in every way, leave no more than that with the server', () =>
  withDatabase(async (opened) => {
    const columns = ['a', 'b', 'c', 'd', 'e']
    const plan: ListPlan = {
      name: 'things',
      from: 'things',
      columns: 'id',
      sorts: Object.fromEntries(columns.map((column) => [column, column])),
      filters: Object.fromEntries(columns.map((column) => [column, { column, type: 'bigint' as const }])),
    }
    const scope = { key: 'all', sql: 'true', params: [] }
    const fields = columns.flatMap((field) => [true, false].map((descending) => ({ field, descending })))
    const sorts = fields.flatMap((first) => fields.map((second) => [first, second]))
    const filters = columns.flatMap((first) => columns.map((second) => ({ [first]: ['1'], [second]: ['1'] })))
    let lists = 0
    for (const sort of sorts)
      for (const filter of filters.slice(0, 20))
        await times(3, async () => {
          lists++
          await paginate(opened.reader, plan, scope, { page: 1, perPage: 15, filter, sort })
        })
    expect(lists).toBe(6000)
    expect(await namedOn(opened)).toHaveLength(maxNames)
  }))

test('filters are one statement in whatever order they come', () =>
  withDatabase(async (opened) => {
    const plan: ListPlan = {
      name: 'ordered',
      from: 'things',
      columns: 'id',
      filters: { a: { column: 'a', type: 'bigint' }, b: { column: 'b', type: 'bigint' } },
    }
    const read = (filter: Record<string, string[]>) =>
      paginate(opened.reader, plan, { key: 'all', sql: 'true', params: [] }, { page: 1, perPage: 15, filter, sort: [] })
    await times(2, () => read({ a: ['1'], b: ['1'] }))
    await times(2, () => read({ b: ['1'], a: ['1'] }))
    expect(await namedOn(opened)).toHaveLength(1)
  }))

describe('when a table has changed', () => {
  const changes = async () => {
    const other = openDatabase({ url: database.url, log })
    await other.query(`alter table things add column "more ${Math.floor(performance.now() * 1000)}" int`)
    await other.close()
  }

  test('transactions start again once, whatever connection they get and however many plans are stale', () =>
    withDatabase(
      async (opened) => {
        let begun = 0
        const read = () =>
          opened.transaction(async (trx) => {
            begun++
            for (const n of [1, 2, 3, 4, 5]) {
              const { rows } =
                await sql`select ${sql.lit(n)} as n, things.*, pg_sleep(0.01) from things where id = 1`.execute(trx)
              expect(rows).toHaveLength(1)
            }
          })
        await times(4, () => Promise.all([read(), read(), read()]))
        await changes()
        begun = 0
        await read()
        expect(begun).toBe(2)
        await Promise.all([read(), read(), read()])
        expect(begun).toBe(5)
      },
      { max: 3 },
    ))

  test('a statement of its own is run again at once', () =>
    withDatabase(async (opened) => {
      const read = async () => (await sql<object>`select * from things where id = 1`.execute(opened.db)).rows
      await times(4, read)
      const [before] = await read()
      await changes()
      const [after] = await read()
      expect(Object.keys(after ?? {}).length).toBe(Object.keys(before ?? {}).length + 1)
    }))
})
