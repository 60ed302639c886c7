import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedFor } from '../../../../test/support/chance.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { createLog } from '../../log.ts'
import { type Database, openDatabase } from '../connection.ts'
import { paginateBuckets } from './paginate-buckets.ts'
import { countRows, lockCounted, sumUp } from './row-counters.ts'

let testDatabase: TestDatabase
let database: Database

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ url: testDatabase.url, log: createLog('warn') })
})

afterAll(async () => {
  await database.close()
  await testDatabase.drop()
})

test('a row is counted in the total and in two ranges of ids', () => {
  expect(sumUp([{ kind: 'k', id: 131_073, by: 1 }])).toEqual([
    { kind: 'k', bucket: -1, n: 1 },
    { kind: 'k', bucket: -3, n: 1 },
    { kind: 'k', bucket: 128, n: 1 },
  ])
})

test('changes that cancel out leave no trace', () => {
  const changes = [
    { kind: 'k', id: 5, by: 1 },
    { kind: 'k', id: 6, by: -1 },
  ] as const
  expect(sumUp(changes)).toEqual([])
})

test('an integration without data cannot be locked', async () => {
  expect(await database.transaction((trx) => lockCounted(trx, 999))).toBeNull()
})

const plan = { name: 'counted-test', from: 'products', columns: 'id', sorts: { id: 'id', name: 'name' } }

/** Ids that are neither dense nor even: neighbours, gaps within a range, and gaps of many ranges. */
const spread = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 3000 }), fc.constant(400_000)), {
    minLength: 1200,
    maxLength: 2500,
  })
  .map((steps) => {
    let id = 0
    return steps.map((step) => (id += step))
  })

test('any page by id holds what an offset would give, in both directions', async () => {
  let integrationId = 0
  await fc.assert(
    fc.asyncProperty(spread, fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), async (ids, places) => {
      integrationId++
      await fill(integrationId, ids)
      for (const descending of [false, true]) {
        const expected = descending ? ids.toReversed() : ids
        for (const place of places) {
          const perPage = (place % 40) + 1
          const page = (place % Math.ceil(ids.length / perPage + 2)) + 1
          const result = await paginateBuckets<{ id: number }>(database.pool, plan, scope(integrationId), {
            page,
            perPage,
            filter: {},
            sort: [{ field: 'id', descending }],
          })
          expect(result.total).toBe(ids.length)
          const from = (page - 1) * perPage
          expect(result.rows.map((row) => row.id)).toEqual(expected.slice(from, from + perPage))
        }
      }
    }),
    { numRuns: 8, seed: seedFor('row-counters') },
  )
})

test('another order is paged all the same, with the counted total', async () => {
  await fill(500, [3, 4, 9])
  const result = await paginateBuckets<{ id: number }>(database.pool, plan, scope(500), {
    page: 2,
    perPage: 2,
    filter: {},
    sort: [{ field: 'name', descending: true }],
  })
  expect(result).toMatchObject({ total: 3, rows: [{ id: 3 }] })
})

test('a page far down in another order is reached from the other end, with the same rows', async () => {
  const ids = Array.from({ length: 3001 }, (_, n) => n + 1)
  await fill(501, ids)
  for (const descending of [false, true]) {
    const expected = descending ? ids.toReversed() : ids
    for (const page of [70, 120, 150, 200, 201, 202]) {
      const result = await paginateBuckets<{ id: number }>(database.pool, plan, scope(501), {
        page,
        perPage: 15,
        filter: {},
        sort: [{ field: 'name', descending }],
      })
      expect(result.total).toBe(3001)
      expect(result.rows.map((row) => row.id)).toEqual(expected.slice((page - 1) * 15, page * 15))
    }
  }
})

const scope = (integrationId: number) => ({
  key: 'all',
  sql: 'integration_id = ?',
  params: [integrationId],
  integrationId,
  kind: 'products',
})

async function fill(integrationId: number, ids: readonly number[]) {
  await database.query('insert into integration_state (integration_id) values ($1)', [integrationId])
  await database.query(
    `insert into products (integration_id, id, sku, name, price, currency)
     select $1, id, 's', lpad(id::text, 12, '0'), 1, 'EUR' from unnest($2::bigint[]) id`,
    [integrationId, ids],
  )
  await database.transaction(async (trx) => {
    await lockCounted(trx, integrationId)
    await countRows(
      trx,
      integrationId,
      ids.map((id) => ({ kind: 'products', id, by: 1 as const })),
    )
  })
}
