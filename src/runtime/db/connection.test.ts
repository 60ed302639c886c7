import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { createLog } from '../log.ts'
import { type Database, isDatabaseAway, openDatabase, sqlState } from './connection.ts'

const log = createLog('silent')
let database: TestDatabase
let connection: Database

beforeAll(async () => {
  database = await createEmptyDatabase()
  connection = openDatabase({ url: database.url, log, applicationName: 'connection test', statementTimeoutMs: 1000 })
  await connection.query('create table counters (id bigint primary key, n bigint not null)')
  await connection.query('insert into counters values (1, 0), (2, 0)')
})

afterAll(async () => {
  await connection.close()
  await database.drop()
})

const fails = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  )

test('values keep what JavaScript would lose', async () => {
  const [row] = await connection.query(
    `select 9007199254740991 as big, timestamptz '2026-11-15 02:15:44.123456+00' as at, date '2026-11-15' as day,
       12345678901234567890.10 as amount, '\\x00ff'::bytea as bytes, array[1, null]::bigint[] as ids,
       array['plain', 'two words']::text[] as words, array['a,b', '"', '\\', '{}', null, 'NULL', '']::text[] as odd, '{}'::text[] as none,
       array[array['a'], array['b']]::text[] as nested`,
  )
  expect(row).toEqual({
    big: 9007199254740991,
    at: '2026-11-15T02:15:44.123456Z',
    day: '2026-11-15',
    amount: '12345678901234567890.10',
    bytes: Buffer.from([0, 255]),
    ids: [1, null],
    words: ['plain', 'two words'],
    odd: ['a,b', '"', '\\', '{}', null, 'NULL', ''],
    none: [],
    nested: [['a'], ['b']],
  })
})

test('the end of all server connections does not end us, and the next query works', async () => {
  const killer = openDatabase({ url: database.url, log })
  await killer.query('select 1')
  const busy = fails(connection.query('select pg_sleep(0.9)'))
  const inTransaction = fails(
    connection.transaction(async (trx) => {
      await sql`select pg_sleep(0.9)`.execute(trx)
    }),
  )
  const active = `select pid from pg_stat_activity where application_name = 'entrepot connection test' and query ~ 'pg_sleep\\(' and pid <> pg_backend_pid()`
  await expect.poll(() => connection.query(active), { interval: 10 }).toHaveLength(2)
  await killer.query(
    `select pg_terminate_backend(pid, 1000) from pg_stat_activity where application_name = 'entrepot connection test'`,
  )
  await killer.close()
  expect(isDatabaseAway(await busy)).toBe(true)
  expect(isDatabaseAway(await inTransaction)).toBe(true)
  await expect.poll(() => connection.query('select 1 as one').catch(() => 'away')).toEqual([{ one: 1 }])
})

test('a refused statement keeps its connection and is no lost database', async () => {
  const [before] = await connection.query('select pg_backend_pid() as pid')
  const error = await fails(connection.query('insert into counters values (1, 1)'))
  expect(sqlState(error)).toBe('23505')
  expect(isDatabaseAway(error)).toBe(false)
  expect(await connection.query('select pg_backend_pid() as pid')).toEqual([before])
})

test('a server that refuses connections is away', async () => {
  const nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', log })
  expect(isDatabaseAway(await fails(nowhere.query('select 1')))).toBe(true)
  await nowhere.close()
})

test('a connection that stays silent is given up and not used again', async () => {
  const impatient = openDatabase({ url: database.url, log, max: 1, statementTimeoutMs: 1000 })
  await impatient.query('select 1')
  const error = await fails(
    impatient.db.connection().execute(async (db) => {
      await sql`set statement_timeout = 0`.execute(db)
      await sql`select pg_sleep(30)`.execute(db)
    }),
  )
  expect(isDatabaseAway(error)).toBe(true)
  expect(await impatient.query('select 1 as one')).toEqual([{ one: 1 }])
  await impatient.close()
})

test('a full pool says so after two seconds', async () => {
  const small = openDatabase({ url: database.url, log, max: 1 })
  const client = await small.pool.connect()
  expect(isDatabaseAway(await fails(small.query('select 1')))).toBe(true)
  client.release()
  await small.close()
})

describe('transaction', () => {
  test('a deadlock is tried again', async () => {
    let met = 0
    let meet = () => {}
    const both = new Promise<void>((resolve) => {
      meet = resolve
    })
    // Others find a deadlock after a second, and a statement of this one would have been given up by then.
    const add = (first: number, second: number) =>
      connection.transaction(async (trx) => {
        await sql`set local statement_timeout = 0`.execute(trx)
        await sql`update counters set n = n + 1 where id = ${first}`.execute(trx)
        if (++met === 2) meet()
        await both
        await sql`update counters set n = n + 1 where id = ${second}`.execute(trx)
      })
    await Promise.all([add(1, 2), add(2, 1)])
    expect(await connection.query('select n from counters order by id')).toEqual([{ n: 2 }, { n: 2 }])
    expect(met).toBe(3)
  })

  test('a failure takes everything back', async () => {
    const error = await fails(
      connection.transaction(async (trx) => {
        await sql`insert into counters values (3, 0)`.execute(trx)
        throw new Error('no')
      }),
    )
    expect(error).toHaveProperty('message', 'no')
    expect(await connection.query('select from counters where id = 3')).toEqual([])
  })
})

test('a page of a list survives a change of its table, on every connection', async () => {
  const lists = openDatabase({ url: database.url, log, max: 2 })
  const text = 'select * from counters where id = $1 and pg_sleep(0.05) is not null'
  const read = async () => (await lists.reader.query<{ id: number }>(text, [1])).rows
  for (let times = 0; times < 4; times++) await Promise.all([read(), read()])
  await connection.query('alter table counters add note text')
  for (const rows of await Promise.all([read(), read(), read()])) expect(rows).toMatchObject([{ id: 1, note: null }])
  await lists.close()
})
