import { createHmac, hash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { openSimulator } from '../../src/simulator/simulator.ts'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { openReceiver } from './receiver.ts'

let running: Simulator | null = null
afterEach(() => running?.close())

test('consent wants a challenge, and a refresh token works once', async () => {
  const simulator = openSimulator({ platform: 'etsy', orders: 1, products: 1 })
  const { client_id = '' } = simulator.install.client
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = async (url: string, fields: Record<string, string>) => {
    const body = Buffer.from(new URLSearchParams(fields).toString())
    const answer = await simulator.answer({ method: 'POST', url, headers, body })
    return { ...answer, body: JSON.parse(answer.bytes.toString() || '{}') }
  }
  const redirect_uri = 'https://entrepot.example/back'
  const question = { response_type: 'code', client_id, redirect_uri, scope: 'shops_r', state: 's', decision: 'allow' }
  const connect = 'https://www.etsy.com/oauth/connect'
  expect((await simulator.answer({ method: 'POST', url: connect, headers, body: Buffer.from('') })).status).toBe(400)
  const challenge = hash('sha256', 'verifier', 'buffer').toString('base64url')
  const safe = { ...question, code_challenge: challenge, code_challenge_method: 'S256' }
  const { location = '' } = (await post(connect, safe)).headers
  const code = new URL(location).searchParams.get('code') ?? ''
  const tokens = 'https://api.etsy.com/v3/public/oauth/token'
  const trip = { grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier: 'verifier' }
  const { body: first } = await post(tokens, trip)
  expect(first).toMatchObject({ access_token: expect.stringMatching(/^7\./), expires_in: 3600 })
  const refresh = { grant_type: 'refresh_token', client_id, refresh_token: first.refresh_token }
  expect((await post(tokens, refresh)).body.refresh_token).not.toBe(first.refresh_token)
  expect(await post(tokens, refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('messages go to the address that was entered, signed', async () => {
  const receiver = await openReceiver()
  const variant = { webhook_url: receiver.url, webhook_secret: 'ours' }
  running = await startSimulator({ platform: 'etsy', orders: 3, products: 3, variant })
  const [made] = running.change({ new_orders: 1 }).new_orders
  await running.delivered()
  const [message] = receiver.received
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = message?.headers ?? {}
  const body = message?.body ?? ''
  expect(signature).toBe(`v1,${createHmac('sha256', 'ours').update(`${id}.${at}.${body}`).digest('base64')}`)
  expect(JSON.parse(body)).toMatchObject({
    event_type: 'order.paid',
    resource_url: expect.stringContaining(`/${made}`),
  })
  await receiver.close()
})
