import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { createLog } from '../log.ts'
import { type Database, openDatabase } from './connection.ts'
import { openListener } from './listener.ts'
import { joinPeers } from './peers.ts'

const log = createLog('silent')
let database: TestDatabase
let connection: Database
const open: Peer[] = []

beforeAll(async () => {
  database = await createEmptyDatabase()
  connection = openDatabase({ url: database.url, log })
})

afterEach(async () => {
  for (const peer of open.splice(0)) await peer.leave()
})

afterAll(async () => {
  await connection.close()
  await database.drop()
})

interface Peer {
  /** What it thinks of now, and all that was announced so far. */
  state: 'alone' | 'company' | 'unknown'
  announced: string[]
  joined: Promise<void>
  leave(): Promise<void>
  /** The connection goes away without a word. */
  crash(): Promise<void>
}

function start(options: { checkEveryMs?: number; onCompany?: () => Promise<void> } = {}): Peer {
  const listener = openListener({ url: database.url, log })
  const tell = (state: 'alone' | 'company') => {
    peer.state = state
    peer.announced.push(state)
  }
  const peers = joinPeers({
    listener,
    log,
    ...(options.checkEveryMs === undefined ? {} : { checkEveryMs: options.checkEveryMs }),
    onCompany: async () => {
      await options.onCompany?.()
      tell('company')
    },
    onAlone: () => tell('alone'),
  })
  const peer: Peer = {
    state: 'unknown',
    announced: [],
    joined: peers.joined,
    leave: async () => {
      await peers.close()
      await listener.close()
    },
    crash: () => listener.close(),
  }
  open.push(peer)
  return peer
}

test('the only one is alone', async () => {
  const only = start()
  await only.joined
  expect(only.state).toBe('alone')
})

test('a newcomer is in company when it has joined, and so are those who were there', async () => {
  const first = start()
  await first.joined
  const second = start()
  await second.joined
  expect([first.state, second.state]).toEqual(['company', 'company'])
  const third = start()
  await third.joined
  expect([first.state, second.state, third.state]).toEqual(['company', 'company', 'company'])
})

test('a newcomer waits until the others have made the switch', async () => {
  const order: string[] = []
  let held = false
  const first = start({
    onCompany: async () => {
      if (!held) return
      await connection.query('select pg_sleep(0.05)')
      order.push('switched')
    },
  })
  await first.joined
  held = true
  const second = start()
  await second.joined
  order.push('joined')
  expect(order).toEqual(['switched', 'joined'])
})

test('five that start at the same moment all know that they are several', async () => {
  const peers = Array.from({ length: 5 }, () => start())
  await Promise.all(peers.map((peer) => peer.joined))
  await expect.poll(() => peers.map((peer) => peer.state)).toEqual(Array(5).fill('company'))
})

test('who stays behind is alone as soon as the last other has said good-bye', async () => {
  const [first, second, third] = [start(), start(), start()]
  await Promise.all([first.joined, second.joined, third.joined])
  await expect.poll(() => first.state).toBe('company')
  await second.leave()
  await third.leave()
  await expect.poll(() => first.state).toBe('alone')
})

test('one that crashed is missed at the next look', async () => {
  const first = start({ checkEveryMs: 20 })
  await first.joined
  const second = start()
  await second.joined
  await second.crash()
  await expect.poll(() => first.state).toBe('alone')
})

test('one that has lost its connection assumes company, and finds out when it is back', async () => {
  const only = start()
  await only.joined
  only.announced.length = 0
  await connection.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'entrepot listener' and datname = current_database()`,
  )
  await expect.poll(() => only.announced.at(-1)).toBe('alone')
  expect(only.announced[0]).toBe('company')
})

test('one that could not count together at once joins all the same, and the others know of it', async () => {
  const first = start()
  await first.joined
  let tries = 0
  const second = start({
    onCompany: async () => {
      if (++tries === 1) throw new Error('The database could not do it now.')
    },
  })
  await expect.poll(() => [first.state, second.state]).toEqual(['company', 'company'])
  await second.joined
  await second.leave()
  await expect.poll(() => first.state).toBe('alone')
})

test('programs on another database of the same server are strangers', async () => {
  const first = start()
  await first.joined
  const elsewhere = await createEmptyDatabase()
  const listener = openListener({ url: elsewhere.url, log })
  const announced: string[] = []
  const peers = joinPeers({
    listener,
    log,
    onCompany: async () => void announced.push('company'),
    onAlone: () => void announced.push('alone'),
  })
  await peers.joined
  expect([announced.at(-1), first.state]).toEqual(['alone', 'alone'])
  await peers.close()
  await listener.close()
  await elsewhere.drop()
})
