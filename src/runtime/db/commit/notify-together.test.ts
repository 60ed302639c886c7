import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { createLog } from '../../log.ts'
import { type Database, openDatabase } from '../connection.ts'
import { type Listener, openListener } from '../listener.ts'
import { notifyTogether } from './notify-together.ts'

let tested: TestDatabase
let database: Database
let listener: Listener
const heard: string[] = []

beforeAll(async () => {
  tested = await createTestDatabase()
  const log = createLog('silent')
  database = openDatabase({ url: tested.url, max: 4, log })
  listener = openListener({ url: tested.url, log })
  listener.on('things', (payload) => heard.push(payload))
  await listener.begun
})
afterAll(async () => {
  await listener.close()
  await database.close()
  await tested.drop()
})

test('what is said in a transaction is heard once it has committed, each word once, and nothing of one that fails', async () => {
  const saying = Promise.withResolvers<void>()
  const open = database.transaction(async (trx) => {
    notifyTogether(trx, 'things', ['a', 'b', 'a'])
    await saying.promise
  })
  const failing = database.transaction(async (trx) => {
    notifyTogether(trx, 'things', ['never'])
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  await database.transaction(async (trx) => notifyTogether(trx, 'things', ['first']))
  await expect.poll(() => heard).toEqual(['first'])
  saying.resolve()
  await open
  await expect.poll(() => heard).toEqual(['first', 'a', 'b'])
})

test('many transactions that commit together are told of in few statements, and all of them are', async () => {
  heard.length = 0
  const before = await commits()
  const words = Array.from({ length: 200 }, (_, n) => `word ${n}`)
  for (const word of words) notifyTogether(database.db, 'things', [word])
  await expect.poll(() => heard.length).toBe(200)
  expect([...heard].sort()).toEqual([...words].sort())
  // One that goes out at once, one for all that came meanwhile; the rest is what the test itself asks.
  expect((await commits()) - before).toBeLessThan(20)
})

/** Statements that have ended in this database; they are counted when a session has nothing else to do. */
async function commits(): Promise<number> {
  await database.query('select pg_stat_force_next_flush()')
  const [row] = await database.query<{ n: number }>(
    'select xact_commit::int as n from pg_stat_database where datname = current_database()',
  )
  return row?.n ?? 0
}

test('a database that is away is no failure of whoever has something to say', async () => {
  const closed = openDatabase({ url: tested.url, max: 1, log: createLog('silent') })
  await closed.close()
  notifyTogether(closed.db, 'things', ['nobody hears it'])
  await database.transaction(async (trx) => notifyTogether(trx, 'things', ['last']))
  await expect.poll(() => heard.at(-1)).toBe('last')
})
