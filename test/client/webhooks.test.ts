import { createServer } from 'node:http'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  fastifyWebhooks,
  fetchHandler,
  type HandlerOptions,
  honoHandler,
  nodeHandler,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '../../packages/client/src/webhooks/index.ts'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { signedHeaders, signingKey } from '../../src/domain/webhooks/sender/sign-delivery.ts'
import { orderInput } from '../support/orders.ts'
import { openWebhookLab, type WebhookLab } from '../support/webhook-lab.ts'

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`
const payload = '{"type":"webhook.test","timestamp":"2026-11-15T10:00:00Z","data":{"note":"grüße"}}'
const at = 1_794_736_800
const headers = signedHeaders([signingKey(secret)], { id: 'evt_1', timestamp: at, payload })
const now = () => at * 1000

describe('a message', () => {
  test('is verified as text and as bytes, with headers of every kind', async () => {
    for (const body of [payload, new TextEncoder().encode(payload)]) {
      for (const given of [headers, new Headers(headers), { ...headers, 'Webhook-Id': undefined }]) {
        const { id, event } = await verifyWebhook(body, given, { secret, now })
        expect([id, event.type]).toEqual(['evt_1', 'webhook.test'])
      }
    }
  })

  test('is verified by the old secret and by the new one while it is replaced', async () => {
    const other = `whsec_${Buffer.from('another one').toString('base64')}`
    const both = signedHeaders([other, secret].map(signingKey), { id: 'evt_1', timestamp: at, payload })
    for (const one of [secret, other, ['whsec_AAAA', secret]]) {
      await expect(verifyWebhook(payload, both, { secret: one, now })).resolves.toMatchObject({ id: 'evt_1' })
    }
  })

  test.each([
    ['another body', payload.replace('test', 'tset'), headers, now],
    ['another id', payload, { ...headers, 'webhook-id': 'evt_2' }, now],
    ['another time', payload, { ...headers, 'webhook-timestamp': `${at + 1}` }, now],
    ['no signature', payload, { ...headers, 'webhook-signature': '' }, now],
    ['no header at all', payload, {}, now],
    ['a signature of another kind', payload, { ...headers, 'webhook-signature': 'v1a,AAAA' }, now],
    ['a signature that is none', payload, { ...headers, 'webhook-signature': 'v1,%%%' }, now],
    ['an old one', payload, headers, () => (at + 301) * 1000],
    ['one from the future', payload, headers, () => (at - 301) * 1000],
  ])('with %s is refused', async (_, body, given, clock) => {
    const verifying = verifyWebhook(body, given, { secret, now: clock })
    await expect(verifying).rejects.toBeInstanceOf(WebhookVerificationError)
  })

  test('with a secret that is none is a mistake of yours, not of the sender', async () => {
    await expect(verifyWebhook(payload, headers, { secret: '', now })).rejects.toBeInstanceOf(TypeError)
  })
})

describe('servers of others', () => {
  let lab: WebhookLab
  const closing: (() => unknown)[] = []
  beforeAll(async () => {
    lab = await openWebhookLab()
  })
  afterAll(() => lab.close())
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  type Serve = (options: HandlerOptions) => Promise<string>
  const listening = (server: ReturnType<typeof createServer>): Promise<string> =>
    new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hooks`)
      })
      closing.push(() => server.close())
    })

  /** Whatever speaks fetch, behind a server of Node's. */
  const speakingFetch = (handle: (request: Request) => Response | Promise<Response>) =>
    listening(
      createServer(async (request, response) => {
        const parts: Buffer[] = []
        for await (const part of request) parts.push(part)
        const init = { method: 'POST', headers: request.headers as Record<string, string>, body: Buffer.concat(parts) }
        const answer = await handle(new Request(`http://127.0.0.1${request.url}`, init))
        response.writeHead(answer.status).end()
      }),
    )

  const servers: [string, Serve][] = [
    ['Node', (options) => listening(createServer(nodeHandler(options)))],
    ['Express', (options) => listening(createServer(express().post('/hooks', nodeHandler(options))))],
    [
      'Express behind raw bodies',
      (options) =>
        listening(createServer(express().post('/hooks', express.raw({ type: () => true }), nodeHandler(options)))),
    ],
    [
      'Fastify',
      async (options) => {
        const app = fastify()
        await app.register(fastifyWebhooks({ path: '/hooks', ...options }))
        closing.push(() => app.close())
        return `${await app.listen({ host: '127.0.0.1', port: 0 })}/hooks`
      },
    ],
    ['Hono', (options) => speakingFetch((request) => new Hono().post('/hooks', honoHandler(options)).fetch(request))],
    ['fetch, as Next has it', (options) => speakingFetch(fetchHandler(options))],
  ]

  test.each(servers)('%s is sent a real event, and refuses what is not ours', async (_, serve) => {
    const events: WebhookEvent[] = []
    const secrets: string[] = []
    const options = {
      secret: secrets,
      onEvent: (event: WebhookEvent) => void events.push(event),
    }
    const url = await serve(options)
    const { webhook, secret: own } = await lab.subscribe(url, ['order.created'])
    secrets.push(own)
    const sender = await lab.startSender()
    const order = await createOrder(lab.context, lab.integration, orderInput())
    await expect.poll(() => events.length).toBe(1)
    const [event] = events
    expect(event?.type === 'order.created' && event.data.id).toBe(order.id)
    const forged = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: payload,
    })
    expect(forged.status).toBe(400)
    expect(events).toHaveLength(1)
    await sender.stop({ timeoutMs: 1000 })
    await lab.context.db
      .updateTable('webhook_subscriptions')
      .set({ active: false })
      .where('id', '=', webhook.id)
      .execute()
  })

  test('what fails on your side is answered so that it comes again', async () => {
    const errors: unknown[] = []
    const handle = fetchHandler({
      secret,
      now,
      onEvent() {
        throw new Error('The database is away.')
      },
      onError: (error) => errors.push(error),
    })
    const answer = await handle(new Request('http://127.0.0.1/hooks', { method: 'POST', headers, body: payload }))
    expect([answer.status, errors]).toEqual([500, [new Error('The database is away.')]])
  })
})
