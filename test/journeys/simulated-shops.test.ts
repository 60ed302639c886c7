import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connectors } from '../../src/connectors/index.ts'
import type { Simulator } from '../../src/simulator/start.ts'
import { data, errors, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { coarseStatus } from '../support/coarse-status.ts'
import { jobsOver } from '../support/runs-over.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { installOn, simulatedShops } from '../support/simulated.ts'

/** Real connectors on the imitations of their platforms, over sockets, through the whole program. */
const platforms = ['shopify', 'squarespace', 'woocommerce', 'amazon', 'walmart', 'wix'] as const

let server: TestServer
let merchant: Merchant
const simulated = simulatedShops()
beforeAll(async () => {
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'], egressRoutes: simulated.routes })
  merchant = await makeMerchant(server)
})
afterAll(() => server.close())
afterEach(() => simulated.close())

interface Connected {
  shop: Simulator
  id: number
  path: string
}

async function connect(options: Parameters<typeof simulated.open>[0]): Promise<Connected> {
  const shop = await simulated.open(options)
  const answer = await installOn(merchant, shop)
  expect(answer.status).toBe(201)
  const integration = data(answer)
  expect(integration).toMatchObject({
    status: 'ACTIVE',
    settings: shop.install.settings,
    gateway_key: expect.stringMatching(/^gw_/),
  })
  for (const secret of Object.values(shop.install.credentials ?? {})) expect(answer.text).not.toContain(secret)
  const path = `/integrations/${integration['id']}`
  // What is read by itself after an installation.
  const runs = async () => rows(await merchant.asApp('GET', `${path}/runs`)).map(({ status }) => status)
  await expect.poll(runs).toEqual(Array(3).fill('completed'))
  // A list of returns is read after the orders, and changes them.
  await jobsOver(server.context)
  return { shop, id: Number(integration['id']), path }
}

const act = (path: string, resource: string, fields: Record<string, unknown> = {}) =>
  merchant.asApp('POST', `${path}/action`, { resource, ...fields })

async function run(path: string, resource: string, fields: Record<string, unknown> = {}) {
  const { id } = data(await act(path, resource, fields))
  const read = async () => data(await merchant.asApp('GET', `${path}/runs/${id}`))
  await expect.poll(async () => (await read())['finished_at']).not.toBeNull()
  const done = await read()
  expect(done).toMatchObject({ status: 'completed', error: null })
  return done
}

const shown = <T extends { remote_id: string | null; total: unknown }>(orders: readonly T[]) =>
  orders
    .map(({ total, ...order }) => ({ ...order, total: Number(total) }))
    .sort((a, b) => (String(a.remote_id) < String(b.remote_id) ? -1 : 1))

async function copy(id: number) {
  const stored = await server.context.db
    .selectFrom('orders')
    .select(['remote_id', 'number', 'status', 'remote_status', 'currency', 'total'])
    .where('integration_id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
  return shown(stored.map((order) => ({ ...order, status: coarseStatus(order.status) })))
}

const truth = (shop: Simulator) =>
  shown(
    shop.truth().map(({ remote_id, number, status, remote_status, currency, total }) => ({
      ...{ remote_id, number, status, remote_status, currency, total },
    })),
  )

const newest = async (id: number) =>
  (
    await server.context.db
      .selectFrom('orders')
      .select(({ fn }) => fn.max('updated_at').as('at'))
      .where('integration_id', '=', id)
      .executeTakeFirstOrThrow()
  ).at

const effects = (shop: Simulator, after: number) =>
  shop.ledger(after).flatMap((entry) => (entry.kind === 'effect' ? [entry] : []))

describe.each(platforms)('a shop on %s', (platform) => {
  test('is copied, followed, and written to', async () => {
    const { shop, id, path } = await connect({ platform, orders: 260, products: 10 })
    expect(await copy(id)).toEqual(truth(shop))

    shop.change({ orders: 20, new_orders: 5 })
    await run(path, 'sync_orders')
    expect(await copy(id)).toEqual(truth(shop))

    const before = await newest(id)
    expect(await run(path, 'sync_orders')).toMatchObject({ result: { inserted: 0, updated: 0 } })
    expect(await newest(id)).toEqual(before)

    const mark = shop.ledger().at(-1)?.seq ?? 0
    const [sent, gone] = shop
      .truth()
      .filter(({ stage, custom_status, parcels }) => stage === 'paid' && custom_status === null && parcels === 0)
      .map(({ remote_id }) => remote_id)
    const connector = connectors.get(platform)
    if (connector?.acknowledgement) await act(path, 'acknowledge_orders', { remote_ids: [sent] })
    const shipment = { order_remote_id: sent, tracking_number: 'TRACK-1', carrier: 'DHL' }
    expect(data(await act(path, 'create_shipment', shipment))).toMatchObject({ tracking_number: 'TRACK-1' })
    const cancels = connector?.orders?.cancel !== undefined
    if (cancels)
      expect(data(await act(path, 'cancel_order', { remote_id: gone }))).toMatchObject({ status: 'CANCELLED' })
    const { sku = '', location_remote_id: location = null } = shop.truthOfInventory()[0] ?? {}
    const items = [{ sku, quantity: 4321, location }]
    expect(data(await act(path, 'set_inventory', { items }))).toEqual([{ sku, location, ok: true, error: null }])

    const happened = effects(shop, mark).map(({ operation }) => operation)
    const count = (operation: string) => happened.filter((one) => one === operation).length
    expect([count('shipment.create'), count('order.cancel'), count('inventory.set')]).toEqual([1, cancels ? 1 : 0, 1])
    expect(shop.doubles()).toEqual([])
    expect(shop.truthOfInventory()[0]?.available).toBe(4321)
    const after = new Map(shop.truth().map((order) => [order.remote_id, order.stage]))
    expect(after.get(sent ?? '')).toBe('sent')
    expect(after.get(gone ?? '')).toBe(cancels ? 'cancelled' : 'paid')

    await run(path, 'sync_orders')
    expect(await copy(id)).toEqual(truth(shop))
  })
})

describe('a shop that can not be used', () => {
  const sandbox = (base_url: string) =>
    merchant.asApp('POST', '/sandbox/install', {
      ...{ name: 'Nowhere', shop: 'nowhere.example.com', remote_id: merchant.remoteId },
      ...{ settings: { base_url }, credentials: { api_key: 'good' } },
    })

  test.each([
    ['http://127.0.0.1:1/path', 'The settings.base url field format is invalid.'],
    ['ftp://127.0.0.1', 'The settings.base url field format is invalid.'],
    ['http://user@127.0.0.1', 'The settings.base url field format is invalid.'],
    ['http://127.0.0.1#@example.com', 'The settings.base url field format is invalid.'],
  ])('%s is no address', async (base, text) => {
    const answer = await sandbox(base)
    expect([answer.status, errors(answer)]).toEqual([422, { 'settings.base_url': [text] }])
  })

  test.each(['http://10.0.0.1:8080', 'http://localhost:8080'])('%s may not be reached', async (base) => {
    const answer = await sandbox(base)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('The address is not allowed.')
  })

  test('keys of another shop are named', async () => {
    const shop = await simulated.open({ platform: 'woocommerce', orders: 1 })
    const credentials = { consumer_key: 'ck_other', consumer_secret: 'cs_other' }
    const wrong = await installOn(merchant, shop, { credentials })
    expect(wrong.status).toBe(422)
    expect(Object.keys(errors(wrong))).toEqual(['credentials.consumer_key', 'credentials.consumer_secret'])
    const missing = await installOn(merchant, shop, { credentials: { consumer_key: 'ck_other' } })
    expect(errors(missing)).toEqual({
      'credentials.consumer_secret': ['The credentials.consumer secret field is required.'],
    })
  })
})

test('tokens that end are renewed before anybody notices', async () => {
  const { shop, path } = await connect({ platform: 'amazon', orders: 10, products: 5, tokenSeconds: 4 })
  const refreshes = () =>
    shop.ledger().filter((entry) => entry.kind === 'effect' && entry.operation === 'token.refresh')
  await expect
    .poll(
      async () => {
        expect((await act(path, 'get_orders', { limit: 1 })).status).toBe(200)
        return refreshes().length
      },
      { interval: 500 },
    )
    .toBeGreaterThan(1)
  expect(shop.doubles()).toEqual([])
})

test.each(platforms)('rough weather does not keep the copy of %s from being complete', async (platform) => {
  // So few that Amazon's twenty questions, of which it gives back one a minute, do for all of it.
  const { shop, id, path } = await connect({ platform, orders: 300, products: 5 })
  shop.weather({ preset: 'rough', hold_ms: 1000, slow_ms: 200 })
  shop.change({ orders: 150, new_orders: 50 })
  await run(path, 'sync_orders', { mode: 'full' })
  shop.weather({ preset: 'calm' })
  await run(path, 'sync_orders')
  expect(await copy(id)).toEqual(truth(shop))
  expect(shop.doubles()).toEqual([])
})
