import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { savePlatformClient } from '../../src/domain/services/platform-client-store.ts'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { data, errors, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { open, type Page, press } from '../support/browser.ts'
import { freePort } from '../support/process.ts'
import { jobsOver } from '../support/runs-over.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

/** The whole way of a merchant: from the app to the shop's page, a button there, and back; nobody is replaced. */

const returnUrl = 'https://app.example/connected'

let server: TestServer
let publicUrl: string
let merchant: Merchant
let services: Record<string, number>
beforeAll(async () => {
  const port = await freePort()
  publicUrl = `http://127.0.0.1:${port}`
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'], publicUrl })
  await server.program.http?.listen('127.0.0.1', port)
  merchant = await makeMerchant(server)
  await merchant.asUser('PUT', `/apps/${merchant.appId}`, { return_urls: [returnUrl] })
  services = {}
  for (const type of ['sandbox-oauth', 'sandbox-handover']) {
    const service = data(await merchant.asUser('GET', `/api/1.0/services/${type}`))
    services[type] = Number(service['id'])
    await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: service['id'] })
  }
})
afterAll(() => server.close())

let shop: Simulator
afterEach(() => shop.close())

const ways = [
  ['sandbox-oauth', 'shopify'],
  ['sandbox-handover', 'woo'],
] as const
type Way = readonly [type: 'sandbox-oauth' | 'sandbox-handover', dialect: 'shopify' | 'woo']

interface Departure {
  id: number
  path: string
  gatewayKey: string
  address: string
}

let seeds = 0
async function openShop(dialect: Way[1], orders = 20): Promise<void> {
  shop = await startSimulator({ dialect, orders, products: 3, seed: `browser ${++seeds}` })
  if (dialect !== 'shopify') return
  const { client_id, client_secret } = shop.credentials
  const path = `/apps/${merchant.appId}/services/${services['sandbox-oauth']}`
  expect((await merchant.asUser('PUT', path, { client: { client_id, client_secret } })).status).toBe(200)
}

const order = (more: Record<string, unknown> = {}) => ({
  ...{ name: 'Browser', shop: shop.shop, remote_id: merchant.remoteId, return_url: returnUrl },
  ...{ settings: { base_url: shop.baseUrl }, ...more },
})

async function setOut([type, dialect]: Way, orders?: number): Promise<Departure> {
  await openShop(dialect, orders)
  const answer = await merchant.asApp('POST', `/${type}/install`, order())
  expect(answer.status).toBe(201)
  const { id, status, gateway_key: gatewayKey, authorization_url: address } = data(answer)
  expect(status).toBe('PENDING')
  return { id: Number(id), path: `/integrations/${id}`, gatewayKey: String(gatewayKey), address: String(address) }
}

const press_ = async (address: string, button: 'allow' | 'deny') => await press(await open(address), button)
/** From the shop's page on, until somebody else's address. */
async function follow(page: Page): Promise<Page> {
  return page.location?.startsWith(publicUrl) ? await follow(await open(page.location)) : page
}
const connect = async ({ address }: Departure) => await follow(await press_(address, 'allow'))
const read = async ({ path }: Departure) => data(await merchant.asApp('GET', path))
const stateIn = (address: string) => {
  const { searchParams } = new URL(address)
  return searchParams.get('state') ?? searchParams.get('user_id') ?? ''
}

describe.each(ways)('connecting %s', (...way) => {
  const [type] = way

  test('ends in the app, with a shop that is connected and copied', { timeout: 120_000 }, async () => {
    const trip = await setOut(way)
    const { location, headers } = await connect(trip)
    const back = new URL(location ?? '')
    expect(`${back.origin}${back.pathname}`).toBe(returnUrl)
    expect(Object.fromEntries(back.searchParams)).toEqual({ integration_id: String(trip.id), status: 'ACTIVE' })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await read(trip)).toMatchObject({ status: 'ACTIVE', status_reason: null })
    const count = async () =>
      rows(await merchant.asApp('GET', `${trip.path}/runs`)).filter(({ status }) => status === 'completed').length
    await expect.poll(count, { timeout: 60_000 }).toBe(3)
    const { rows: copied } = await sql<{ n: number; sandbox: boolean }>`
      select count(*) as n, bool_and(sandbox) as sandbox from orders where integration_id = ${trip.id}`.execute(
      server.context.db,
    )
    expect(copied).toEqual([{ n: 20, sandbox: true }])
  })

  test('a state works once', async () => {
    const trip = await setOut(way)
    const page = await press_(trip.address, 'allow')
    const first = await follow(page)
    expect(first.location).toContain(returnUrl)
    if (type === 'sandbox-oauth') {
      expect((await open(page.location ?? '')).status).toBe(401)
    } else {
      // The same keys once more, as if somebody had listened; and a second press, with keys of its own.
      expect((await press_(trip.address, 'allow')).status).toBe(500)
      expect((await postKeys(type, stateIn(trip.address), shop.credentials)).status).toBe(401)
    }
    expect(await read(trip)).toMatchObject({ status: 'ACTIVE' })
  })

  test('a state of another channel, or of nobody, is refused', async () => {
    const trip = await setOut(way)
    const state = stateIn(trip.address)
    const other = type === 'sandbox-oauth' ? 'sandbox-handover' : 'sandbox-oauth'
    const query = (value: string) => new URLSearchParams({ state: value, code: 'x', shop: shop.shop })
    const statuses = [
      (await open(`${publicUrl}/api/1.0/app_callback/sandbox-oauth?${query('no-such-state')}`)).status,
      (await postKeys('sandbox-handover', 'no-such-state', { consumer_key: 'a', consumer_secret: 'b' })).status,
      other === 'sandbox-oauth'
        ? (await open(`${publicUrl}/api/1.0/app_callback/${other}?${query(state)}`)).status
        : (await postKeys(other, state, { consumer_key: 'a', consumer_secret: 'b' })).status,
    ]
    expect(statuses).toEqual([401, 401, 401])
    expect(await read(trip)).toMatchObject({ status: 'PENDING' })
  })

  test('whoever takes longer than ten minutes sets out again', async () => {
    const trip = await setOut(way)
    await sql`update install_states set expires_at = now() where integration_id = ${trip.id}`.execute(server.context.db)
    expect((await connect(trip)).status).toBe(type === 'sandbox-oauth' ? 401 : 500)
    expect(await read(trip)).toMatchObject({ status: 'PENDING' })
    const again = await reconnect(trip, type)
    expect((await follow(await press_(again, 'allow'))).location).toContain('status=ACTIVE')
  })

  test('a merchant who says no leaves the integration waiting, is told so, and may say yes later', async () => {
    const trip = await setOut(way)
    const page = await follow(await press_(trip.address, 'deny'))
    expect(page.status).toBe(422)
    expect(JSON.parse(page.text)).toMatchObject({ errors: { code: [expect.stringMatching(/did not let/)] } })
    expect(await read(trip)).toMatchObject({ status: 'PENDING', status_reason: 'awaiting_authorization' })
    const again = await reconnect(trip, type)
    expect((await follow(await press_(again, 'allow'))).location).toContain('status=ACTIVE')
  })

  test('what is free can be claimed once it is connected, and goes on working', async () => {
    await openShop(way[1])
    const { remote_id: _, return_url: __, ...body } = order()
    if (type === 'sandbox-oauth') {
      const { client_id, client_secret } = shop.credentials
      const place = { serviceId: services[type] ?? 0, appId: null }
      const { db, keys } = server.context
      await savePlatformClient(db, keys, place, { client_id, client_secret })
    }
    const free = data(await merchant.asUser('POST', `/api/1.0/${type}/install`, body))
    expect(free).toMatchObject({ status: 'PENDING', app_id: null })
    expect(JSON.parse((await follow(await press_(String(free['authorization_url']), 'allow'))).text)).toMatchObject({
      data: { status: 'ACTIVE' },
    })
    const { integration_key: integrationKey } = await server.context.db
      .selectFrom('integrations')
      .select('integration_key')
      .where('id', '=', Number(free['id']))
      .executeTakeFirstOrThrow()
    const claim = { integrationKey, remote_id: merchant.remoteId }
    const path = `/integrations/${free['id']}`
    expect((await merchant.asApp('POST', `${path}/claim`, claim)).status).toBe(200)
    const tested = await merchant.asApp('POST', `${path}/action`, { resource: 'test_connection' })
    expect(data(tested)).toEqual({ ok: true })
  })

  test('uninstalled in the middle of a sync, the shop hears nothing more after five seconds and keeps none of our webhooks', {
    timeout: 120_000,
  }, async () => {
    const trip = await setOut(way, 5000)
    await connect(trip)
    const done = async () =>
      rows(await merchant.asApp('GET', `${trip.path}/runs`)).filter(({ finished_at: at }) => at === null).length
    await expect.poll(done, { timeout: 60_000 }).toBe(0)
    await addWebhook(way[1])
    shop.weather({ slow_body: 1, slow_ms: 150 })
    const { id: runId } = data(
      await merchant.asApp('POST', `${trip.path}/action`, { resource: 'sync_orders', mode: 'full' }),
    )
    const run = async () => data(await merchant.asApp('GET', `${trip.path}/runs/${runId}`))
    await expect
      .poll(async () => (await run())['progress'], { timeout: 30_000 })
      .toMatchObject({ done: expect.toSatisfy((done: number) => done > 0) })
    expect((await merchant.asAccount('POST', `${trip.path}/uninstall`)).status).toBe(200)
    const left = performance.now()
    expect(await run()).toMatchObject({ status: 'cancelled' })
    await expect.poll(() => ourWebhooks(way[1]), { timeout: 10_000 }).toEqual([])
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 5000 - (performance.now() - left))))
    const mark = shop.ledger().at(-1)?.seq ?? 0
    // Longer than any job of ours rests.
    await new Promise((resolve) => setTimeout(resolve, 3000))
    const asked = shop.ledger(mark).filter((entry) => entry.kind === 'request' && !isOwn(entry.as))
    expect(asked).toEqual([])
  })
})

describe('a shop by OAuth', () => {
  const way = ways[0]

  test('that sends somebody back in the name of another shop, or with a changed code, is refused', async () => {
    const trip = await setOut(way)
    const back = new URL((await press_(trip.address, 'allow')).location ?? '')
    for (const [name, value] of [
      ['shop', 'other.example.com'],
      ['code', 'another'],
      ['hmac', '00'.repeat(32)],
    ] as const) {
      const again = await reconnect(trip, way[0])
      const fresh = new URL((await press_(again, 'allow')).location ?? back.href)
      fresh.searchParams.set(name, value)
      expect((await open(fresh.href)).status).toBe(401)
    }
    expect(await read(trip)).toMatchObject({ status: 'PENDING' })
  })

  test('whose grant has ended is out of order, and is connected again on the same integration', async () => {
    const trip = await setOut(way)
    await connect(trip)
    const act = () => merchant.asApp('POST', `${trip.path}/action`, { resource: 'test_connection' })
    expect(data(await act())).toEqual({ ok: true })
    // Whatever follows upon the installation would find it out as well, and before us.
    await jobsOver(server.context)
    shop.advance(91 * 86_400)
    const refused = await act()
    expect([refused.status, Object.keys(errors(refused))]).toEqual([422, [expect.stringMatching(/^credentials/)]])
    expect(await read(trip)).toMatchObject({ status: 'ERROR', status_reason: 'credentials_rejected' })
    const again = await reconnect(trip, way[0])
    expect((await follow(await press_(again, 'allow'))).location).toContain(`integration_id=${trip.id}`)
    expect(await read(trip)).toMatchObject({ status: 'ACTIVE', status_reason: null })
    expect(data(await act())).toEqual({ ok: true })
  })
})

const postKeys = (channel: string, state: string, keys: object) =>
  fetch(`${publicUrl}/api/1.0/app_callback/${channel}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user_id: state, ...keys }),
  })

/** A new address for an integration that is there already. */
async function reconnect({ gatewayKey }: Departure, type: string): Promise<string> {
  const query = new URLSearchParams({ return_url: returnUrl })
  const answer = await server.call('GET', `/api/1.0/app_authorization/${type}?${query}`, {
    token: merchant.userToken,
    headers: { 'x-gateway-key': gatewayKey },
  })
  expect(answer.status).toBe(302)
  return String(answer.headers['location'])
}

const basic = () =>
  `Basic ${Buffer.from(`${shop.credentials['consumer_key']}:${shop.credentials['consumer_secret']}`).toString('base64')}`
/** What the tests ask themselves, with keys that were there from the beginning. */
const isOwn = (name: string | null) => name === 'key-1' || name === 'app-1'

async function askShop(dialect: Way[1], wooPath: string, query: string, body?: object): Promise<unknown> {
  const woo = dialect === 'woo'
  const response = await fetch(`${shop.baseUrl}${woo ? wooPath : '/admin/api/2026-10/graphql.json'}`, {
    method: woo && !body ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      ...(woo ? { authorization: basic() } : { 'x-shopify-access-token': shop.credentials['access_token'] ?? '' }),
    },
    ...(woo ? (body ? { body: JSON.stringify(body) } : {}) : { body: JSON.stringify({ query }) }),
  })
  return await response.json()
}

const hooksPath = '/wp-json/wc/v3/webhooks'
const hookUrl = () => `${publicUrl}/api/1.0/webhook_callback/x/0/y`

async function addWebhook(dialect: Way[1]): Promise<void> {
  await askShop(
    dialect,
    hooksPath,
    `mutation { webhookSubscriptionCreate(topic: ORDERS_CREATE, webhookSubscription: {uri: "${hookUrl()}"}) { webhookSubscription { id } userErrors { message } } }`,
    { name: 'ours', topic: 'order.created', delivery_url: hookUrl(), secret: 's' },
  )
  expect(await ourWebhooks(dialect)).toContain(hookUrl())
}

async function ourWebhooks(dialect: Way[1]): Promise<string[]> {
  const answer = await askShop(
    dialect,
    `${hooksPath}?per_page=100`,
    '{ webhookSubscriptions(first: 50) { nodes { id uri } } }',
  )
  const text = JSON.stringify(answer)
  return [...text.matchAll(/"(?:delivery_url|uri)":"([^"]*)"/g)]
    .map(([, url = '']) => url)
    .filter((url) => url.startsWith(publicUrl))
}
