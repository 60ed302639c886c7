import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saveCredentials } from '../../src/domain/integrations/credentials-store.ts'
import { readIntegration } from '../../src/domain/integrations/integration-store.ts'
import { openShop } from '../../src/domain/shop/open-remote.ts'
import { keepWebhooks } from '../../src/domain/shop-webhooks/register-webhooks.ts'
import { registrationOf } from '../../src/domain/shop-webhooks/shop-webhooks.ts'
import { readShopWebhooks } from '../../src/domain/shop-webhooks/shop-webhooks-store.ts'
import type { Simulator } from '../../src/simulator/start.ts'
import { data, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { newBrowser } from '../support/browser.ts'
import { coarseStatus } from '../support/coarse-status.ts'
import { freePort } from '../support/process.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { installOn, simulatedShops } from '../support/simulated.ts'

let server: TestServer
let merchant: Merchant
let publicUrl: string
const simulated = simulatedShops()

beforeAll(async () => {
  const port = await freePort()
  publicUrl = `http://127.0.0.1:${port}`
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'], egressRoutes: simulated.routes, publicUrl })
  await server.program.http?.listen('127.0.0.1', port)
  merchant = await makeMerchant(server)
})
afterAll(async () => {
  await simulated.close()
  await server.close()
})

interface Connected {
  shop: Simulator
  id: number
  name: string
  path: string
}

/** A shop that is copied, and tells what happens. */
async function connect(
  options: Parameters<typeof simulated.open>[0],
  credentials: (shop: Simulator) => object = ({ install }) => install.credentials ?? {},
): Promise<Connected> {
  const shop = await simulated.open(options)
  const answer = await installOn(merchant, shop, { credentials: credentials(shop) })
  expect(answer.status).toBe(201)
  const id = Number(data(answer)['id'])
  const path = `/integrations/${id}`
  const runs = async () => rows(await merchant.asApp('GET', `${path}/runs`)).map(({ status }) => status)
  await expect.poll(runs).toEqual(Array(3).fill('completed'))
  await expect.poll(() => webhooksOf(path)).toMatchObject({ registered_at: expect.any(String), error: null })
  return { shop, id, name: shop.install.shop, path }
}

const webhooksOf = async (path: string) =>
  data(await merchant.asApp('GET', path))['webhooks'] as { topics: string[]; checked_at: string } | null

const gist = <T extends { remote_id: string; total: unknown; status: string }>(orders: readonly T[]) =>
  orders.map(({ remote_id, status, total }) => `${remote_id} ${coarseStatus(status)} ${Number(total)}`).sort()

const copyOf = async (id: number) =>
  gist(
    await server.context.db
      .selectFrom('orders')
      .select(['remote_id', 'status', 'total'])
      .where('integration_id', '=', id)
      .where('deleted_at', 'is', null)
      .execute(),
  )

const isLikeShop = ({ shop, id }: Connected) => expect.poll(() => copyOf(id)).toEqual(gist(shop.truth()))

const deliveriesOf = async (path: string, search = '') =>
  rows(await merchant.asApp('GET', `${path}/deliveries?per_page=100${search}`))

const isWorkedOn = (path: string) =>
  expect.poll(async () => (await deliveriesOf(path)).every(({ processed_at }) => processed_at !== null)).toBe(true)

describe.each(['sandbox', 'woocommerce'] as const)('a shop on %s', (platform) => {
  test('tells what happens, and the copy follows without anybody asking', async () => {
    const connected = await connect({ platform, orders: 12, products: 4, seed: 'told' })
    const { shop, path } = connected
    expect((await webhooksOf(path))?.topics.length).toBeGreaterThan(3)
    const runs = rows(await merchant.asApp('GET', `${path}/runs`)).length
    shop.change({ orders: 4, new_orders: 3, delete_orders: 1 })
    await shop.delivered()
    await isLikeShop(connected)
    expect(rows(await merchant.asApp('GET', `${path}/runs`))).toHaveLength(runs)
    await isWorkedOn(path)
    const received = await deliveriesOf(path)
    expect(received.length).toBeGreaterThan(0)
    expect(new Set(received.map(({ verified }) => verified))).toEqual(new Set([true]))
    expect(received.map(({ outcome }) => outcome)).toContain('stored')
  })

  test('is believed once, whatever comes twice, late or not at all', async () => {
    const connected = await connect({ platform, orders: 15, products: 4, seed: 'weather' })
    const { shop, path } = connected
    shop.weather({ duplicate_webhooks: 0.5, reordered_webhooks: 0.5 })
    for (const _ of [1, 2, 3, 4]) shop.change({ orders: 5, new_orders: 2, delete_orders: 1 })
    await shop.delivered()
    await isLikeShop(connected)
    await isWorkedOn(path)
    expect((await deliveriesOf(path)).filter(({ outcome }) => outcome === 'failed')).toEqual([])

    shop.weather({ lost_webhooks: 0.5 })
    shop.change({ orders: 8, new_orders: 4 })
    await shop.delivered()
    const { id } = data(
      await merchant.asApp('POST', `${path}/action`, { resource: 'reconcile', resources: ['orders'] }),
    )
    const run = async () => data(await merchant.asApp('GET', `${path}/runs/${id}`))['status']
    await expect.poll(run).toBe('completed')
    await isLikeShop(connected)
  })

  test('is put right when it has forgotten us, or tells things twice', async () => {
    const { id, path } = await connect({ platform, orders: 3, products: 2, seed: 'repair' })
    const { context } = server
    const integration = await readIntegration(context.db, id)
    const { connector, shop } = await openShop(context, integration)
    const registration = registrationOf(connector)
    if (!registration) throw new Error('There is nothing to register.')
    const { list, remove } = registration.register
    const before = await list(shop)
    const [first, ...others] = before
    for (const { remoteId } of others.slice(0, 2)) await remove(shop, remoteId)
    await keepWebhooks(context, id)
    const names = (hooks: typeof before) => hooks.map(({ topic, url }) => `${topic} ${url}`).sort()
    expect(names(await list(shop))).toEqual(names(before))
    expect(first?.url).toBe(
      `${publicUrl}/api/1.0/webhook_callback/${platform}/${merchant.accountId}/${integration.shop}`,
    )
    const repairs = async () => rows(await merchant.asAccount('GET', `${path}/logs?event=webhooks.repaired`))
    expect(await repairs()).toHaveLength(1)
    await keepWebhooks(context, id)
    expect(await repairs()).toHaveLength(1)
    if (platform !== 'woocommerce') return
    const body = { topic: first?.topic, delivery_url: first?.url, secret: 'x', status: 'active' }
    await shop.remote.request({ method: 'POST', path: '/wp-json/wc/v3/webhooks', body })
    await keepWebhooks(context, id)
    expect(names(await list(shop))).toEqual(names(before))
    expect(await repairs()).toHaveLength(2)
  })
})

test('a message about stock reads that article, and archived orders go', async () => {
  const { shop, id, path, ...connected } = await connect({
    platform: 'bigcommerce',
    orders: 6,
    products: 8,
    seed: 'items',
  })
  const runs = rows(await merchant.asApp('GET', `${path}/runs`)).length
  const mark = shop.ledger().at(-1)?.seq ?? 0
  shop.change({ inventory: 2, delete_orders: 1 })
  await shop.delivered()
  await isLikeShop({ shop, id, path, ...connected })
  await isWorkedOn(path)
  const asked = shop.ledger(mark).flatMap((entry) => (entry.kind === 'request' ? [entry.operation] : []))
  expect(asked).toContain('inventory.list')
  expect(asked).not.toContain('inventory.location')
  expect(rows(await merchant.asApp('GET', `${path}/runs`))).toHaveLength(runs)
  const outcomes = (await deliveriesOf(path)).map(({ kind, outcome }) => `${kind} ${outcome}`)
  expect(outcomes).toEqual(expect.arrayContaining(['inventory stored', 'order removed']))
})

test('a message about a variation changes its product and its level, and what the shop shuffles is no change', async () => {
  const variant = { related: 'shuffled', variations: 'apart' }
  const { shop, id, path } = await connect({ platform: 'woocommerce', orders: 4, products: 12, seed: 'apart', variant })
  const [, sku = ''] = shop.truthOfProducts().find(({ skus }) => skus.length > 1)?.skus ?? []
  expect(shop.setStock({ sku, quantity: 4321, place: 0 })).toBe(true)
  await shop.delivered()
  const level = async () => rows(await merchant.asApp('GET', `/inventory?integration_id=${id}&sku=${sku}`))
  await expect.poll(level).toMatchObject([{ sku, quantity: 4321 }])
  const products = rows(await merchant.asApp('GET', `/products?integration_id=${id}&per_page=100`))
  const variants = products.flatMap((product) => product['variants'] as { sku: string; quantity: number }[])
  expect(variants.find((one) => one.sku === sku)).toMatchObject({ quantity: 4321 })
  await isWorkedOn(path)
  const outcomes = (await deliveriesOf(path)).map(({ kind, outcome }) => `${kind} ${outcome}`)
  expect(outcomes).toContain('product stored')
  expect(outcomes).not.toContain('product removed')

  const resultOf = async (fields: object) => {
    const run = data(await merchant.asApp('POST', `${path}/action`, fields))['id']
    const read = async () => data(await merchant.asApp('GET', `${path}/runs/${run}`))
    await expect.poll(async () => (await read())['status']).toBe('completed')
    return (await read())['result']
  }
  expect(await resultOf({ resource: 'sync_products', full: true })).toMatchObject({ inserted: 0, updated: 0 })
  expect(await resultOf({ resource: 'reconcile', resources: ['products'] })).toMatchObject({ stale: 0, healed: 0 })
})

test('messages are believed by the secret that the platform made, which keys are not told', async () => {
  const shop = await simulated.open({ platform: 'squarespace', orders: 6, products: 2, seed: 'theirs' })
  const { client, shop: name } = shop.install
  const service = await merchant.offer('squarespace')
  await merchant.asUser('PUT', `/apps/${merchant.appId}/services/${service}`, { client })
  const typed = await installOn(merchant, shop, { name: 'By key' })
  await expect
    .poll(() => webhooksOf(`/integrations/${data(typed)['id']}`))
    .toMatchObject({ registered_at: null, error: expect.stringContaining('connect the site in the browser') })
  const body = { name: 'By browser', shop: name, settings: {} }
  const trip = data(await merchant.asAccount('POST', '/service/squarespace/install', body))
  const [id, browser] = [Number(trip['id']), newBrowser({ accept: 'text/html' })]
  const agreed = await browser.press(await browser.setOff(String(trip['authorization_url'])), 'allow')
  const { search } = new URL(agreed.location ?? '')
  expect((await browser.open(`${publicUrl}/api/1.0/app_callback/squarespace${search}`)).status).toBe(200)
  const path = `/integrations/${id}`
  const topics = ['extension.uninstall', 'order.create', 'order.update']
  await expect.poll(() => webhooksOf(path)).toMatchObject({ error: null, topics })
  await isLikeShop({ shop, id, name, path })
  const runs = rows(await merchant.asApp('GET', `${path}/runs`)).length
  shop.change({ orders: 2, new_orders: 1 })
  await shop.delivered()
  await isLikeShop({ shop, id, name, path })
  await isWorkedOn(path)
  expect((await deliveriesOf(path)).map(({ verified }) => verified)).toEqual([true, true, true])
  expect(rows(await merchant.asApp('GET', `${path}/runs`))).toHaveLength(runs)
})

test('a hold, and its end, come as messages about parts of an order', async () => {
  const options = { platform: 'shopify', orders: 40, products: 4, seed: 'held' } as const
  const { shop, id, path } = await connect(options, ({ install }) => install.client)
  const order_remote_id = shop.truth().find(({ stage }) => stage === 'paid')?.remote_id ?? ''
  const { connector, shop: opened } = await openShop(server.context, await readIntegration(server.context.db, id))
  const { hold, release } = connector.orders ?? {}
  const statusHere = async () => {
    const held = server.context.db.selectFrom('orders').select('status').where('integration_id', '=', id)
    return (await held.where('remote_id', '=', order_remote_id).executeTakeFirst())?.status
  }
  const runs = rows(await merchant.asApp('GET', `${path}/runs`)).length
  expect(await statusHere()).toBe('PENDING')
  await hold?.send(opened, { order_remote_id, reason: 'The address is odd.' }, { id: 'hold' })
  await expect.poll(statusHere).toBe('ON_HOLD')
  await release?.send(opened, { order_remote_id }, { id: 'release' })
  await expect.poll(statusHere).toBe('PENDING')
  expect(rows(await merchant.asApp('GET', `${path}/runs`))).toHaveLength(runs)
})

test('a signed message that is sent again under another topic takes nothing away', async () => {
  const options = { platform: 'shopify', orders: 5, products: 2, seed: 'captured' } as const
  const connected = await connect(options, ({ install }) => install.client)
  const { shop, id, name, path } = connected
  const copy = await copyOf(id)
  const raw = JSON.stringify({ id: 5_000_000_001, customer: { id: 1, email: 'ada@example.com' } })
  const secret = String(Object(shop.install.client).client_secret)
  for (const topic of ['shop/redact', 'app/uninstalled', 'customers/redact']) {
    const headers = {
      'content-type': 'application/json',
      'x-shopify-hmac-sha256': createHmac('sha256', secret).update(raw).digest('base64'),
      'x-shopify-shop-domain': name,
      'x-shopify-topic': topic,
      'x-shopify-webhook-id': `again ${topic}`,
    }
    const url = `${publicUrl}/api/1.0/webhook_callback/shopify/${merchant.accountId}/${name}`
    expect((await fetch(url, { method: 'POST', headers, body: raw })).status).toBe(200)
  }
  await isWorkedOn(path)
  // One message, since the same was signed.
  expect((await deliveriesOf(path)).map(({ outcome }) => outcome)).toEqual(['failed'])
  expect(data(await merchant.asApp('GET', path))['status']).toBe('ACTIVE')
  expect(await copyOf(id)).toEqual(copy)
})

test('a merchant who removes us in the shop has left, and nothing more is said to the shop', async () => {
  const { id, name, path, shop } = await connect({ platform: 'sandbox', orders: 2, products: 1, seed: 'leaves' })
  const known = await readShopWebhooks(server.context.db, server.context.keys, id)
  const send = (secret: string, delivery: string) => {
    const raw = JSON.stringify({ delivery, topic: 'app.uninstalled', id: name, at: new Date().toISOString() })
    return fetch(`${publicUrl}/api/1.0/webhook_callback/sandbox/${merchant.accountId}/${name}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-sandbox-signature': createHmac('sha256', secret).update(raw).digest('hex'),
      },
      body: raw,
    })
  }
  expect((await send('somebody else’s', 'forged')).status).toBe(401)
  // The message alone proves nothing: the shop, which is asked, no longer takes the key.
  const { db, keys } = server.context
  const gone = { credentials: { api_key: 'bad' }, expiresAt: null }
  await saveCredentials(db, keys, await readIntegration(db, id), gone)
  const asked = shop.ledger().length
  expect((await send(known?.secrets[0] ?? '', 'genuine')).status).toBe(200)
  await expect.poll(async () => data(await merchant.asApp('GET', path))['status']).toBe('UNINSTALLED')
  await expect.poll(async () => (await send(known?.secrets[0] ?? '', 'late')).status).toBe(401)
  expect(data(await merchant.asApp('GET', path))['webhooks']).toBeNull()
  expect(shop.ledger().slice(asked)).toMatchObject([{ method: 'GET' }])
})
