import { expect, test } from 'vitest'
import { openSimulator } from '../../src/simulator/simulator.ts'

const api = 'https://sellingpartnerapi-eu.amazon.com'
const orders = `${api}/orders/2026-01-01/orders`
const back = 'https://entrepot.example/back'

function open(variant: Record<string, string> = {}) {
  const simulator = openSimulator({ platform: 'amazon', orders: 30, products: 10, variant })
  const headers = { 'x-amz-access-token': simulator.kept['access_token'], 'content-type': 'application/json' }
  const ask = async (method: string, url: string, body: unknown = '', more: Record<string, string> = {}) => {
    const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const answer = await simulator.answer({ method, url, headers: { ...headers, ...more }, body: raw })
    const text = answer.bytes.toString()
    return { ...answer, text, body: text.startsWith('{') ? JSON.parse(text) : null }
  }
  return { simulator, ask }
}

test('consent in Seller Central gives a code, which works once', async () => {
  const { simulator, ask } = open()
  const { application_id = '', client_id = '', client_secret = '' } = simulator.install.client
  const question = new URLSearchParams({ application_id, state: 's', redirect_uri: back })
  const consent = 'https://sellercentral-europe.amazon.com/apps/authorize/consent'
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await ask('GET', `${consent}?${question}`)).text).toContain('Allow')
  const decided = await ask('POST', consent, `${question}&decision=allow`, form)
  const returned = new URL(decided.headers['location'] ?? '').searchParams
  expect(returned.get('selling_partner_id')?.toLowerCase()).toBe(simulator.install.shop)
  const code = returned.get('spapi_oauth_code') ?? ''
  const trip = { grant_type: 'authorization_code', code, redirect_uri: back, client_id, client_secret }
  const exchange = () => ask('POST', 'https://api.amazon.com/auth/o2/token', new URLSearchParams(trip).toString(), form)
  expect((await exchange()).body).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
  expect(await exchange()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('limits are as tiny as they are there, and the rate is told', async () => {
  const { simulator, ask } = open()
  simulator.weather({ limit_scale: 1 })
  const list = () => ask('GET', `${orders}?lastUpdatedAfter=2025-01-01T00:00:00Z`)
  for (let n = 0; n < 20; n++) expect((await list()).status).toBe(200)
  const refused = await list()
  expect(refused).toMatchObject({ status: 429, body: { errors: [{ code: 'QuotaExceeded' }] } })
  expect(refused.headers).toMatchObject({ 'x-amzn-ratelimit-limit': '0.0056' })
  simulator.advance(180)
  expect((await list()).status).toBe(200)
})

test('a seller of one region is nobody in the others', async () => {
  const { ask } = open()
  const elsewhere = orders.replace('-eu', '-na')
  expect((await ask('GET', `${elsewhere}?lastUpdatedAfter=2025-01-01T00:00:00Z`)).status).toBe(403)
})

test('what changed in the last two minutes is not listed yet, where that is wanted', async () => {
  const { simulator, ask } = open({ list_delay: 'yes' })
  const [made] = simulator.change({ new_orders: 1 }).new_orders
  const list = async () => (await ask('GET', `${orders}?lastUpdatedAfter=2026-01-01T00:00:00Z`)).body.orders
  expect(await list()).toEqual([])
  simulator.advance(121)
  expect(await list()).toMatchObject([{ orderId: made }])
})
