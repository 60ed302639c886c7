import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  ConflictError,
  ConnectionError,
  createClient,
  RateLimitError,
  UnavailableError,
} from '../../packages/client/src/index.ts'
import { listenHttp } from '../support/loopback.ts'

/** A server that fails as it is told to. */
type Reply = (request: IncomingMessage, response: ServerResponse) => void
let replies: Reply[]
let seen: { method: string; key: string | undefined; token: string | undefined }[]
let server: Awaited<ReturnType<typeof listenHttp>>

beforeEach(async () => {
  replies = []
  seen = []
  server = await listenHttp(async (request, response) => {
    for await (const _ of request);
    const { authorization, 'idempotency-key': key } = request.headers
    seen.push({ method: request.method ?? '', key: key ? String(key) : undefined, token: authorization })
    const reply = replies.shift() ?? json(200, { data: { id: 1 } })
    reply(request, response)
  })
})
afterEach(() => server.close())

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const cut: Reply = (request) => void request.socket.destroy()
const silent: Reply = () => undefined

const clientOf = (more: Partial<Parameters<typeof createClient>[0]> = {}) =>
  createClient({ baseUrl: `http://127.0.0.1:${server.port}/`, auth: { token: 'given' }, ...more })

test('what may pass is tried again, with the key of the first attempt', async () => {
  replies = [
    json(503, { message: 'Service Unavailable' }),
    cut,
    json(409, { message: 'In progress' }, { 'retry-after': '0' }),
  ]
  await clientOf().accounts.create({ remote_id: 'a', name: 'A' })
  expect(seen).toHaveLength(4)
  expect(new Set(seen.map(({ key }) => key)).size).toBe(1)
  expect(seen[0]?.key).toMatch(/^[\da-f-]{36}$/)
})

test('a key of your own goes with every attempt', async () => {
  replies = [cut]
  await clientOf().accounts.create({ remote_id: 'a', name: 'A' }, { idempotencyKey: 'mine' })
  expect(seen.map(({ key }) => key)).toEqual(['mine', 'mine'])
})

test('a request that was carried out, and whose answer is lost, is not repeated', async () => {
  replies = [json(409, { message: 'It was carried out.' })]
  await expect(clientOf().accounts.create({ remote_id: 'a', name: 'A' })).rejects.toBeInstanceOf(ConflictError)
  expect(seen).toHaveLength(1)
})

test('what is wrong is not tried again', async () => {
  for (const status of [400, 403, 404, 422, 500]) {
    replies = [json(status, { message: 'No' })]
    seen = []
    await expect(clientOf().integrations.get(1)).rejects.toMatchObject({ status })
    expect(seen).toHaveLength(1)
  }
})

test('after so many attempts it is enough', async () => {
  replies = Array.from({ length: 9 }, () => json(503, { message: 'Away' }))
  await expect(clientOf({ maxAttempts: 3 }).integrations.get(1)).rejects.toBeInstanceOf(UnavailableError)
  expect(seen).toHaveLength(3)
})

test('a pause that is longer than you want to wait is thrown, with how long it is', async () => {
  replies = [json(429, { message: 'Too Many Requests' }, { 'retry-after': '120' })]
  const error = await clientOf()
    .integrations.get(1)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RateLimitError)
  expect(error).toMatchObject({ retryAfterSeconds: 120, status: 429 })
})

test('a server that says nothing is given up after the time that it has', async () => {
  replies = [silent, silent]
  const client = clientOf({ timeoutSeconds: 0.2, maxAttempts: 2 })
  await expect(client.integrations.get(1)).rejects.toBeInstanceOf(ConnectionError)
  expect(seen).toHaveLength(2)
})

test('who stops waiting is not kept', async () => {
  replies = [silent]
  const stop = new AbortController()
  const call = clientOf().integrations.get(1, { signal: stop.signal })
  await expect.poll(() => seen.length).toBe(1)
  stop.abort(new Error('enough'))
  await expect(call).rejects.toThrow('enough')
})

test('a token that is refused is asked for once more, and not for ever', async () => {
  replies = [json(401, { message: 'Unauthenticated.' }), json(401, { message: 'Unauthenticated.' })]
  let asked = 0
  const client = clientOf({ auth: { token: () => `token ${++asked}` } })
  await expect(client.integrations.get(1)).rejects.toMatchObject({ status: 401 })
  expect(seen.map(({ token }) => token)).toEqual(['Bearer token 1', 'Bearer token 2'])
})
