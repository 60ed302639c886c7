import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type DarkProxy, openDarkProxy } from '../../../test/support/dark-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { standStill } from '../../../test/support/stand-still.ts'
import { untilHolds } from '../../../test/support/until.ts'
import { type SilenceWatch, watchForSilence } from './silence.ts'

let database: TestDatabase
let observer: pg.Client
let proxy: DarkProxy
let watch: SilenceWatch

beforeAll(async () => {
  database = await createTestDatabase()
  observer = new pg.Client({ connectionString: database.url })
  await observer.connect()
})
afterAll(async () => {
  await observer.end()
  await database.drop()
})
beforeEach(async () => {
  proxy = await openDarkProxy(database.url)
  watch = watchForSilence({ url: proxy.through(database.url), limitMs: 60_000, doubtMs: 200 })
})
afterEach(async () => {
  watch.close()
  await proxy.close()
})

/** Over the network that can be lost. */
async function connect() {
  const client = new pg.Client({ connectionString: proxy.through(database.url) })
  const ended = vi.fn()
  client.on('error', () => undefined)
  client.on('end', ended)
  await client.connect()
  watch.add(client)
  return { client, ended }
}

test('a connection that is lost without a word is given up long before the limit, with those that were at rest', async () => {
  const [asking, resting] = [await connect(), await connect()]
  expect(proxy.darken()).toBe(2)
  await expect(asking.client.query('select 1')).rejects.toThrow('Connection terminated')
  await untilHolds(() => expect(resting.ended).toHaveBeenCalled())
})

test('an answer that is lost, with the server at rest in a transaction, is not waited for', async () => {
  const { client } = await connect()
  await client.query('begin')
  const asked = client.query('select pg_sleep(0.5)')
  await untilHolds(async () => {
    const text = `select from pg_stat_activity where query like '%pg_sleep(0.5)%' and state = 'active' and pid <> pg_backend_pid()`
    expect((await observer.query(text)).rowCount).toBe(1)
  })
  proxy.darken()
  await expect(asked).rejects.toThrow('Connection terminated')
})

test('a statement that takes its time is left in peace, and so are those beside it', async () => {
  const [working, resting] = [await connect(), await connect()]
  const { rows } = await working.client.query('select 1 as one from pg_sleep(3)')
  expect(rows).toEqual([{ one: 1 }])
  expect(resting.ended).not.toHaveBeenCalled()
})

test('an answer that comes while the process stands still is one, however long that lasts', async () => {
  const impatient = watchForSilence({ url: database.url, limitMs: 400 })
  const client = new pg.Client({ connectionString: database.url })
  client.on('error', () => undefined)
  await client.connect()
  impatient.add(client)
  // By then all that came with the connection has been seen.
  await observer.query('select pg_sleep(0.6)')
  const asked = client.query('select 1 as one from pg_sleep(0.1)')
  standStill(2000)
  expect((await asked).rows).toEqual([{ one: 1 }])
  impatient.close()
  await client.end()
})
