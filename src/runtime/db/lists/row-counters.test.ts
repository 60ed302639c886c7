import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedFor } from '../../../../test/support/chance.ts'
import { type OpenTestDatabase, openTestDatabase } from '../../../../test/support/open-test-database.ts'
import { readMigrations } from '../migration-files.ts'
import { pageAt, paginateBuckets } from './paginate-buckets.ts'
import { type CountChange, countRows, lockCounted, rangeSizes, sumUp } from './row-counters.ts'

let database: OpenTestDatabase

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database.close())

test('rows that are counted alike are sent together', () => {
  const came = (id: number): CountChange[] => [
    { kind: 'orders', id, by: 1 },
    { kind: 'orders:open', id, by: 1 },
  ]
  expect(sumUp([...came(5), ...came(9), { kind: 'orders:open', id: 7, by: -1 }])).toEqual([
    { list: 'orders', kinds: ['orders', 'orders:open'], by: [1, 1], ids: [5, 9], first: 5, last: 9 },
    { list: 'orders', kinds: ['orders:open'], by: [-1], ids: [7], first: 7, last: 7 },
  ])
})

test('changes that cancel out leave no trace', () => {
  const changes = [
    { kind: 'k', id: 5, by: 1 },
    { kind: 'k', id: 5, by: -1 },
  ] as const
  expect(sumUp(changes)).toEqual([])
})

test('an integration without data cannot be locked', async () => {
  expect(await database.transaction((trx) => lockCounted(trx, 999))).toBeNull()
})

const plan = { name: 'counted-test', from: 'products', columns: 'id', sorts: { id: 'id', name: 'name' } }

const sizes = { fine: 4, coarse: 16 }

/** What becomes of the list in one transaction: rows come (now and then with an id from before), go, or change sides. */
const step = fc.record({
  come: fc.array(fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 3000 })), {
    maxLength: 9,
  }),
  late: fc.nat({ max: 20 }),
  go: fc.array(fc.nat(), { maxLength: 4 }),
  turn: fc.array(fc.nat(), { maxLength: 4 }),
})

test('any page by id holds what an offset would give, whatever came and went, and nothing is counted that is not there', async () => {
  let integrationId = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), fc.boolean(), async (steps, all) => {
      integrationId++
      const held = new Map<number, boolean>()
      let last = 10
      await database.query('insert into integration_state (integration_id) values ($1)', [integrationId])
      const pick = (place: number) => [...held.keys()][place % Math.max(1, held.size)] ?? 0
      for (const { come, late, go, turn } of steps) {
        const came = new Set(come.map((distance) => (last += distance)))
        const early = last - late
        if (late > 0 && early > 0 && !held.has(early)) came.add(early)
        const gone = new Set(go.map(pick).filter((id) => held.has(id)))
        const turned = new Set(turn.map(pick).filter((id) => held.has(id) && !gone.has(id)))
        const changes: CountChange[] = []
        for (const id of came) changes.push({ kind: 'products', id, by: 1 }, { kind: 'products:active', id, by: 1 })
        for (const id of gone) {
          changes.push({ kind: 'products', id, by: -1 })
          if (held.get(id)) changes.push({ kind: 'products:active', id, by: -1 })
        }
        for (const id of turned) changes.push({ kind: 'products:active', id, by: held.get(id) ? -1 : 1 })
        await database.transaction(async (trx) => {
          await lockCounted(trx, integrationId)
          await sql`insert into products (integration_id, id, sku, name, price, currency)
            select ${integrationId}, id, 's', 'n', 1, 'EUR' from unnest(${[...came]}::bigint[]) id`.execute(trx)
          await sql`delete from products where integration_id = ${integrationId} and id = any(${[...gone]}::bigint[])`.execute(
            trx,
          )
          await sql`update products set active = not active
            where integration_id = ${integrationId} and id = any(${[...turned]}::bigint[])`.execute(trx)
          await countRows(trx, integrationId, changes, sizes)
        })
        for (const id of came) held.set(id, true)
        for (const id of gone) held.delete(id)
        for (const id of turned) held.set(id, !held.get(id))
      }
      const ids = [...held].filter(([, active]) => all || active).map(([id]) => id)
      const list = all ? scope(integrationId) : activeScope(integrationId)
      for (const downwards of [false, true]) {
        const expected = ids.toSorted((a, b) => (downwards ? b - a : a - b))
        for (let offset = 0; offset < ids.length + 2; offset++) {
          const page = await pageAt<{ id: number }>(database.pool, plan, list, { offset, perPage: 3, downwards })
          expect(page.total).toBe(ids.length)
          expect(page.rows.map((row) => row.id)).toEqual(expected.slice(offset, offset + 3))
        }
      }
      const counters = await database.query<{ kind: string; bucket: number; n: number }>(
        'select kind, bucket, n from row_counters where integration_id = $1 order by abs(bucket) desc',
        [integrationId],
      )
      // The range that was opened last may be waiting for its first row.
      expect(counters.slice(1).filter(({ n }) => n <= 0)).toEqual([])
    }),
    { numRuns: 12, seed: seedFor('row-counters') },
  )
})

test('a list takes a number for itself and one more for each thousand rows, however far apart their ids are', async () => {
  await fill(600, [])
  let last = 0
  const addRows = async (rows: number) => {
    for (let n = 0; n < rows; n += 200) {
      // In turn with three thousand other shops.
      await add(
        600,
        Array.from({ length: 200 }, () => (last += 3000)),
      )
    }
    return (await database.query('select from row_counters where integration_id = 600')).length
  }
  expect(await addRows(1000)).toBe(1)
  expect(await addRows(10_000)).toBeLessThanOrEqual(11_000 / rangeSizes.fine)
})

test('a list that has become empty is counted nowhere', async () => {
  await fill(601, [1, 2])
  await database.transaction(async (trx) => {
    await lockCounted(trx, 601)
    await countRows(
      trx,
      601,
      [1, 2].map((id) => ({ kind: 'products', id, by: -1 })),
    )
  })
  expect(await database.query('select from row_counters where integration_id = 601')).toEqual([])
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

test('what was counted by ranges that all integrations shared is counted anew by the migration', async () => {
  const ids = Array.from({ length: 3001 }, (_, n) => n * 500 + 1)
  await fill(502, ids)
  await database.query(
    `insert into row_counters select 502, 'products', bucket, count(*) from unnest($1::bigint[]) id
     cross join lateral (values (-2 - (id >> 17)), (id >> 10)) ranges(bucket) group by bucket
     on conflict (integration_id, kind, bucket) do update set n = excluded.n`,
    [ids],
  )
  const migration = (await readMigrations()).find(({ name }) => name.endsWith('ranges_of_rows'))
  for (const statement of migration?.statements ?? []) await database.query(statement)
  for (const offset of [1023, 1024, 2049, 3000]) {
    const place = { offset, perPage: 2, downwards: false }
    const page = await pageAt<{ id: number }>(database.pool, plan, scope(502), place)
    expect(page.rows.map(({ id }) => id)).toEqual(ids.slice(offset, offset + 2))
  }
  expect(await database.query('select from row_counters where integration_id = 502')).toHaveLength(3)
})

const scope = (integrationId: number) => ({
  key: 'all',
  sql: 'integration_id = ?',
  params: [integrationId],
  integrationId,
  kind: 'products',
})

const activeScope = (integrationId: number) => ({
  ...scope(integrationId),
  key: 'active',
  sql: 'integration_id = ? and active',
  kind: 'products:active',
})

async function fill(integrationId: number, ids: readonly number[]) {
  await database.query('insert into integration_state (integration_id) values ($1)', [integrationId])
  await add(integrationId, ids)
}

async function add(integrationId: number, ids: readonly number[]) {
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
