import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { administer } from '../../../../test/support/databases.ts'
import { listenTcp, through } from '../../../../test/support/loopback.ts'
import { createLog } from '../../log.ts'
import { type Database, openDatabase } from '../connection.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createEmptyDatabase()
})
afterAll(() => database.drop())

const open = () => openDatabase({ url: database.url, max: 5, ready: 3, log: createLog('silent') })
const connectionsOf = ({ pool }: Database) => ({ all: pool.totalCount, free: pool.idleCount })

test('with the first connection those are opened that whoever comes next will need', async () => {
  const connection = open()
  expect(connectionsOf(connection)).toEqual({ all: 0, free: 0 })
  await connection.query('select 1')
  await expect.poll(() => connectionsOf(connection)).toEqual({ all: 3, free: 3 })
  await connection.close()
})

test('whoever takes the last free one has another opened meanwhile, and never more than there may be', async () => {
  const connection = open()
  await connection.query('select 1')
  await expect.poll(() => connectionsOf(connection)).toEqual({ all: 3, free: 3 })
  const taken = [await connection.pool.connect(), await connection.pool.connect()]
  expect(connectionsOf(connection)).toEqual({ all: 3, free: 1 })
  for (const all of [4, 5]) {
    taken.push(await connection.pool.connect())
    await expect.poll(() => connectionsOf(connection)).toEqual({ all, free: 1 })
  }
  taken.push(await connection.pool.connect())
  expect(connectionsOf(connection)).toEqual({ all: 5, free: 0 })
  for (const client of taken) client.release()
  expect(connectionsOf(connection)).toEqual({ all: 5, free: 5 })
  await connection.close()
})

test('all that stay open take their turns', async () => {
  const connection = open()
  await connection.query('select 1')
  await expect.poll(() => connectionsOf(connection)).toEqual({ all: 3, free: 3 })
  const pids: (number | undefined)[] = []
  while (pids.length < 6) {
    const [row] = await connection.query<{ pid: number }>('select pg_backend_pid() as pid')
    pids.push(row?.pid)
  }
  expect(new Set(pids.slice(0, 3)).size).toBe(3)
  expect(pids.slice(3)).toEqual(pids.slice(0, 3))
  await connection.close()
})

test('after the server has ended them all, they are there again with the next question', async () => {
  const connection = open()
  await connection.query('select 1')
  await expect.poll(() => connectionsOf(connection)).toEqual({ all: 3, free: 3 })
  const killer = openDatabase({ url: database.url, log: createLog('silent') })
  await killer.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  await killer.close()
  await expect.poll(() => connectionsOf(connection)).toEqual({ all: 0, free: 0 })
  await connection.query('select 1')
  await expect.poll(() => connectionsOf(connection)).toEqual({ all: 3, free: 3 })
  await connection.close()
})

test('whoever finds none free has the first that is given back, and does not wait for one that is still being opened', async () => {
  const gate = await openGate(database.url)
  const connection = openDatabase({ url: gate.url, max: 5, log: createLog('silent') })
  const pidThrough = async (db: Pick<Database, 'db'>['db']) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
  const first = await pidThrough(connection.db)
  gate.close()
  // One takes it, and the others come while it has been promised, but not taken yet.
  const pids = await Promise.all([1, 2, 3].map(() => pidThrough(connection.db)))
  expect(pids).toEqual([first, first, first])
  const { next } = await connection.transaction(async (trx) => {
    expect(await pidThrough(trx)).toBe(first)
    return { next: pidThrough(connection.db) }
  })
  expect(await next).toBe(first)
  gate.open()
  await connection.close()
  await gate.end()
})

test('whoever waits for one is told that none can be opened', async () => {
  const server = await createEmptyDatabase()
  const connection = openDatabase({ url: server.url, max: 5, log: createLog('silent') })
  const client = await connection.pool.connect()
  await administer(server.url, `alter database ${new URL(server.url).pathname.slice(1)} allow_connections false`)
  const results = await Promise.allSettled([1, 2, 3].map((n) => connection.query(`select ${n}`)))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  client.release()
  await connection.close()
  await server.drop()
})

/** Stands before a database, and lets connections through or has them wait. */
async function openGate(url: string) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let opened: PromiseWithResolvers<void> | null = null
  const server = await listenTcp(async (near) => {
    sockets.add(near.on('error', () => undefined))
    await opened?.promise
    const far = connect(Number(port), hostname)
    sockets.add(far.on('error', () => undefined))
    near.pipe(far).pipe(near)
  })
  return {
    url: through(url, server.port),
    close() {
      opened = Promise.withResolvers()
    },
    open: () => opened?.resolve(),
    async end() {
      for (const socket of sockets) socket.destroy()
      await server.close()
    },
  }
}
