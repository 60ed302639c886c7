import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { createLog } from '../../log.ts'
import { type Database, isDatabaseAway, openDatabase } from '../connection.ts'
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

function open(max: number, options: { pooled?: boolean } = {}): Database {
  const database = openDatabase({ url: made.url, log, max, ...options })
  opened.push(database)
  return database
}

const read = async <Row extends object>({ reader }: Database, text: string, values: unknown[] = []) =>
  (await readRows<Row>(reader, text, values)).rows[0]

const text = 'select $1::int as n, pg_backend_pid() as pid'
type Answer = { n: number; pid: number }
const sleepText = 'select $1::int as n, pg_sleep($2::float8)::text'

/** Seen often enough to be known as quick. */
async function learn(database: Database): Promise<void> {
  for (const n of [1, 2, 3]) await read(database, text, [n])
}

const many = Array.from({ length: 100 }, (_, n) => n)

test('each of many that wait gets its own answer, and a transaction its turn between them', async () => {
  const database = open(3)
  await learn(database)
  const answers = many.map((n) => read<Answer>(database, text, [n]))
  const written = database.transaction(async (trx) => {
    await sql`create table things (n int)`.execute(trx)
    await sql`insert into things values (1)`.execute(trx)
    return 'written'
  })
  expect((await Promise.all(answers)).map((answer) => answer?.n)).toEqual(many)
  expect(await written).toBe('written')
  await expect.poll(() => database.pool.idleCount).toBe(database.pool.totalCount)
})

test('what waits for one connection goes out together, a few at a time', async () => {
  const database = open(1)
  await learn(database)
  const packets: number[] = []
  const client = await database.pool.connect()
  const { stream } = (client as unknown as { connection: { stream: { _writev: unknown } } }).connection
  const write = stream._writev as (chunks: readonly unknown[], done: () => void) => void
  stream._writev = (chunks: readonly unknown[], done: () => void) => {
    packets.push(chunks.length)
    write.call(stream, chunks, done)
  }
  const answers = Promise.all(many.map((n) => read<Answer>(database, text, [n])))
  client.release()
  expect((await answers).map((answer) => answer?.n)).toEqual(many)
  // A statement is four messages: bind, describe, execute, sync.
  expect(packets.slice(0, 3)).toEqual([24, 24, 24])
  expect(packets.reduce((sum, messages) => sum + messages)).toBe(4 * many.length)
})

test('where connections are free, everybody has one', async () => {
  const database = open(4)
  await learn(database)
  await Promise.all([1, 2, 3, 4].map((n) => read(database, sleepText, [n, 0.05])))
  const pids = await Promise.all([1, 2, 3, 4].map(async (n) => (await read<Answer>(database, text, [n]))?.pid))
  expect(new Set(pids).size).toBe(4)
})

test('nobody stands behind one that is slow, or that nobody knows', async () => {
  const database = open(2)
  await learn(database)
  const order: string[] = []
  const noted = async <T>(name: string, answer: Promise<T>) => {
    await answer
    order.push(name)
  }
  // One connection is taken by what sleeps; the other is enough for all the rest.
  const taken = await database.pool.connect()
  const slow = noted('slow', read(database, sleepText, [1, 1]))
  const quick = [1, 2, 3, 4].map((n) => noted('quick', read(database, text, [n])))
  taken.release()
  await Promise.all([slow, ...quick])
  expect(order).toEqual(['quick', 'quick', 'quick', 'quick', 'slow'])
})

test('one that fails fails alone', async () => {
  const database = open(1)
  const divide = 'select 10 / $1::int as n'
  for (const n of [1, 1, 1]) await read(database, divide, [n])
  const ends = await Promise.allSettled([5, 0, 2, 0, 1].map((n) => read<{ n: number }>(database, divide, [n])))
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value?.n : end.reason.code))).toEqual([
    ...[2, '22012', 5, '22012', 10],
  ])
  expect(await database.transaction(async (trx) => (await sql`select 1 as n`.execute(trx)).rows)).toEqual([{ n: 1 }])
})

test('whoever stands behind one with which the connection breaks is asked again', async () => {
  const database = open(1)
  // Quick until now, for it has been given no time to sleep.
  for (const n of [1, 2, 3]) await read(database, sleepText, [n, 0])
  const killer = open(1)
  await killer.query('select 1')
  const taken = await database.pool.connect()
  const first = read(database, sleepText, [0, 30]).catch((error: unknown) => error)
  const behind = [1, 2].map((n) => read<{ n: number }>(database, sleepText, [n, 0]))
  taken.release()
  const asleep = `select pg_terminate_backend(pid) as ended from pg_stat_activity
    where query ~ 'pg_sleep' and state = 'active' and pid <> pg_backend_pid() and datname = current_database()`
  await expect.poll(() => killer.query(asleep), { interval: 5 }).toEqual([{ ended: true }])
  expect(isDatabaseAway(await first)).toBe(true)
  expect((await Promise.all(behind)).map((answer) => answer?.n)).toEqual([1, 2])
  await expect.poll(() => database.pool.idleCount).toBe(database.pool.totalCount)
})

test('a server that is away is said at once to all who wait for a connection', async () => {
  const database = openDatabase({ url: made.url.replace(/:\d+\//, ':1/'), log })
  opened.push(database)
  const ends = await Promise.allSettled([1, 2, 3].map((n) => read(database, text, [n])))
  expect(ends.map((end) => end.status === 'rejected' && isDatabaseAway(end.reason))).toEqual([true, true, true])
})

test('who gets no connection in time is told so, and nobody else', async () => {
  const database = openDatabase({ url: made.url, log, max: 1, connectTimeoutMs: 300 })
  opened.push(database)
  await learn(database)
  const held = await database.pool.connect()
  const late = await Promise.allSettled([4, 5].map((n) => read<Answer>(database, text, [n])))
  held.release()
  expect(late.map((end) => end.status === 'rejected' && isDatabaseAway(end.reason))).toEqual([true, true])
  expect((await read<Answer>(database, text, [6]))?.n).toBe(6)
})
