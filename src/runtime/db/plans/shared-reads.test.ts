import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { createLog } from '../../log.ts'
import { type Database, isDatabaseAway, openDatabase, sqlState } from '../connection.ts'
import { readRows } from '../lists/paginate.ts'

const log = createLog('silent')
let made: TestDatabase
let opened: Database[] = []

beforeEach(async () => {
  made = await createEmptyDatabase()
})

afterEach(async () => {
  for (const database of opened) await database.close()
  opened = []
  await made.drop()
})

/** Half of its connections are shared, at most. */
function open(max: number, options: { pooled?: boolean } = {}): Database {
  const database = openDatabase({ url: made.url, log, max, ...options })
  opened.push(database)
  return database
}

const read = async <Row extends object>({ reader }: Database, text: string, values: unknown[] = []) =>
  (await readRows<Row>(reader, text, values)).rows[0]

const pidOf = async (answer: Promise<{ pid: number } | undefined>) => (await answer)?.pid
const pidText = 'select $1::int as n, pg_backend_pid() as pid'
const slowText = 'select pg_sleep($1::float8), pg_backend_pid() as pid'

test('reads that come together share a few connections, and each gets its own answer', async () => {
  const database = open(10)
  const numbers = Array.from({ length: 60 }, (_, n) => n)
  const answers = await Promise.all(numbers.map((n) => read<{ n: number; pid: number }>(database, pidText, [n])))
  expect(answers.map((answer) => answer?.n)).toEqual(numbers)
  expect(new Set(answers.map((answer) => answer?.pid)).size).toBeLessThanOrEqual(4)
  expect(database.pool.totalCount).toBeLessThanOrEqual(4)
  await expect.poll(() => database.pool.idleCount).toBe(database.pool.totalCount)
})

test('more than fit wait for a connection, and a transaction has one to itself meanwhile', async () => {
  const database = open(2)
  const numbers = Array.from({ length: 100 }, (_, n) => n)
  const answers = numbers.map((n) => read<{ n: number }>(database, pidText, [n]))
  const written = database.transaction(async (trx) => {
    await sql`create table things (n int)`.execute(trx)
    await sql`insert into things values (1)`.execute(trx)
    return 'written'
  })
  expect((await Promise.all(answers)).map((answer) => answer?.n)).toEqual(numbers)
  expect(await written).toBe('written')
  await expect.poll(() => database.pool.idleCount).toBe(database.pool.totalCount)
})

test('one that fails fails alone', async () => {
  const database = open(2)
  const text = 'select 10 / $1::int as n'
  const ends = await Promise.allSettled([5, 0, 2, 0, 1].map((n) => read<{ n: number }>(database, text, [n])))
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value?.n : end.reason.code))).toEqual([
    ...[2, '22012', 5, '22012', 10],
  ])
  expect(await database.transaction(async (trx) => (await sql`select 1 as n`.execute(trx)).rows)).toEqual([{ n: 1 }])
})

test('nobody waits for one that takes long, which has a connection to itself from then on', async () => {
  const database = open(4)
  const order: string[] = []
  const noted = async <T>(name: string, answer: Promise<T>) => {
    const result = await answer
    order.push(name)
    return result
  }
  // Both shared connections are taken, so that those that follow wait behind.
  const slow = [1, 2].map((n) => noted('slow', read(database, slowText, [1 + n / 100])))
  const quick = [1, 2, 3, 4].map((n) => noted('quick', read<{ n: number }>(database, pidText, [n])))
  expect((await Promise.all(quick)).map((answer) => answer?.n)).toEqual([1, 2, 3, 4])
  await Promise.all(slow)
  expect(order).toEqual(['quick', 'quick', 'quick', 'quick', 'slow', 'slow'])

  const again = pidOf(read(database, slowText, [0.5]))
  const beside = await Promise.all([1, 2, 3].map((n) => pidOf(read(database, pidText, [n]))))
  expect(beside).not.toContain(await again)
})

test('whoever waits behind one with which the connection breaks is asked again', async () => {
  const database = open(2)
  const killer = open(1)
  await killer.query('select 1')
  const first = read(database, slowText, [30]).catch((error: unknown) => error)
  const behind = [1, 2, 3].map((n) => read<{ n: number }>(database, pidText, [n]))
  const asleep = `select pg_terminate_backend(pid) as ended from pg_stat_activity
    where query ~ 'pg_sleep' and state = 'active' and pid <> pg_backend_pid() and datname = current_database()`
  await expect.poll(() => killer.query(asleep), { interval: 5 }).toEqual([{ ended: true }])
  expect(isDatabaseAway(await first)).toBe(true)
  expect((await Promise.all(behind)).map((answer) => answer?.n)).toEqual([1, 2, 3])
  await expect.poll(() => database.pool.idleCount).toBe(database.pool.totalCount)
})

test('a statement whose first try fails keeps its name, and so do all others', async () => {
  const database = openDatabase({ url: made.url, log, max: 2, statementTimeoutMs: 300 })
  opened.push(database)
  await database.query('create table things (n int)')
  const text = 'select count(*)::int as n from things where n <> $1'
  const ask = () => read<{ n: number }>(database, text, [1])
  await ask()
  await ask()
  // From the third use on it has a name, which the server hears of only once the table is free.
  await open(1).transaction(async (trx) => {
    await sql`lock table things`.execute(trx)
    const ends = await Promise.allSettled([1, 2, 3, 4].map(ask))
    expect(ends.map((end) => end.status === 'rejected' && sqlState(end.reason))).toEqual(Array(4).fill('57014'))
  })
  const named = 'select count(*)::int as n from pg_prepared_statements where statement like $1'
  for (let n = 0; n < 8; n++) expect(await ask()).toMatchObject({ n: 0 })
  expect(await read(database, named, ['%from things%'])).toEqual({ n: 1 })
})

test('a server that is away is said at once to all who wait for a connection', async () => {
  const database = openDatabase({ url: made.url.replace(/:\d+\//, ':1/'), log })
  opened.push(database)
  const ends = await Promise.allSettled([1, 2, 3].map((n) => read(database, pidText, [n])))
  expect(ends.map((end) => end.status === 'rejected' && isDatabaseAway(end.reason))).toEqual([true, true, true])
})

test('behind a pooler every read has a connection to itself', async () => {
  const database = open(4, { pooled: true })
  const asked = [1, 2, 3].map(() => pidOf(read(database, slowText, [0.1])))
  expect(new Set(await Promise.all(asked)).size).toBe(3)
})
