import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { newVault } from '../../../../test/support/vault.ts'
import { openDatabase } from '../../../runtime/db/connection.ts'
import { migrate } from '../../../runtime/db/migrate.ts'
import { readMigrations } from '../../../runtime/db/migration-files.ts'
import { createLog } from '../../../runtime/log.ts'
import { keepEras } from './keep-eras.ts'

/** A database from before there were eras, with messages in it. */

const log = createLog('silent')
let database: TestDatabase
let client: pg.Client

const rows = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows
const upTo = async (last: string) =>
  await migrate({
    url: database.url,
    log,
    only: new Set((await readMigrations()).map(({ name }) => name).filter((name) => name.slice(0, 4) <= last)),
  })

beforeAll(async () => {
  database = await createEmptyDatabase()
  await upTo('0092')
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    insert into integration_state (integration_id) values (1), (2);
    insert into inbound_deliveries (integration_id, delivery_id, body, private)
      select 1 + n % 2, 'm' || n, '', '\\x01' from generate_series(1, 50) n;`)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

test('its messages become the first era as they lie, and numbers go on', async () => {
  const stored = () => rows(`select to_jsonb(d) - 'era' from inbound_deliveries d order by id`)
  const before = await stored()
  const file = await rows(`select relfilenode from pg_class where relname = 'inbound_deliveries'`)
  await upTo('0093')
  // The statement of programs that have just this migration.
  const again = `insert into inbound_deliveries (integration_id, delivery_id, body) values (1, 'm2', '') on conflict do nothing`
  expect((await client.query(again)).rowCount).toBe(0)
  const opened = openDatabase({ url: database.url, max: 1, log, vault: newVault() })
  expect(await keepEras(opened, 30)).toBe(0)
  await opened.close()
  await upTo('0094')
  expect(await stored()).toEqual(before)
  // The same file under another name: nothing was copied.
  expect(await rows(`select relfilenode from pg_class where relname = 'inbound_deliveries_era_1'`)).toEqual(file)
  expect((await client.query(again)).rowCount).toBe(0)
  // Each index of the table is one of its era as well, and none was made beside it.
  expect(
    await rows(`select
      (select count(*)::int from pg_index where indrelid = 'inbound_deliveries'::regclass),
      (select count(*)::int from pg_index where indrelid = 'inbound_deliveries_era_1'::regclass),
      (select count(*)::int from pg_index where indrelid = 'inbound_deliveries_era_1'::regclass and not exists (
        select from pg_inherits where inhrelid = indexrelid))`),
  ).toEqual([[8, 8, 0]])
  expect(
    await rows(
      `select attname, attstorage from pg_attribute where attrelid = 'inbound_deliveries'::regclass and attstorage = 'e'`,
    ),
  ).toEqual([['private', 'e']])
  expect(
    await rows(
      `insert into inbound_deliveries (integration_id, delivery_id, body) values (1, 'new', '') returning id::int, era::int`,
    ),
  ).toEqual([[51 + 2, 1]])
  // Whose shop goes, goes with it; the first era takes nothing along that others need.
  await client.query('delete from integration_state where integration_id = 1')
  expect(await rows('select count(*)::int from inbound_deliveries')).toEqual([[25]])
  await client.query('drop table inbound_deliveries_era_1')
  expect(await rows(`select nextval('inbound_deliveries_ids')::int`)).toEqual([[54]])
})

test('what broke off in the middle of making the indexes is done again', async () => {
  const other = await createEmptyDatabase()
  try {
    const names = (await readMigrations()).map(({ name }) => name)
    await migrate({ url: other.url, log, only: new Set(names.filter((name) => name < '0093')) })
    await migrate({ url: other.url, log, only: new Set(names.filter((name) => name < '0094')) })
    const again = new pg.Client({ connectionString: other.url })
    await again.connect()
    await again.query(`delete from migrations where name like '0093%'`)
    await again.end()
    expect(await migrate({ url: other.url, log })).toContain('0094_messages_by_era')
  } finally {
    await other.drop()
  }
})
