import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { waitingForLocks } from '../../../test/support/just-before.ts'
import { until } from '../../../test/support/until.ts'
import { createLog } from '../log.ts'
import { type Database, openDatabase } from './connection.ts'
import { migrate, pendingMigrations } from './migrate.ts'

const log = createLog('silent')

describe('migrate', () => {
  let database: TestDatabase
  let folder: string
  let connection: Database

  beforeEach(async () => {
    database = await createEmptyDatabase()
    connection = openDatabase({ url: database.url, log })
    folder = await mkdtemp(join(tmpdir(), 'entrepot-migrations-'))
    await writeFile(join(folder, '0001_first.sql'), 'create table things (id bigint primary key);')
    await writeFile(join(folder, '0002_second.sql'), 'insert into things values (1); insert into things values (2);')
  })

  afterEach(async () => {
    await connection.close()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const run = () => migrate({ url: database.url, log, folder })
  const things = () => connection.query('select id from things order by id')

  test('each file runs once however many processes start together', async () => {
    const applied = await Promise.all(Array.from({ length: 10 }, run))
    expect(applied.flat()).toEqual(['0001_first', '0002_second'])
    expect(await things()).toEqual([{ id: 1 }, { id: 2 }])
  })

  test('only new files run the next time', async () => {
    expect(await pendingMigrations(database.url, folder)).toEqual(['0001_first', '0002_second'])
    await run()
    await writeFile(join(folder, '0003_third.sql'), 'insert into things values (3);')
    expect(await pendingMigrations(database.url, folder)).toEqual(['0003_third'])
    expect(await run()).toEqual(['0003_third'])
    expect(await pendingMigrations(database.url, folder)).toEqual([])
  })

  test('a file that was changed after it had run is refused', async () => {
    await run()
    await writeFile(join(folder, '0001_first.sql'), 'create table other (id bigint primary key);')
    await expect(run()).rejects.toThrow('0001_first was changed')
  })

  test('a program works with a database to which a newer one has added something', async () => {
    await writeFile(join(folder, '0003_third.sql'), 'create table more (id bigint primary key);')
    await run()
    await rm(join(folder, '0003_third.sql'))
    expect(await run()).toEqual([])
    expect(await pendingMigrations(database.url, folder)).toEqual([])
  })

  test('one that has changed something says which programs understand it, and others are refused', async () => {
    await writeFile(join(folder, '0004_fourth.sql'), '-- Nobody reads it any more.\n-- needs: 0003\ndrop table things;')
    await writeFile(join(folder, '0003_third.sql'), 'create table more (id bigint primary key);')
    await run()
    await rm(join(folder, '0004_fourth.sql'))
    expect(await run()).toEqual([])
    await rm(join(folder, '0003_third.sql'))
    await expect(run()).rejects.toThrow('has the migration 0004_fourth, with which this program cannot work')
  })

  test('a database with a migration in the midst of ours that we do not know is somebody else’s', async () => {
    await run()
    await rm(join(folder, '0001_first.sql'))
    await expect(run()).rejects.toThrow('has the migration 0001_first')
  })

  test('a file that fails leaves nothing behind', async () => {
    await writeFile(join(folder, '0002_second.sql'), 'insert into things values (1); select no_such_column;')
    await expect(run()).rejects.toThrow('0002_second failed')
    expect(await things()).toEqual([])
    expect(await pendingMigrations(database.url, folder)).toEqual(['0002_second'])
  })

  test('a file without a transaction may build an index concurrently', async () => {
    await writeFile(
      join(folder, '0003_index.sql'),
      '-- no transaction\ncreate index concurrently a on things (id);\n-- and\ncreate index concurrently b on things (id);\n',
    )
    expect(await run()).toContain('0003_index')
  })

  test('a table in use is waited for', async () => {
    await run()
    await writeFile(join(folder, '0003_third.sql'), 'alter table things add name text;')
    const client = await connection.pool.connect()
    await client.query('begin; select from things')
    const running = run()
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'entrepot migrate'`
    await expect.poll(() => connection.query(waiting)).toHaveLength(1)
    await expect.poll(() => connection.query(waiting)).toHaveLength(0)
    await client.query('commit')
    client.release()
    expect(await running).toEqual(['0003_third'])
  })

  test('where there is nothing to do nobody is waited for, such as a backup that reads for hours', async () => {
    await run()
    const waits = async () => (await waitingForLocks(connection)) > 0
    const reader = await connection.db.startTransaction().execute()
    await sql`select from migrations`.execute(reader)
    const again = run()
    const first = await Promise.race([again, until(waits)])
    await reader.rollback().execute()
    expect([first, await again]).toEqual([[], []])
  })

  test('requests that come meanwhile are not refused for it', async () => {
    await run()
    await writeFile(join(folder, '0003_third.sql'), 'alter table things add name text;')
    const reader = await connection.pool.connect()
    await reader.query('begin; select from things')
    const running = run()
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'entrepot migrate'`
    await expect.poll(() => connection.query(waiting)).toHaveLength(1)
    const request = await connection.pool.connect()
    // Less than a request waits for the database.
    await request.query('set lock_timeout = 1500')
    await request.query('select from things')
    await reader.query('commit')
    reader.release()
    request.release(true)
    expect(await running).toEqual(['0003_third'])
  })
})

test('a test database has the tables of this program', async () => {
  const database = await createTestDatabase()
  expect(await pendingMigrations(database.url)).toEqual([])
  await database.drop()
})
