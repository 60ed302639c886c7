import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { openImitation } from '../../../test/support/imitation.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { testCredentials } from '../../domain/install/install-integration.ts'
import { auth } from './auth.ts'
import { walmart } from './index.ts'
import { readAnswer } from './read-answer.ts'
import { type Credentials, originOf, type Settings } from './settings.ts'

const facts: { shop: string; settings: Settings } = { shop: '100009.walmart.com', settings: {} }
const typed = { client_id: 'right', client_secret: 'secret' }

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(walmart, { facts, credentials: typed }, answers)

describe('keys', () => {
  const { simulator, transport, facts: shopFacts } = openImitation(walmart)
  const own = simulator.install.credentials ?? {}
  const open = (keys: Record<string, string>) => testCredentials({ transport }, walmart, shopFacts, keys)

  test('buy a token of a quarter of an hour', async () => {
    const opened = await open(own)
    expect(opened.credentials).toEqual({ ...own, access_token: expect.any(String) })
    const life = Date.parse(opened.expiresAt ?? '') - simulator.world.clock.now() / 1000
    expect(Math.ceil(life / 60_000)).toBe(15)
    const { shop, asked } = scripted({ body: { access_token: 'new', expires_in: 900 } })
    expect((await auth.refresh?.(shop, {}))?.credentials).toEqual({ ...typed, access_token: 'new' })
    expect(asked[0]).toMatchObject({
      url: 'https://marketplace.walmartapis.com/v3/token',
      request: {
        body: 'grant_type=client_credentials',
        headers: { authorization: 'Basic cmlnaHQ6c2VjcmV0', 'content-type': 'application/x-www-form-urlencoded' },
      },
    })
  })

  test('that are wrong are refused at their fields', async () => {
    const refusal = await open({ ...own, client_secret: 'wrong' }).catch((error: unknown) => error)
    expect(Object.keys((refusal as { errors: object }).errors)).toEqual([
      'credentials.client_id',
      'credentials.client_secret',
    ])
    const bad = { status: 400, body: { error: [{ code: 'INVALID', description: 'Client is unknown.' }] } }
    await expect(auth.open?.(scripted(bad).shop)).rejects.toMatchObject({
      errors: { 'credentials.client_id': ['Client is unknown.'] },
    })
    await expect(auth.open?.(scripted({ status: 404 }).shop)).rejects.toMatchObject({ kind: 'upstream_retryable' })
  })

  test('that may not do what is needed are told what they lack', async () => {
    const scopes = { orders: 'no_access', item: 'full_access', inventory: 'view_only' }
    expect(await auth.checkRights?.(scripted({ body: { is_valid: true, scopes } }).shop)).toMatchObject([
      { name: 'orders (full_access)' },
      { name: 'inventory (full_access)' },
    ])
  })
})

test('every request has a number of its own, and its token', async () => {
  const { shop, asked } = scripted()
  for (const _ of [1, 2]) await shop.remote.request({ method: 'GET', path: '/v3/feeds' })
  const numbers = asked.map(({ request }) => request.headers?.['wm_qos.correlation_id'])
  expect(new Set(numbers).size).toBe(2)
  const signed = walmart.remote.authenticate(
    { method: 'GET', path: '/v3/orders' },
    { ...typed, access_token: 'token' },
    facts,
    { url: 'https://marketplace.walmartapis.com/v3/orders', seconds: 1, nonce: 'n-1' },
  )
  expect(signed.headers).toEqual({
    accept: 'application/json',
    'wm_svc.name': 'Walmart Marketplace',
    'wm_qos.correlation_id': 'n-1',
    'wm_sec.access_token': 'token',
  })
  expect(originOf({ ...facts, settings: { sandbox: true } })).toBe('https://sandbox.walmartapis.com')
})

test('answers tell what is left, and 429 when there will be more', () => {
  const read = (answer: Partial<RemoteAnswer>, budget?: string) =>
    readAnswer(
      { status: 200, headers: {}, body: null, ...answer },
      { method: 'GET', path: '/', ...(budget ? { budget } : {}) },
    )
  expect(read({ headers: { 'x-current-token-count': '7' } }, 'ship')).toEqual({
    budget: { name: 'ship', remaining: 7 },
  })
  expect(read({ headers: { 'x-current-token-count': '7' } })).toEqual({})
  const date = 'Sun, 15 Nov 2026 08:00:00 GMT'
  const until = String(Date.UTC(2026, 10, 15, 8, 0, 42))
  const over = { verdict: 'throttled', retryAfterSeconds: 42 }
  expect(read({ status: 429, headers: { date, 'x-next-replenishment-time': until } }, 'ship')).toEqual(over)
  expect(read({ status: 429, headers: { date, 'x-next-replenish-time': until } })).toEqual(over)
  expect(read({ status: 429, headers: {} })).toEqual({})
})
