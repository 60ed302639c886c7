import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { migrate } from '../../../runtime/db/migrate.ts'
import { readMigrations } from '../../../runtime/db/migration-files.ts'
import { createLog } from '../../../runtime/log.ts'

/** A database from before there were ranges, with events in it. */

const log = createLog('silent')
let database: TestDatabase
let client: pg.Client

const rows = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows
const tables = ['webhook_events', 'webhook_deliveries', 'webhook_attempts']
const contents = () =>
  rows(`${tables.map((table) => `select '${table}', t::text from ${table} t`).join(' union all ')} order by 1, 2`)
const indexes = () =>
  rows(`select indexname, replace(indexdef, ' ONLY ', ' ') from pg_indexes
    where tablename = any('{${tables.join(',')}}') order by 1`)

beforeAll(async () => {
  database = await createEmptyDatabase()
  const names = (await readMigrations()).map(({ name }) => name).filter((name) => name < '0085')
  await migrate({ url: database.url, log, only: new Set(names) })
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    insert into webhook_events (id, type, subject, data) select n, 'order.created', 's', '{}' from generate_series(3400000, 3400004) n;
    insert into webhook_deliveries (id, webhook_id, event_id, type, subject, state)
      select n - 2400000, 1, n, 'order.created', 's', 'pending' from generate_series(3400000, 3400004) n;
    insert into webhook_attempts (delivery_id, number, trigger, duration_ms, at)
      select n, 1, 'schedule', 1, now() from generate_series(1000000, 1000004) n;
    select setval('webhook_events_id_seq', 3400004), setval('webhook_deliveries_id_seq', 1000004);`)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

test('its rows become the first range as they lie, with their indexes, and numbers go on', async () => {
  const before = { contents: await contents(), indexes: await indexes() }
  const files = await rows(
    `select relname, relfilenode from pg_class where relname ~ '^webhook_(events|deliveries|attempts)$' order by 1`,
  )
  const ranged = (await readMigrations()).map(({ name }) => name).filter((name) => name < '0088')
  await migrate({ url: database.url, log, only: new Set(ranged) })
  expect(await contents()).toEqual(before.contents)
  expect(await indexes()).toEqual(before.indexes)
  // The same files under other names: nothing was copied.
  expect(
    await rows(
      `select replace(relname, '_first', ''), relfilenode from pg_class where relname ~ '^webhook_[a-z]+_first$' order by 1`,
    ),
  ).toEqual(files)
  expect(
    await rows(`select c.relname, pg_get_expr(c.relpartbound, c.oid) from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent::regclass::text = any('{${tables.join(',')}}') and c.relname like '%first' order by 1`),
  ).toEqual([
    ['webhook_attempts_first', `FOR VALUES FROM (MINVALUE) TO ('3000000')`],
    ['webhook_deliveries_first', `FOR VALUES FROM (MINVALUE) TO ('3000000')`],
    ['webhook_events_first', `FOR VALUES FROM (MINVALUE) TO ('5000000')`],
  ])
  // Each index of a table is one of its range as well, and none was made beside it.
  expect(
    await rows(`select count(*)::int from pg_index where indrelid::regclass::text like 'webhook_%_first' and not exists (
      select from pg_inherits where inhrelid = indexrelid)`),
  ).toEqual([[0]])
  expect(
    await rows(`insert into webhook_events (type, subject, data) values ('a', 's', '{}') returning id::int`),
  ).toEqual([[3400005]])
  expect(
    await rows(
      `insert into webhook_deliveries (webhook_id, event_id, type, subject, state) values (1, 1, 'a', 's', 'held') returning id::int`,
    ),
  ).toEqual([[1000005]])
})
