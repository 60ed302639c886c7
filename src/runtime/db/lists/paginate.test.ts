import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedFor } from '../../../../test/support/chance.ts'
import { type OpenTestDatabase, openTestDatabase } from '../../../../test/support/open-test-database.ts'
import { createLog } from '../../log.ts'
import { openDatabase } from '../connection.ts'
import { type ListPlan, type ListScope, type PageOf, paginate, type Reader } from './paginate.ts'

let database: OpenTestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

const plan: ListPlan = {
  name: 'paginate-test',
  from: 'generate_series(1, 60) id',
  columns: 'id',
  filters: { id: { column: 'id', type: 'bigint' } },
  sorts: { id: 'id' },
}
/** So many rows, which are not counted anywhere. */
const first = (rows: number): ListScope => ({ key: 'first', sql: 'id <= ?', params: [rows] })
const counted = (rows: number): ListScope => ({
  ...first(rows),
  key: 'counted',
  total: { sql: '?::bigint', params: [rows] },
})

interface Asked {
  rows: number
  perPage: number
  countTo: number
  descending: boolean
}

const asked = fc.record({
  rows: fc.nat({ max: 60 }),
  perPage: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(15)),
  countTo: fc.nat({ max: 30 }),
  descending: fc.boolean(),
})

const pageOf = (scope: ListScope, { perPage, countTo, descending }: Asked, page: number) =>
  paginate<{ id: number }>(
    ...([database.reader, plan, scope] as const),
    { page, perPage, filter: {}, sort: descending ? [{ field: 'id', descending }] : [] },
    countTo,
  )

const least = ({ total }: PageOf<unknown>) => (typeof total === 'number' ? total : total.atLeast)

test('whoever goes on while there is a next page meets every row once, and the last page says how many there were', async () => {
  await fc.assert(
    fc.asyncProperty(asked, async (one) => {
      const met: number[] = []
      for (let page = 1; ; page++) {
        const read = await pageOf(first(one.rows), one, page)
        met.push(...read.rows.map(({ id }) => id))
        const isLast = page * one.perPage >= least(read)
        if (one.rows <= one.countTo) expect(read.total).toBe(one.rows)
        // Never less than there is beyond this page, and never more than there is.
        expect(least(read)).toBeGreaterThanOrEqual(Math.min(one.rows, page * one.perPage + 1, one.countTo + 1))
        expect(least(read)).toBeLessThanOrEqual(one.rows)
        if (isLast) {
          expect(read.total).toBe(one.rows)
          break
        }
      }
      const all = Array.from({ length: one.rows }, (_, n) => n + 1)
      expect(met).toEqual(one.descending ? all.toReversed() : all)
    }),
    { seed: seedFor('paginate 1'), numRuns: 60 },
  )
})

test('beyond the end there is nothing, and at least as many as were counted', async () => {
  const one = { rows: 40, perPage: 15, countTo: 10, descending: false }
  expect(await pageOf(first(40), one, 9)).toEqual({ rows: [], total: { atLeast: 11 } })
  expect(await pageOf(first(0), one, 1)).toEqual({ rows: [], total: 0 })
})

test('a total that stands somewhere is exact at any size, with the same rows', async () => {
  const one = { rows: 40, perPage: 15, countTo: 10, descending: false }
  for (const page of [1, 2, 3, 4]) {
    const { rows, total } = await pageOf(counted(40), one, page)
    expect(total).toBe(40)
    expect(rows.map(({ id }) => id)).toEqual((await pageOf(first(40), one, page)).rows.map(({ id }) => id))
  }
})

test('a filter is counted, also where the list without it has a counter', async () => {
  const filter = { id: Array.from({ length: 30 }, (_, n) => String(n + 1)) }
  const read = (countTo: number) =>
    paginate(database.reader, plan, counted(60), { page: 1, perPage: 15, filter, sort: [] }, countTo)
  expect((await read(30)).total).toBe(30)
  expect((await read(29)).total).toEqual({ atLeast: 30 })
})

test('the first page of a shop larger than most is planned once, and where rows lie on several servers its text names the shop plainly', async () => {
  const alone = openDatabase({ url: database.url, log: createLog('warn'), max: 1 })
  await alone.query(`
    create table sold as
    select case when id % 3 = 0 then 2 + id % 100 else 1 end as integration_id, id, repeat('x', 500) as record
    from generate_series(1, 60000) id`)
  await alone.query('create index on sold (integration_id, id)')
  await alone.query('analyze sold')
  const sold: ListPlan = { name: 'sold', from: 'sold', columns: 'id, record', sorts: { id: 'id' } }
  const ofShop: ListScope = {
    ...{ key: 'shop', sql: 'integration_id = ?', params: [1] },
    total: { sql: '?::bigint', params: [40000] },
  }
  const firstPage = { page: 1, perPage: 100, filter: {}, sort: [{ field: 'id', descending: false }] }
  // Whether there are several servers is learned in the background.
  await expect.poll(() => alone.reader.isOneServer?.()).toBe(true)
  for (let n = 0; n < 12; n++) expect((await paginate(alone.reader, sold, ofShop, firstPage)).rows).toHaveLength(100)
  // PostgreSQL plans each statement five times, and goes on doing so where that seems cheaper to it.
  const plans = await alone.query<{ custom_plans: number }>(
    `select custom_plans from pg_prepared_statements where statement like '%from sold%'`,
  )
  expect(plans).toEqual([{ custom_plans: 5 }])
  await alone.close()

  const texts: string[] = []
  const elsewhere: Reader = {
    isOneServer: () => false,
    query: (text, values) => {
      texts.push(text)
      return database.reader.query(text, values)
    },
  }
  await paginate(elsewhere, sold, ofShop, firstPage)
  expect(texts).toEqual([expect.stringContaining('integration_id = $1')])
})
