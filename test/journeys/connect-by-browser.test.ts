import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connectors } from '../../src/connectors/index.ts'
import { savePlatformClient } from '../../src/domain/services/platform-client-store.ts'
import { shopWith } from '../../src/domain/shop/shop-remote.ts'
import type { Simulator } from '../../src/simulator/start.ts'
import { data, errors, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { open, type Page, press, setOff } from '../support/browser.ts'
import { freePort } from '../support/process.ts'
import { jobsOver } from '../support/runs-over.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { simulatedShops } from '../support/simulated.ts'

/** The whole way of a merchant: from the app to the shop's page, a button there, and back; nobody is replaced. */

const returnUrl = 'https://app.example/connected'
/** By OAuth, and by keys that the shop hands over. */
const ways = ['shopify', 'woocommerce'] as const
type Way = (typeof ways)[number]

let server: TestServer
let publicUrl: string
let merchant: Merchant
let services: Record<string, number>
const simulated = simulatedShops()
beforeAll(async () => {
  const port = await freePort()
  publicUrl = `http://127.0.0.1:${port}`
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'], egressRoutes: simulated.routes, publicUrl })
  await server.program.http?.listen('127.0.0.1', port)
  merchant = await makeMerchant(server)
  await merchant.asUser('PUT', `/apps/${merchant.appId}`, { return_urls: [returnUrl] })
  services = {}
  for (const type of ways) services[type] = await merchant.offer(type)
})
afterAll(() => server.close())

let shop: Simulator
afterEach(() => simulated.close())

interface Departure {
  id: number
  path: string
  gatewayKey: string
  address: string
}

let seeds = 0
async function openShop(platform: Way, orders = 20): Promise<void> {
  // Where parcels are fulfilments, every order that has some costs a request of its own.
  const variant = platform === 'woocommerce' ? { tracking: 'plug-in' } : {}
  shop = await simulated.open({ platform, orders, products: 3, seed: `browser ${++seeds}`, variant })
  if (platform !== 'shopify') return
  const path = `/apps/${merchant.appId}/services/${services[platform]}`
  // Orders of the imitation are older than what Shopify shows without its approval.
  const client = { ...shop.install.client, all_orders: true }
  expect((await merchant.asUser('PUT', path, { client })).status).toBe(200)
}

const order = (more: Record<string, unknown> = {}) => ({
  ...{ name: 'Browser', shop: shop.shop, remote_id: merchant.remoteId, return_url: returnUrl },
  ...{ settings: shop.install.settings, ...more },
})

async function setOut(type: Way, orders?: number): Promise<Departure> {
  await openShop(type, orders)
  const answer = await merchant.asApp('POST', `/${type}/install`, order())
  expect(answer.status).toBe(201)
  const { id, status, gateway_key: gatewayKey, authorization_url: address } = data(answer)
  expect(status).toBe('PENDING')
  return { id: Number(id), path: `/integrations/${id}`, gatewayKey: String(gatewayKey), address: String(address) }
}

const decide = async (address: string, button: 'allow' | 'deny') => await press(await setOff(address), button)
/** From the shop's page on, until somebody else's address. */
async function follow(page: Page): Promise<Page> {
  return page.location?.startsWith(publicUrl) ? await follow(await open(page.location)) : page
}
const connect = async ({ address }: Departure) => await follow(await decide(address, 'allow'))
const read = async ({ path }: Departure) => data(await merchant.asApp('GET', path))
const stateIn = (address: string) => new URL(address).pathname.split('/').at(-1) ?? ''

describe.each(ways)('connecting %s', (way) => {
  test('ends in the app, with a shop that is connected and copied', async () => {
    const trip = await setOut(way)
    const { location, headers } = await connect(trip)
    const back = new URL(location ?? '')
    expect(`${back.origin}${back.pathname}`).toBe(returnUrl)
    expect(Object.fromEntries(back.searchParams)).toEqual({ integration_id: String(trip.id), status: 'ACTIVE' })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(await read(trip)).toMatchObject({ status: 'ACTIVE', status_reason: null })
    const count = async () =>
      rows(await merchant.asApp('GET', `${trip.path}/runs`)).filter(({ status }) => status === 'completed').length
    await expect.poll(count).toBe(3)
    const { rows: copied } = await sql<{ n: number; sandbox: boolean }>`
      select count(*) as n, bool_and(sandbox) as sandbox from orders where integration_id = ${trip.id}`.execute(
      server.context.db,
    )
    expect(copied).toEqual([{ n: 20, sandbox: false }])
  })

  test('a state works once', async () => {
    const trip = await setOut(way)
    const page = await decide(trip.address, 'allow')
    const first = await follow(page)
    expect(first.location).toContain(returnUrl)
    if (way === 'shopify') {
      expect((await open(page.location ?? '')).status).toBe(401)
    } else {
      // The same keys once more, as if somebody had listened.
      expect((await open(trip.address)).status).toBe(401)
      expect((await postKeys(way, stateIn(trip.address), shop.credentials)).status).toBe(401)
    }
    expect(await read(trip)).toMatchObject({ status: 'ACTIVE' })
  })

  test('a state of another channel, or of nobody, is refused', async () => {
    const trip = await setOut(way)
    const state = stateIn(trip.address)
    const other = way === 'shopify' ? 'woocommerce' : 'shopify'
    const query = (value: string) => new URLSearchParams({ state: value, code: 'x', shop: shop.shop })
    const statuses = [
      (await open(`${publicUrl}/api/1.0/app_callback/shopify?${query('no-such-state')}`)).status,
      (await postKeys('woocommerce', 'no-such-state', { consumer_key: 'ck_a', consumer_secret: 'cs_b' })).status,
      other === 'shopify'
        ? (await open(`${publicUrl}/api/1.0/app_callback/${other}?${query(state)}`)).status
        : (await postKeys(other, state, { consumer_key: 'ck_a', consumer_secret: 'cs_b' })).status,
    ]
    expect(statuses).toEqual([401, 401, 401])
    expect(await read(trip)).toMatchObject({ status: 'PENDING' })
  })

  test('whoever takes longer than ten minutes sets out again', async () => {
    const trip = await setOut(way)
    await sql`update install_states set expires_at = now() where integration_id = ${trip.id}`.execute(server.context.db)
    expect((await open(trip.address)).status).toBe(401)
    expect(await read(trip)).toMatchObject({ status: 'PENDING' })
    const again = await reconnect(trip, way)
    expect((await follow(await decide(again, 'allow'))).location).toContain('status=ACTIVE')
  })

  test('a merchant who says no leaves the integration waiting, is told so, and may say yes later', async () => {
    const trip = await setOut(way)
    const page = await follow(await decide(trip.address, 'deny'))
    expect(page.status).toBe(422)
    expect(JSON.parse(page.text)).toMatchObject({ errors: { code: [expect.stringMatching(/did not let|declined/)] } })
    expect(await read(trip)).toMatchObject({ status: 'PENDING', status_reason: 'awaiting_authorization' })
    const again = await reconnect(trip, way)
    expect((await follow(await decide(again, 'allow'))).location).toContain('status=ACTIVE')
  })

  test('what is free can be claimed once it is connected, and goes on working', async () => {
    await openShop(way)
    const { remote_id: _, return_url: __, ...body } = order()
    if (way === 'shopify') {
      const place = { serviceId: services[way] ?? 0, appId: null }
      const { db, keys } = server.context
      await savePlatformClient(db, keys, place, shop.install.client)
    }
    const free = data(await merchant.asUser('POST', `/api/1.0/${way}/install`, body))
    expect(free).toMatchObject({ status: 'PENDING', app_id: null })
    expect(JSON.parse((await follow(await decide(String(free['authorization_url']), 'allow'))).text)).toMatchObject({
      data: { status: 'ACTIVE' },
    })
    const { integration_key: integrationKey } = await server.context.db
      .selectFrom('integrations')
      .select('integration_key')
      .where('id', '=', Number(free['id']))
      .executeTakeFirstOrThrow()
    const made = data(await merchant.asUser('POST', `/integrations/${free['id']}/claim-code`))
    const claim = { integrationKey, code: made['code'], remote_id: merchant.remoteId }
    const path = `/integrations/${free['id']}`
    expect((await merchant.asApp('POST', `${path}/claim`, claim)).status).toBe(200)
    const tested = await merchant.asApp('POST', `${path}/action`, { resource: 'test_connection' })
    expect(data(tested)).toEqual({ ok: true })
  })

  test('uninstalled in the middle of a sync, the shop hears nothing more after five seconds and keeps none of its webhooks', async () => {
    const trip = await setOut(way, 600)
    await connect(trip)
    const done = async () =>
      rows(await merchant.asApp('GET', `${trip.path}/runs`)).filter(({ status }) => status === 'completed').length
    await expect.poll(done).toBe(3)
    const own = await ownWebhooks(way)
    await own.add()
    shop.weather({ slow_body: 1, slow_ms: 150 })
    const begun = shop.ledger().at(-1)?.seq ?? 0
    const { id: runId } = data(
      await merchant.asApp('POST', `${trip.path}/action`, { resource: 'sync_orders', mode: 'full' }),
    )
    const run = async () => data(await merchant.asApp('GET', `${trip.path}/runs/${runId}`))
    const pages = () => shop.ledger(begun).filter((entry) => entry.kind === 'request' && entry.as !== own.caller).length
    await expect.poll(async () => (await run())['status']).toBe('running')
    await expect.poll(pages).toBeGreaterThan(3)
    expect((await merchant.asAccount('POST', `${trip.path}/uninstall`)).status).toBe(200)
    const left = performance.now()
    expect(await run()).toMatchObject({ status: 'cancelled' })
    // What is another integration's stays, unless the platform itself ends all that the app has registered.
    await expect.poll(own.ours).toEqual(way === 'shopify' ? [] : [own.url])
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 5000 - (performance.now() - left))))
    const mark = shop.ledger().at(-1)?.seq ?? 0
    // Longer than any job of ours rests.
    await new Promise((resolve) => setTimeout(resolve, 3000))
    const asked = shop.ledger(mark).filter((entry) => entry.kind === 'request' && entry.as !== own.caller)
    expect(asked).toEqual([])
  })
})

describe('a shop by OAuth', () => {
  const way = 'shopify'

  test('that sends somebody back in the name of another shop, or with a changed code, is refused', async () => {
    const trip = await setOut(way)
    const back = new URL((await decide(trip.address, 'allow')).location ?? '')
    for (const [name, value] of [
      ['shop', 'other.example.com'],
      ['code', 'another'],
      ['hmac', '00'.repeat(32)],
    ] as const) {
      const again = await reconnect(trip, way)
      const fresh = new URL((await decide(again, 'allow')).location ?? back.href)
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
    const again = await reconnect(trip, way)
    expect((await follow(await decide(again, 'allow'))).location).toContain(`integration_id=${trip.id}`)
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

/** The shop's webhooks, as the tests see them with keys of their own. */
async function ownWebhooks(way: Way) {
  const connector = connectors.get(way)
  const registration = connector?.webhooks?.registration
  if (!connector || registration?.kind !== 'api') throw new Error('There is nothing to register.')
  const facts = { shop: shop.install.shop, settings: shop.install.settings }
  const keys = shopWith(server.context, connector, facts, shop.keep())
  await connector.auth.checkAccess(keys)
  const requests = shop.ledger().filter((entry) => entry.kind === 'request')
  const url = `${publicUrl}/api/1.0/webhook_callback/x/0/y`
  const ours = async () =>
    (await registration.list(keys)).map((hook) => hook.url).filter((one) => one.startsWith(publicUrl))
  return {
    caller: requests.at(-1)?.as ?? null,
    url,
    ours,
    async add() {
      await registration.register(keys, { url, topics: ['order.created'], secret: 's' })
      expect(await ours()).toContain(url)
    },
  }
}
