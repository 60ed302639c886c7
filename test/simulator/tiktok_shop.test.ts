import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { openSimulator } from '../../src/simulator/simulator.ts'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { openReceiver } from './receiver.ts'

let running: Simulator | null = null
afterEach(() => running?.close())

interface Asked {
  method?: string
  query?: Record<string, string>
  body?: unknown
  /** Spoils what was signed. */
  sign?: string
  at?: number
  token?: string
}

function openRaw(options: Parameters<typeof openSimulator>[0] = {}) {
  const simulator = openSimulator({ platform: 'tiktok_shop', orders: 60, products: 10, ...options })
  const { app_key = '', app_secret = '', access_token = '' } = simulator.keep()
  const cipher = String(simulator.install.settings['shop_cipher'])
  async function ask(path: string, { method = 'GET', body, sign, token = access_token, ...asked }: Asked = {}) {
    const timestamp = String(asked.at ?? Math.floor(Date.now() / 1000))
    const query: Record<string, string> = { app_key, timestamp, shop_cipher: cipher, ...asked.query }
    const raw = body === undefined ? '' : JSON.stringify(body)
    const sorted = Object.keys(query)
      .sort()
      .map((name) => `${name}${query[name]}`)
    const base = `${app_secret}${path}${sorted.join('')}${raw}${app_secret}`
    const own = createHmac('sha256', app_secret).update(base).digest('hex')
    const search = new URLSearchParams({ ...query, sign: sign ?? own })
    const { status, bytes } = await simulator.answer({
      ...{ method, url: `https://open-api.tiktokglobalshop.com${path}?${search}`, body: Buffer.from(raw) },
      headers: { 'content-type': 'application/json', 'x-tts-access-token': token },
    })
    const { code, data, message } = JSON.parse(bytes.toString())
    return { status, code, data, message }
  }
  return { simulator, ask }
}

const search = '/order/202309/orders/search'

describe('a call', () => {
  test('is signed, of this moment, with a token, and for the shop', async () => {
    const { ask } = openRaw()
    const warehouses = '/logistics/202309/warehouses'
    expect(await ask(warehouses)).toMatchObject({ status: 200, code: 0, data: { warehouses: expect.any(Array) } })
    expect(await ask(warehouses, { sign: '0'.repeat(64) })).toMatchObject({ status: 401, code: 106_001 })
    expect(await ask(warehouses, { at: Math.floor(Date.now() / 1000) - 600 })).toMatchObject({ status: 401 })
    expect(await ask(warehouses, { token: 'ROW_other' })).toMatchObject({ status: 401, code: 105_002 })
    expect(await ask(warehouses, { query: { shop_cipher: 'ROW_other' } })).toMatchObject({ status: 200, code: 106_013 })
    expect(await ask('/nowhere')).toMatchObject({ status: 404 })
  })

  test('that the app has no scope for is denied like a wrong one, but for the code', async () => {
    const { ask } = openRaw({ variant: { lacks: 'orders' } })
    expect(await ask(search, { method: 'POST', body: {} })).toMatchObject({ status: 401, code: 105_005 })
    expect(await ask('/logistics/202309/warehouses')).toMatchObject({ code: 0 })
  })

  test('too many in a second are turned away, and nobody says for how long', async () => {
    const { ask, simulator } = openRaw()
    simulator.weather({ limit_scale: 0.02 })
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask('/logistics/202309/warehouses')))
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
    expect(answers.find(({ status }) => status === 429)).toMatchObject({ code: 36_009_002 })
  })
})

describe('lists', () => {
  test('are turned by a token that counts what came before', async () => {
    const { ask } = openRaw()
    const page = (page_token: string) =>
      ask(search, {
        ...{ method: 'POST', body: { update_time_ge: 0 } },
        query: { page_size: '25', sort_field: 'update_time', sort_order: 'ASC', page_token },
      })
    const ids: string[] = []
    for (let token = '', pages = 0; pages === 0 || token !== ''; pages++) {
      const { data } = await page(token)
      expect(data.total_count).toBe(60)
      ids.push(...data.orders.map(({ id }: { id: string }) => id))
      token = data.next_page_token
    }
    expect([ids.length, new Set(ids).size]).toEqual([60, 60])
    expect(await ask(search, { method: 'POST', body: {}, query: { page_size: '101' } })).toMatchObject({
      code: 36_009_004,
    })
  })

  test('show every piece by itself, and no address before the order is released', async () => {
    const { ask, simulator } = openRaw()
    const { data } = await ask(search, { method: 'POST', body: {}, query: { page_size: '100' } })
    const { book } = simulator.world.shop
    for (const [n, order] of data.orders.toReversed().entries()) {
      const known = book.get(book.byNumber()[n] ?? 0)
      const pieces = known?.lines.reduce((sum, { quantity }) => sum + quantity, 0)
      expect(order.line_items).toHaveLength(pieces ?? 0)
      expect(order.recipient_address === undefined).toBe(['UNPAID', 'ON_HOLD'].includes(order.status))
    }
  })
})

test('codes and refresh tokens work once, and secrets travel in the address', async () => {
  const simulator = openSimulator({ platform: 'tiktok_shop', orders: 1, products: 1 })
  const { app_key = '', app_secret = '', service_id = '' } = simulator.install.client
  const answer = async (method: string, url: string, form: Record<string, string> = {}) =>
    await simulator.answer({
      ...{ method, url, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      body: Buffer.from(new URLSearchParams(form).toString()),
    })
  const page = 'https://services.tiktokshop.com/open/authorize'
  expect((await answer('GET', `${page}?service_id=1&state=s`)).status).toBe(400)
  const { headers } = await answer('POST', page, { service_id, state: 's', decision: 'allow' })
  const back = new URL(headers['location'] ?? '')
  expect([back.pathname, back.searchParams.get('state')]).toEqual(['/api/1.0/app_callback/tiktok_shop', 's'])
  const tokens = async (path: string, more: Record<string, string>) => {
    const asked = new URLSearchParams({ app_key, app_secret, ...more })
    return JSON.parse(
      (await answer('GET', `https://auth.tiktok-shops.com/api/v2/token/${path}?${asked}`)).bytes.toString(),
    )
  }
  const byCode = { auth_code: back.searchParams.get('code') ?? '', grant_type: 'authorized_code' }
  expect(await tokens('get', { ...byCode, app_secret: 'x' })).toMatchObject({ code: 36_004_003 })
  const { data } = await tokens('get', byCode)
  expect(data).toMatchObject({ access_token: expect.stringMatching(/^ROW_a/), seller_base_region: 'US' })
  expect(await tokens('get', byCode)).toMatchObject({ code: 36_004_004 })
  const renewed = { refresh_token: data.refresh_token, grant_type: 'refresh_token' }
  expect((await tokens('refresh', renewed)).data.refresh_token).not.toBe(data.refresh_token)
  expect(await tokens('refresh', renewed)).toMatchObject({ code: 36_004_005 })
})

test('one address hears of an event, the last that was entered, and can tell who sent it', async () => {
  const [first, second] = [await openReceiver(), await openReceiver()]
  running = await startSimulator({ platform: 'tiktok_shop', orders: 3, products: 3 })
  const { app_key = '', app_secret = '' } = running.install.client
  const { access_token = '' } = running.keep()
  const path = '/event/202309/webhooks'
  for (const { url: address } of [first, second]) {
    const body = JSON.stringify({ address, event_type: 'ORDER_STATUS_CHANGE' })
    const shop_cipher = String(running.install.settings['shop_cipher'])
    const timestamp = String(Math.floor(Date.now() / 1000))
    const base = `${app_secret}${path}app_key${app_key}shop_cipher${shop_cipher}timestamp${timestamp}${body}${app_secret}`
    const sign = createHmac('sha256', app_secret).update(base).digest('hex')
    const query = new URLSearchParams({ app_key, shop_cipher, timestamp, sign })
    const headers = { 'content-type': 'application/json', 'x-tts-access-token': access_token }
    expect((await fetch(`${running.baseUrl}${path}?${query}`, { method: 'PUT', headers, body })).status).toBe(200)
  }
  const [made] = running.change({ new_orders: 1 }).new_orders
  await running.delivered()
  expect([first.received.length, second.received.length]).toEqual([0, 1])
  const { headers, body = '' } = second.received[0] ?? {}
  expect(headers?.['authorization']).toBe(
    createHmac('sha256', app_secret)
      .update(app_key + body)
      .digest('hex'),
  )
  expect(JSON.parse(body)).toMatchObject({
    ...{ type: 1, shop_id: running.install.settings['shop_id'] },
    data: { order_id: made, order_status: 'AWAITING_SHIPMENT' },
  })
  await Promise.all([first.close(), second.close()])
})
