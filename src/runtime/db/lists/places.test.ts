import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type OpenTestDatabase, openTestDatabase } from '../../../../test/support/open-test-database.ts'
import { pageEnvelope } from '../../http/envelope.ts'
import type { PageOf, Reader } from './paginate.ts'
import { paginateBuckets } from './paginate-buckets.ts'
import { paginateOnwards } from './places.ts'
import { countedTotal, countRows, lockCounted } from './row-counters.ts'

let database: OpenTestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const plan = {
  name: 'places-test',
  from: 'products',
  columns: 'id',
  sorts: { id: 'id', name: 'name', made: 'description' },
}
const count = 4000
const perPage = 100
const ids = Array.from({ length: count }, (_, n) => n + 1)

let integrationId = 0
/** Rows that were walked over, for each statement that reads a page. */
let walked: number[]
let reader: Reader

beforeEach(async () => {
  integrationId++
  walked = []
  reader = {
    query: (text, values = []) => {
      if (/ limit \$\d+ offset \$\d+\)/.test(text) && values.at(-2) !== 0) walked.push(Number(values.at(-1)))
      return database.pool.query(text, [...values])
    },
  }
  await database.query('insert into integration_state (integration_id) values ($1)', [integrationId])
  await add(ids)
})

/** Names as their ids, so that the order can be told; every third has nothing in the other column. */
async function add(some: readonly number[], by: 1 | -1 = 1) {
  if (by > 0) {
    await database.query(
      `insert into products (integration_id, id, sku, name, description, price, currency)
       select $1, id, 's', lpad((id / 7)::text, 12, '0'), case when id % 3 > 0 then lpad((id / 5)::text, 12, '0') end, 1, 'EUR'
       from unnest($2::bigint[]) id`,
      [integrationId, some],
    )
  } else {
    await database.query('delete from products where integration_id = $1 and id = any($2::bigint[])', [
      integrationId,
      some,
    ])
  }
  await database.transaction(async (trx) => {
    await lockCounted(trx, integrationId)
    await countRows(
      trx,
      integrationId,
      some.map((id) => ({ kind: 'products', id, by })),
    )
  })
}

const scope = () => ({
  ...{ key: 'all', sql: 'integration_id = ?', params: [integrationId] },
  ...{ integrationId, kind: 'products' },
})

async function page(number: number, field: string, descending = false): Promise<number[]> {
  const query = { page: number, perPage, filter: {}, sort: [{ field, descending }] }
  const { rows } = await paginateBuckets<{ id: number }>(reader, plan, scope(), query)
  return rows.map(({ id }) => id)
}

async function pages(from: number, to: number, field: string, descending = false): Promise<number[]> {
  const all: number[] = []
  for (let n = from; n <= to; n++) all.push(...(await page(n, field, descending)))
  return all
}

/** As the links lead, from this page on. */
async function toTheEnd(from: number, field: string, descending: boolean): Promise<number[]> {
  const all: number[] = []
  for (let number = from, more = true; more; number++) {
    const query = {
      page: number,
      perPage,
      filter: {},
      sort: [{ field, descending }],
      include: new Set(''),
      since: null,
    }
    const found = await paginateBuckets<{ id: number }>(reader, plan, scope(), query)
    all.push(...found.rows.map(({ id }) => id))
    more = pageEnvelope(found, query, { base: '', search: '' }).links.next !== null
  }
  return all
}

describe.each([
  ['name', false],
  ['name', true],
  ['made', false],
  ['made', true],
])('in the order of %s, downwards: %s', (field, descending) => {
  test('the pages together are the list, and one behind another is not walked to', async () => {
    const inOrder = ids.toSorted((a, b) => {
      const key = (id: number) =>
        field === 'name' ? Math.floor(id / 7) : id % 3 > 0 ? Math.floor(id / 5) : Number.MAX_SAFE_INTEGER
      return (key(a) - key(b) || a - b) * (descending ? -1 : 1)
    })
    expect(await pages(1, count / perPage, field, descending)).toEqual(inOrder)
    const far = walked.filter((offset) => offset > 1024)
    // The first beyond the walk, and one where nothing follows on something.
    expect(far.length).toBeLessThanOrEqual(field === 'made' ? 2 : 1)
  })

  test('whoever follows the links to the end has seen all, however many go meanwhile that he has seen', async () => {
    const whole = await pages(1, count / perPage, field, descending)
    const seen = await pages(1, 20, field, descending)
    await add(seen.slice(300, 550), -1)
    seen.push(...(await toTheEnd(21, field, descending)))
    expect(seen).toEqual(whole)
  })
})

test('whoever goes on sees nothing twice that he has seen, whatever has come before it, and misses nothing when something goes', async () => {
  const seen = await pages(1, 20, 'name', true)
  await add(Array.from({ length: 150 }, (_, n) => count + 1 + n))
  seen.push(...(await pages(21, 25, 'name', true)))
  await add(seen.slice(300, 420), -1)
  seen.push(...(await pages(26, 40, 'name', true)))
  expect(seen).toEqual(ids.toReversed())
})

test('a page further on is walked to from the last one before it, and one near the end from there', async () => {
  await page(15, 'name')
  walked = []
  expect(await page(19, 'name')).toEqual(ids.slice(1800, 1900))
  expect(await page(40, 'name')).toEqual(ids.slice(3900, 4000))
  expect(walked).toEqual([300])
})

test('one shop, order or list knows nothing of another', async () => {
  await page(15, 'name')
  walked = []
  expect(await page(16, 'name', true)).toEqual(ids.toReversed().slice(1500, 1600))
  expect(await page(16, 'made')).toHaveLength(perPage)
  expect(walked).toEqual([1500, 1500])
})

test('after ten minutes it is walked to anew, however often it was asked for', async () => {
  const asked: string[] = []
  const onwards = async (number: number, minute: number): Promise<PageOf<{ id: number }>> => {
    const query = {
      ...{ page: number, perPage, offset: (number - 1) * perPage, filter: {} },
      sort: [{ field: 'name', descending: false }],
    }
    return await paginateOnwards<{ id: number }>(
      reader,
      {
        ...{ plan, query },
        scope: { ...scope(), total: countedTotal(integrationId, ['products']) },
        walk: async () => {
          asked.push(`page ${number} in minute ${minute}`)
          const rows = ids.slice(query.offset, query.offset + perPage)
          return {
            rows: rows.map((id) => ({ id, list_key: String(Math.floor(id / 7)).padStart(12, '0'), list_id: id })),
            total: count,
          }
        },
      },
      minute * 60_000,
    )
  }
  for (let minute = 0; minute < 13; minute++) await onwards(15 + minute, minute)
  expect(asked).toEqual(['page 15 in minute 0', 'page 26 in minute 11'])
})
