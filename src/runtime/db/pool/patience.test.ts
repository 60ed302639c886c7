import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { listenTcp, through } from '../../../../test/support/loopback.ts'
import { standStill } from '../../../../test/support/stand-still.ts'
import { createLog } from '../../log.ts'
import { type Database, isDatabaseAway, openDatabase } from '../connection.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createEmptyDatabase()
})
afterAll(() => database.drop())

const log = createLog('silent')
// Long enough for a slow machine to open a connection in what is left of it once it goes on.
const patienceMs = 2000
const open = (url = database.url, connectTimeoutMs = patienceMs): Database =>
  openDatabase({ url, max: 1, connectTimeoutMs, log })

test('a server that answers while the process stands still is not called silent', async () => {
  const connection = open()
  const opening = connection.query('select 1 as one')
  standStill(1.25 * patienceMs)
  expect(await opening).toEqual([{ one: 1 }])
  await connection.close()
})

test('nor is a connection that is given back in that time called missing', async () => {
  const connection = open()
  const [first, second] = [connection.query('select 1 as one'), connection.query('select 2 as one')]
  standStill(1.25 * patienceMs)
  expect(await Promise.all([first, second])).toEqual([[{ one: 1 }], [{ one: 2 }]])
  await connection.close()
})

test('a server that takes connections and says nothing is away in good time, and one that is full as well', async () => {
  const mute = await listenTcp(() => undefined)
  const unheard = open(through(database.url, mute.port), 200)
  await expect(unheard.query('select 1')).rejects.toSatisfy(isDatabaseAway)
  await unheard.close()
  await mute.close()

  const full = open(database.url, 1000)
  const client = await full.pool.connect()
  await expect(full.query('select 1')).rejects.toSatisfy(isDatabaseAway)
  client.release()
  expect(await full.query('select 1 as one')).toEqual([{ one: 1 }])
  await full.close()
})
