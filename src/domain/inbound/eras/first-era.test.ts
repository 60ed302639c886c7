import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { migrate } from '../../../runtime/db/migrate.ts'
import { readMigrations } from '../../../runtime/db/migration-files.ts'
import { createLog } from '../../../runtime/log.ts'

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
  const stored = (table: string) => rows(`select to_jsonb(d) - 'era' from ${table} d order by id`)
  const indexes = `select i.indexrelid::regclass::text, c.relfilenode from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'inbound_deliveries'::regclass order by 1`
  const file = `select relfilenode from pg_class where relname = 'inbound_deliveries'`
  const before = [await stored('inbound_deliveries'), await rows(file), await rows(indexes)]
  await upTo('0093')
  // A file that is not in one transaction is done again from the start where it broke off.
  await client.query(`delete from migrations where name like '0093%'`)
  await upTo('0094')
  // The same files under the same names: nothing was copied, and no index was made beside another.
  expect([await stored('shop_messages'), await rows(file), await rows(indexes)]).toEqual(before)
  expect(
    await rows(
      `select attname, attstorage from pg_attribute where attrelid = 'shop_messages'::regclass and attstorage = 'e'`,
    ),
  ).toEqual([['private', 'e']])
  const store = (table: string, key: string) =>
    rows(
      `insert into ${table} (integration_id, delivery_id, body) values (2, '${key}', '') returning id::int, era::int`,
    )
  expect(await store('shop_messages', 'new')).toEqual([[51, 1]])
  expect(await store('inbound_deliveries', 'old')).toEqual([[52, 1]])
  // Whose shop goes, goes with it; the first era takes nothing along that others need.
  await client.query('delete from integration_state where integration_id = 1')
  expect(await rows('select count(*)::int from shop_messages')).toEqual([[27]])
  await client.query('drop table inbound_deliveries')
  expect(await rows(`select nextval('shop_messages_ids')::int`)).toEqual([[53]])
})
