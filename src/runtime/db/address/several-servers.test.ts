import { connect, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { type Loopback, listenTcp } from '../../../../test/support/loopback.ts'
import { freePort } from '../../../../test/support/process.ts'
import { createLog } from '../../log.ts'
import { type Database, isDatabaseAway, openDatabase } from '../connection.ts'
import { openListener } from '../listener.ts'
import { connectTo } from './connect-to.ts'
import { writableServer } from './writable-server.ts'

const log = createLog('silent')
let database: TestDatabase
let opened: Database | undefined
const gates: Gate[] = []

beforeAll(async () => {
  database = await createEmptyDatabase()
})
afterEach(async () => {
  await opened?.close()
  opened = undefined
  for (const gate of gates.splice(0)) await gate.shut()
})
afterAll(() => database.drop())

interface Gate {
  port: number
  open(): Promise<void>
  shut(): Promise<void>
}

/** A server's place: its port answers while it is open, and all connections end when it is shut. */
async function makeGate(): Promise<Gate> {
  const { hostname, port: target } = new URL(database.url)
  const port = await freePort()
  let server: Loopback | null = null
  const gate: Gate = {
    port,
    async open() {
      const pass = (near: Socket) => {
        const far = connect(Number(target), hostname)
        near.pipe(far).on('error', () => undefined)
        far.pipe(near).on('close', () => far.destroy())
      }
      server = await listenTcp(pass, '127.0.0.1', port)
    },
    async shut() {
      await server?.close()
      server = null
    },
  }
  gates.push(gate)
  return gate
}

const through = (...places: readonly Gate[]): string => {
  const { username, password, pathname } = new URL(database.url)
  return `postgres://${username}:${password}@${places.map(({ port }) => `127.0.0.1:${port}`).join(',')}${pathname}`
}

const one = [{ one: 1 }]
const ask = (from: Database) => from.query('select 1 as one')

test('the one that is there is found, in whatever order they are named', async () => {
  const [away, there] = [await makeGate(), await makeGate()]
  await there.open()
  opened = openDatabase({ url: through(away, there), log })
  expect(await ask(opened)).toEqual(one)
})

test('when the server moves, connections follow; whoever listens hears again', async () => {
  const [first, second] = [await makeGate(), await makeGate()]
  await first.open()
  const url = through(first, second)
  opened = openDatabase({ url, log })
  const heard: string[] = []
  const listener = openListener({ url, log })
  listener.on('news', (word) => heard.push(word))
  await listener.begun
  expect(await ask(opened)).toEqual(one)
  await first.shut()
  const failure = await ask(opened).catch((error: unknown) => error)
  expect(isDatabaseAway(failure)).toBe(true)
  await second.open()
  const asked = opened
  await expect.poll(() => ask(asked).catch(() => 'away')).toEqual(one)
  await expect.poll(() => listener.connected).toBe(true)
  await opened.query(`select pg_notify('news', 'moved')`)
  await expect.poll(() => heard).toEqual(['moved'])
  await listener.close()
})

test('a connection that rests notices that its server has gone: the next request goes to the other', async () => {
  const [first, second] = [await makeGate(), await makeGate()]
  await first.open()
  opened = openDatabase({ url: through(first, second), log })
  expect(await ask(opened)).toEqual(one)
  await second.open()
  await first.shut()
  const { pool } = opened
  await expect.poll(() => pool.totalCount).toBe(0)
  expect(await ask(opened)).toEqual(one)
})

test('whoever has no connection asks again where to go', async () => {
  const [first, second] = [await makeGate(), await makeGate()]
  await first.open()
  const url = through(first, second)
  const before = new pg.Client(connectTo(url))
  await before.connect()
  await before.end()
  await first.shut()
  await second.open()
  opened = openDatabase({ url, log })
  expect(await ask(opened)).toEqual(one)
})

test('while none is there, whoever has no more patience is refused, and whoever has is served by the first that comes', async () => {
  const place = await makeGate()
  const url = through(place)
  const server = writableServer([url])
  const { signal } = new AbortController()
  const patient = server.find(signal, Number.POSITIVE_INFINITY)
  const failure = await server.find(signal, 0).catch((error: unknown) => error)
  expect(isDatabaseAway(failure)).toBe(true)
  await place.open()
  expect(await patient).toBe(url)
})

test('a server that the network has lost keeps nobody from finding the other', async () => {
  const [place, silent] = [await makeGate(), await listenTcp(() => undefined)]
  const urls = [`postgres://nobody@127.0.0.1:${silent.port}/none`, through(place)]
  const found = writableServer(urls, { answerMs: 600_000 }).find(new AbortController().signal, Number.POSITIVE_INFINITY)
  await expect.poll(() => silent.connections()).toBe(1)
  await place.open()
  expect(await found).toBe(through(place))
  await silent.close()
})

test('a server that takes no writes is away, and is back as soon as it does', async () => {
  const place = await makeGate()
  await place.open()
  const url = `${through(place)}?target_session_attrs=read-write`
  const direct = openDatabase({ url: database.url, log })
  await direct.query('create table writes (n int)')
  opened = openDatabase({ url, log })
  await opened.query('insert into writes values (1)')
  const name = new URL(database.url).pathname.slice(1)
  await direct.query(`alter database ${name} set default_transaction_read_only = on`)
  await opened.query('set default_transaction_read_only = on')
  const failure = await opened.query('insert into writes values (2)').catch((error: unknown) => error)
  expect(isDatabaseAway(failure)).toBe(true)
  // Its connection was given up, and no other is made to a server that takes none.
  expect(isDatabaseAway(await ask(opened).catch((error: unknown) => error))).toBe(true)
  await direct.query(
    `set default_transaction_read_only = off; alter database ${name} reset default_transaction_read_only`,
  )
  const asked = opened
  await expect.poll(() => asked.query('insert into writes values (3)').catch(() => 'away')).toEqual([])
  await direct.close()
})
