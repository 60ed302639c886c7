import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { openSimulator } from '../../src/simulator/simulator.ts'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { openReceiver } from './receiver.ts'

let running: Simulator | null = null
afterEach(async () => {
  await running?.close()
  running = null
})

function open(variant: Record<string, string> = {}) {
  const simulator = openSimulator({ platform: 'squarespace', orders: 120, products: 60, variant })
  const { access_token: token = '' } = simulator.kept
  const ask = async (
    method: string,
    path: string,
    { body = '', ...more }: { body?: unknown; [header: string]: unknown } = {},
  ) => {
    const headers = {
      ...{ authorization: `Bearer ${token}`, 'user-agent': 'tests', 'content-type': 'application/json' },
      ...(more as Record<string, string>),
    }
    const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const answer = await simulator.answer({ method, url: `https://api.squarespace.com${path}`, headers, body: raw })
    return { status: answer.status, headers: answer.headers, body: JSON.parse(answer.bytes.toString() || 'null') }
  }
  return { simulator, ask }
}

test('who does not say what it is, or shows no key, is turned away in the platform’s own words', async () => {
  const { simulator, ask } = open()
  const bare = await simulator.answer({
    ...{ method: 'GET', url: 'https://api.squarespace.com/1.0/commerce/orders', body: Buffer.from('') },
    headers: { authorization: 'Bearer x' },
  })
  expect(bare.status).toBe(400)
  expect(await ask('GET', '/1.0/commerce/orders', { authorization: 'Bearer wrong' })).toMatchObject({
    status: 401,
    body: { type: 'AUTHORIZATION_ERROR', subtype: null, details: null, contextId: expect.any(String) },
  })
})

describe('lists', () => {
  const readAll = async (variant: Record<string, string>, query = '') => {
    const { ask } = open(variant)
    const times: string[] = []
    let [path, pages] = [
      `/1.0/commerce/orders?paymentStates=NOT_CHARGED,AUTHORIZED,PAID,REFUNDED,PENDING,FAILED,REFUND_PENDING,REFUND_FAILED,PARTIALLY_PAID${query}`,
      0,
    ]
    for (; path !== ''; pages++) {
      const { body } = await ask('GET', path)
      times.push(...body.result.map((order: { modifiedOn: string }) => order.modifiedOn))
      path = body.pagination.nextPageUrl ?? ''
    }
    return { times, pages }
  }

  test('begin with the newest change, fifty to a page; or with the oldest', async () => {
    const newest = await readAll({})
    expect([newest.times.length, newest.pages]).toEqual([120, 3])
    expect(newest.times).toEqual(newest.times.toSorted().reverse())
    expect((await readAll({ sort: 'oldest' })).times).toEqual(newest.times.toSorted())
  })

  test('are of a time between two others, which belong to neither', async () => {
    const { times } = await readAll({})
    const [early = '', late = ''] = [times[80], times[20]]
    const some = await readAll({}, `&modifiedAfter=${early}&modifiedBefore=${late}`)
    expect(some.times).toEqual(times.filter((time) => time > early && time < late))
  })

  test('leave out what is not paid unless it is asked for, and a cursor stands alone', async () => {
    const { ask, simulator } = open()
    const unpaid = simulator.truth().filter(({ remote_status: word }) => word === 'PENDING/PENDING')
    expect(unpaid.length).toBeGreaterThan(0)
    const { body } = await ask('GET', '/1.0/commerce/orders?paymentStates=PENDING')
    expect(body.result.map((one: { id: string }) => one.id).sort()).toEqual(unpaid.map((one) => one.remote_id).sort())
    const { body: first } = await ask('GET', '/1.0/commerce/orders?fulfillmentStatus=PENDING')
    const words = first.result.map((one: { fulfillmentStatus: string; paymentState: string }) => one)
    expect(words.every((one: { fulfillmentStatus: string }) => one.fulfillmentStatus === 'PENDING')).toBe(true)
    expect(words.some((one: { paymentState: string }) => one.paymentState === 'PENDING')).toBe(false)
    for (const query of [
      'cursor=x',
      'cursor=x&fulfillmentStatus=PENDING',
      'modifiedAfter=2026-01-01T00:00:00Z',
      'fulfillmentStatus=SENT',
    ])
      expect(await ask('GET', `/1.0/commerce/orders?${query}`)).toMatchObject({
        status: 400,
        body: { type: 'INVALID_REQUEST_ERROR', subtype: 'INVALID_ARGUMENT' },
      })
  })
})

test('stock is set under a key, all of it or nothing, and once', async () => {
  const { ask, simulator } = open()
  const [one, two] = simulator.truthOfInventory()
  const adjust = (key: string, sets: object[]) =>
    ask('POST', '/1.0/commerce/inventory/adjustments', {
      body: { setFiniteOperations: sets },
      ...(key === '' ? {} : { 'idempotency-key': key }),
    })
  const level = (which: typeof one, quantity: number) => ({ variantId: which?.variant_remote_id, quantity })
  const held = () =>
    simulator
      .truthOfInventory()
      .slice(0, 2)
      .map(({ available }) => available)
  expect((await adjust('', [level(one, 5)])).status).toBe(400)
  expect((await adjust('a', [level(one, 5), { variantId: 'none', quantity: 1 }])).body.subtype).toBe(
    'INVENTORY_ITEM_NOT_FOUND',
  )
  expect((await adjust('b', [level(one, 5), level(one, 6)])).status).toBe(400)
  expect((await adjust('c', [level(one, 5), level(two, 99_999_999)])).body.subtype).toBe('STOCK_EXCEEDS_MAX')
  expect(held()).toEqual([one?.available, two?.available])
  expect((await adjust('d', [level(one, 5), level(two, 6)])).status).toBe(204)
  expect((await adjust('e', [level(one, 50)])).status).toBe(204)
  // Said again it is answered, and not done again.
  expect((await adjust('d', [level(one, 5), level(two, 6)])).status).toBe(204)
  expect((await adjust('d', [level(one, 7)])).status).toBe(400)
  expect(held()).toEqual([50, 6])
})

test('a minute has three hundred calls, and no answer tells of them', async () => {
  const { ask, simulator } = open()
  simulator.weather({ limit_scale: 0.01 })
  const statuses: number[] = []
  for (let n = 0; n < 4; n++) statuses.push((await ask('GET', '/1.0/authorization/website')).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  const turnedAway = await ask('GET', '/1.0/authorization/website')
  expect(turnedAway.body).toMatchObject({ type: 'TOO_MANY_REQUESTS' })
  expect(Object.keys(turnedAway.headers).filter((name) => /retry|limit/i.test(name))).toEqual([])
})

test('API keys may do everything but subscribe', async () => {
  const { ask, simulator } = open()
  const authorization = `Bearer ${simulator.install.credentials?.['api_key']}`
  expect((await ask('GET', '/v2/commerce/products', { authorization })).status).toBe(200)
  expect(await ask('GET', '/1.0/webhook_subscriptions', { authorization })).toMatchObject({
    status: 403,
    body: { subtype: 'OAUTH_TOKEN_REQUIRED' },
  })
})

test('consent gives tokens that rotate, to who shows the client in the header', async () => {
  const { simulator } = open()
  const { client_id = '', client_secret = '' } = simulator.install.client
  const login = 'https://login.squarespace.com/api/1/login/oauth/provider'
  const redirect_uri = 'https://entrepot.example/back'
  const question = {
    client_id,
    redirect_uri,
    scope: 'website.orders',
    state: 's',
    access_type: 'offline',
    decision: 'allow',
  }
  const agreed = await simulator.answer({
    ...{ method: 'POST', url: `${login}/authorize`, body: Buffer.from(new URLSearchParams(question).toString()) },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const code = new URL(agreed.headers['location'] ?? '').searchParams.get('code') ?? ''
  const tokens = async (fields: object, secret = client_secret) => {
    const authorization = `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await simulator.answer({
      ...{ method: 'POST', url: `${login}/tokens`, headers, body: Buffer.from(JSON.stringify(fields)) },
    })
    return { status: answer.status, body: JSON.parse(answer.bytes.toString()) }
  }
  expect((await tokens({ grant_type: 'authorization_code', code, redirect_uri }, 'wrong')).status).toBe(401)
  const { body: first } = await tokens({ grant_type: 'authorization_code', code, redirect_uri })
  expect(first).toMatchObject({
    access_token: expect.any(String),
    access_token_expires_at: expect.stringMatching(/^\d{10}$/),
  })
  const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
  expect((await tokens(refresh)).body.refresh_token).not.toBe(first.refresh_token)
  expect((await tokens(refresh)).status).toBe(400)
})

test('messages go to who subscribed, signed with the secret that was told once', async () => {
  const receiver = await openReceiver()
  running = await startSimulator({ platform: 'squarespace', orders: 3, products: 3 })
  const { access_token: token = '' } = running.keep()
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'user-agent': 'tests', 'content-type': 'application/json' }
    const answer = await fetch(`${running?.baseUrl}/1.0/webhook_subscriptions${path}`, {
      ...{ method, headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await answer.json()) as { id: string; secret?: string; webhookSubscriptions?: object[] }
  }
  const { id, secret = '' } = await call('POST', '', { endpointUrl: receiver.url, topics: ['order.create'] })
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect((await call('GET', '')).webhookSubscriptions).toEqual([
    expect.not.objectContaining({ secret: expect.anything() }),
  ])
  const { secret: renewed = '' } = await call('POST', `/${id}/actions/rotateSecret`, {})
  expect(renewed).not.toBe(secret)
  const [made] = running.change({ new_orders: 1, orders: 1 }).new_orders
  await running.delivered()
  expect(receiver.received).toHaveLength(1)
  const [{ headers, body } = { headers: {} as Record<string, string>, body: '' }] = receiver.received
  const signature = createHmac('sha256', Buffer.from(renewed, 'hex')).update(body).digest('hex')
  expect(headers['squarespace-signature']).toBe(signature)
  expect(JSON.parse(body)).toMatchObject({ topic: 'order.create', subscriptionId: id, data: { orderId: String(made) } })
  await receiver.close()
})
