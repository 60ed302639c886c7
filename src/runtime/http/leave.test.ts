import { setTimeout as later } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { Agent } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLeaving, type Leaving } from './leave.ts'

let app: FastifyInstance
let leaving: Leaving
let client: Agent
let origin: string

beforeEach(async () => {
  app = fastify()
  leaving = createLeaving(app.server)
  app.addHook('onRequest', async (request, reply) => leaving.see(request, reply))
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
