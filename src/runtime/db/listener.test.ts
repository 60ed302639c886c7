import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { createLog } from '../log.ts'
import { type Database, openDatabase } from './connection.ts'
import { type Listener, openListener } from './listener.ts'

const log = createLog('silent')
let database: TestDatabase
let connection: Database
let listener: Listener | undefined

beforeAll(async () => {
  database = await createEmptyDatabase()
  connection = openDatabase({ url: database.url, log })
})

afterEach(async () => {
  await listener?.close()
})

afterAll(async () => {
  await connection.close()
  await database.drop()
})

function listen() {
  const received: string[] = []
  const changes: string[] = []
  const opened = openListener({ url: database.url, log })
  listener = opened
  opened.on('news', (payload) => received.push(payload))
  opened.onConnect(() => changes.push('connected'))
  opened.onDisconnect(() => changes.push('disconnected'))
  return { heard: received, changes, opened }
}

const say = (text: string) => connection.query('select pg_notify($1, $2)', ['news', text])
const terminate = () =>
  connection.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'entrepot listener' and datname = current_database()`,
  )

test('what is said is heard', async () => {
  const { heard: received, opened } = listen()
  await expect.poll(() => opened.connected).toBe(true)
  await say('one')
  await expect.poll(() => received).toEqual(['one'])
})

test('a channel that is added later is heard too', async () => {
  const { opened } = listen()
  await expect.poll(() => opened.connected).toBe(true)
  const received: string[] = []
  opened.on('Other news', (payload) => received.push(payload))
  await opened.query('select 1')
  await connection.query('select pg_notify($1, $2)', ['Other news', 'two'])
  await expect.poll(() => received).toEqual(['two'])
})

test('a channel that is added while the connection is being tried is heard too', async () => {
  const received: string[] = []
  let isAdded = false
  const opened = openListener({
    url: database.url,
    log,
    say: async (channel, word) => {
      if (!isAdded) opened.on('late news', (payload) => received.push(payload))
      isAdded = true
      await connection.query('select pg_notify($1, $2)', [channel, word])
    },
  })
  listener = opened
  await opened.begun
  await opened.query('select 1')
  await connection.query('select pg_notify($1, $2)', ['late news', 'six'])
  opened.on('the end', (payload) => received.push(payload))
  await opened.query('select 1')
  await connection.query('select pg_notify($1, $2)', ['the end', 'seven'])
  await expect.poll(() => received).toContain('seven')
  expect(received).toEqual(['six', 'seven'])
})

test('after the server ended the connection it is heard again', async () => {
  const { heard: received, changes, opened } = listen()
  await expect.poll(() => opened.connected).toBe(true)
  await terminate()
  await expect.poll(() => changes).toEqual(['connected', 'disconnected', 'connected'])
  await say('three')
  await expect.poll(() => received).toEqual(['three'])
})

test('a handler that throws disturbs nobody', async () => {
  const { heard: received, opened } = listen()
  opened.on('news', () => {
    throw new Error('no')
  })
  opened.on('news', (payload) => received.push(`also ${payload}`))
  await expect.poll(() => opened.connected).toBe(true)
  await say('four')
  await expect.poll(() => received).toEqual(['four', 'also four'])
})

test('without a connection a query fails at once', async () => {
  const nowhere = openListener({ url: 'postgres://nobody@127.0.0.1:1/nothing', log })
  await expect(nowhere.query('select 1')).rejects.toThrow('Connection terminated')
  await nowhere.close()
})
