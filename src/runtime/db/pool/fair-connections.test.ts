import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { asNobodys, asPiece } from '../../../lib/turns/piece-of-work.ts'
import { createLog } from '../../log.ts'
import { type Database, openDatabase } from '../connection.ts'

let database: TestDatabase
let connection: Database
beforeAll(async () => {
  database = await createEmptyDatabase()
})
afterAll(() => database.drop())
const max = 6
beforeEach(async () => {
  connection = openDatabase({ url: database.url, max, share: 2, connectTimeoutMs: 200, log: createLog('silent') })
  for (const client of await takeAll()) client.release()
  return () => connection.close()
})

/** All there are. On a busy machine it may take longer to open one than anybody here waits; then it is asked for again. */
async function takeAll(): Promise<pg.PoolClient[]> {
  const taken: pg.PoolClient[] = []
  while (taken.length < max) {
    const client = await connection.pool.connect().catch(() => null)
    if (client) taken.push(client)
  }
  return taken
}

const ask = (whose: string | null) => asPiece(() => connection.query('select 1'), whose)

/** Pieces of work of one caller, each of which holds a connection until it is told to end. */
async function hold(whose: string, count: number) {
  const pieces = Array.from({ length: count }, async () => {
    const [begun, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const ended = asPiece(
      () =>
        connection.transaction(async () => {
          begun.resolve()
          await told.promise
        }),
      whose,
    )
    await Promise.race([begun.promise, ended])
    return { ended, tell: () => told.resolve() }
  })
  const begun = await Promise.all(pieces)
  return {
    async endOne() {
      const one = begun.shift()
      one?.tell()
      await one?.ended
    },
    async end() {
      for (const { tell } of begun) tell()
      await Promise.all(begun.map(({ ended }) => ended))
    },
  }
}

test('whoever holds his share waits for himself, in the order of coming, and others for nobody', async () => {
  const held = await hold('a', 2)
  const order: number[] = []
  const waiting = [1, 2, 3].map((n) => ask('a').then(() => order.push(n)))
  await Promise.all([ask('b'), ask('c'), ask(null), connection.query('select 1')])
  expect(order).toEqual([])
  await held.endOne()
  await Promise.all(waiting)
  expect(order).toEqual([1, 2, 3])
  await held.end()
  // Nothing of it is left: as many may be held as before.
  await (await hold('a', 2)).end()
})

test('whoever has waited too long is told to come again, and is out of the line', async () => {
  const held = await hold('a', 2)
  await expect(ask('a')).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 })
  await held.end()
  await ask('a')
})

test('a piece of work that holds one has another, however many its caller holds', async () => {
  const held = await hold('a', 1)
  const nested = asPiece(() => connection.transaction(async () => await connection.query('select 1')), 'a')
  await nested
  // The one that was too many is not passed on.
  const both = asPiece(
    () =>
      connection.transaction(async () => {
        await connection.transaction(async () => await connection.query('select 1'))
        await expect(asNobodys(() => ask('a'))).rejects.toMatchObject({ kind: 'unavailable' })
      }),
    'a',
  )
  await both
  await held.end()
})

test('what is left to be done when a piece of work is over, or is done for several, is nobody’s', async () => {
  const held = await hold('a', 2)
  const over = Promise.withResolvers<void>()
  let late: Promise<unknown> | undefined
  await asPiece(async () => {
    late = over.promise.then(() => connection.query('select 1'))
    await asNobodys(() => connection.query('select 1'))
  }, 'a')
  over.resolve()
  await late
  await held.end()
})

test('a share is free again when its connection was lost, or could not be had', async () => {
  const lose = () => asPiece(() => connection.query('select pg_terminate_backend(pg_backend_pid())'), 'a')
  for (const _ of [1, 2, 3]) await expect(lose()).rejects.toThrow()
  const taken = await takeAll()
  for (const _ of [1, 2, 3]) await expect(ask('a')).rejects.toThrow('timeout exceeded when trying to connect')
  for (const client of taken) client.release()
  await (await hold('a', 2)).end()
})
