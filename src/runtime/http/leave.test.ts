import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as later, setImmediate as nextRound } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { Agent } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { standStill } from '../../../test/support/stand-still.ts'
import { createLeaving, type Leaving } from './leave.ts'

let app: FastifyInstance
let leaving: Leaving
let client: Agent
let origin: string
let read: number

beforeEach(async () => {
  app = fastify()
  read = 0
  leaving = createLeaving(app.server)
  app.addHook('onRequest', async (request, reply) => leaving.see(request, reply))
  app.addHook('onRequest', async () => {
    read++
  })
  app.get('/ready', async () => 'ok')
  app.get('/orders', async () => 'ok')
  origin = await app.listen({ host: '127.0.0.1', port: 0 })
  client = new Agent({ connections: 1 })
})
afterEach(async () => {
  await client.destroy()
  await app.close()
})

async function ask(path: string): Promise<void> {
  const { body } = await client.request({ origin, path, method: 'GET' })
  await body.text()
}

test('whoever asks whether it is ready hears that it is not before it goes, however late', async () => {
  await ask('/ready')
  const said: string[] = []
  const left = leaving.leave().then(() => said.push('left'))
  // Busy with other things for longer than it is quiet.
  await later(1200)
  said.push('asked')
  await ask('/ready')
  await left
  expect(said).toEqual(['asked', 'left'])
})

test('where nobody has ever asked, it goes when no request has come for a while', async () => {
  await ask('/orders')
  await expect(leaving.leave()).resolves.toBeUndefined()
})

test('a request that came while the process stood still is read before it goes', async () => {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const left = leaving.leave().then(() => read)
  await later(50)
  // What is due comes next, and only then what has arrived.
  await nextRound()
  // At once with the system, which keeps it.
  socket.write('GET /orders HTTP/1.1\r\nhost: here\r\n\r\n')
  standStill(1_000)
  expect(await left).toBe(1)
  await once(socket.resume(), 'close')
})
