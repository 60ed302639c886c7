import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenTestDatabase, openTestDatabase } from '../../../../test/support/open-test-database.ts'
import { type AcrossPlan, readAcross } from './across.ts'
import type { Reader } from './paginate.ts'

let database: OpenTestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

interface Row {
  integration_id: number
  id: number
}

/** All pages, of two rows each; `meanwhile` happens while the first one is being read. */
async function allOf(
  plan: AcrossPlan,
  ids: readonly number[],
  meanwhile = async (): Promise<unknown> => undefined,
): Promise<number[]> {
  let asked = 0
  const reader: Reader = {
    async query(text, values = []) {
      if (++asked === 2) await meanwhile()
      return await database.pool.query(text, [...values])
    },
  }
  const all: number[] = []
  for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
    const page: { rows: Row[]; cursor: string | null } = await readAcross<Row>(reader, plan, ids, {
      ...{ filter: {}, limit: 2 },
      cursor,
    })
    all.push(...page.rows.map(({ id }) => id))
    cursor = page.cursor
  }
  return all
}

const add = (rows: readonly (Row & { placed_at?: string })[]) =>
  database.query(
    `with shops as (
       insert into integration_state (integration_id) select distinct integration_id from jsonb_to_recordset($1::jsonb) r(integration_id bigint)
       on conflict do nothing)
     insert into orders (integration_id, id, remote_id, status, currency, total, items, placed_at)
     select integration_id, id, id::text, 'PENDING', 'EUR', 1, '[]', placed_at
     from jsonb_to_recordset($1::jsonb) r(integration_id bigint, id bigint, placed_at timestamptz)`,
    [JSON.stringify(rows)],
  )

const byId: AcrossPlan = {
  ...{ name: 'across-test', from: 'orders', columns: 'integration_id, id', where: 'deleted_at is null' },
  keys: [{ column: 'id', type: 'bigint' }],
}

test('what goes while a page is being read takes nothing else with it', async () => {
  const shop = (integrationId: number, ids: readonly number[]) =>
    ids.map((id) => ({ integration_id: integrationId, id }))
  await add([...shop(1, [100]), ...shop(2, [99, 90, 89]), ...shop(3, [97]), ...shop(4, [95]), ...shop(5, [94])])
  const go = () => database.query('update orders set deleted_at = now() where id = any($1::bigint[])', [[100, 97]])
  expect(await allOf(byId, [1, 2, 3, 4, 5], go)).toEqual([99, 95, 94, 90, 89])
})

test('what was placed before people counted the seconds is turned like the rest', async () => {
  const long = ['2026-01-01T00:00:00Z', '1969-07-20T20:17:40.123456Z', '1900-01-01T00:00:00Z', '0001-01-01T00:00:00Z']
  const ids = [6, 7]
  await add(long.flatMap((placed_at, n) => ids.map((id) => ({ integration_id: id, id: 200 - 10 * n + id, placed_at }))))
  const byPlaced: AcrossPlan = {
    ...{ ...byId, name: 'placed-across-test', columns: 'integration_id, id, placed_at' },
    keys: [{ column: 'placed_at', type: 'timestamptz' }, ...byId.keys],
  }
  expect(await allOf(byPlaced, ids)).toEqual([207, 206, 197, 196, 187, 186, 177, 176])
})
