import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HostileFault, hostileFaults } from '../../src/simulator/hostile.ts'
import type { Simulator } from '../../src/simulator/start.ts'
import { ownService, startOwnShop } from '../support/own-shop.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { installOn, simulatedShops } from '../support/simulated.ts'
import { data, type Merchant, makeMerchant, rows } from './support.ts'

/** Shops that send what nobody should have to read. The rest of their orders comes, and nothing falls over. */

let server: TestServer
let merchant: Merchant
const simulated = simulatedShops()
beforeAll(async () => {
  server = await startTestServer({
    works: true,
    egressAllow: ['127.0.0.1'],
    webhookAllow: [],
    egressRoutes: simulated.routes,
  })
  merchant = await makeMerchant(server)
})
afterAll(async () => {
  await simulated.close()
  await server.close()
})

const orders = 240
const platforms = ['woocommerce', 'shopify', 'squarespace', 'walmart', 'wix'] as const
type Platform = (typeof platforms)[number]

interface Connected {
  shop: Simulator
  id: number
  path: string
}

/** One shop for each platform: what a fault has done to it is healed before the next one comes, or its test fails. */
const opened = new Map<Platform, Promise<Connected>>()
const connected = (platform: Platform): Promise<Connected> => {
  const known = opened.get(platform) ?? connect(platform)
  opened.set(platform, known)
  return known
}

async function connect(platform: Platform): Promise<Connected> {
  const shop = await simulated.open({
    platform,
    orders,
    products: 2,
    seed: `hostile ${platform}`,
    variant: { tracking: 'none' },
  })
  const answer = await installOn(merchant, shop)
  const id = Number(data(answer)['id'])
  const path = `/integrations/${id}`
  const ends = async () => rows(await merchant.asApp('GET', `${path}/runs`)).map(({ status }) => status)
  await expect.poll(ends).toEqual(Array(3).fill('completed'))
  return { shop, id, path }
}

async function run(path: string, mode: string, during: (runId: unknown) => Promise<void> = async () => undefined) {
  const { id } = data(await merchant.asApp('POST', `${path}/action`, { resource: 'sync_orders', mode }))
  const read = async () => data(await merchant.asApp('GET', `${path}/runs/${id}`))
  await during(id)
  await expect.poll(async () => (await read())['finished_at'], { interval: 100 }).not.toBeNull()
  return await read()
}

const copy = async (id: number) => {
  const held = await server.context.db
    .selectFrom('orders')
    .select(['remote_id', 'total', 'remote_status'])
    .where('integration_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('remote_id')
    .execute()
  return held.map(({ remote_id, total, remote_status }) => `${remote_id} ${Number(total)} ${remote_status}`)
}
const truth = (shop: Simulator) =>
  shop
    .truth()
    .map(({ remote_id, total, remote_status }) => `${remote_id} ${Number(total)} ${remote_status}`)
    .sort()

const met = (shop: Simulator, fault: HostileFault) =>
  shop.ledger().filter((entry) => entry.kind === 'request' && entry.fault === fault).length

const cases = hostileFaults.flatMap((fault) => platforms.map((platform) => [fault, platform] as const))
// All of them on the platform with the plainest records, and those that change records on all.
const inRecords: readonly HostileFault[] = ['nul_characters', 'huge_numbers', 'huge_strings', 'prototype_keys']
const tried = cases.filter(([fault, platform]) => platform === 'woocommerce' || inRecords.includes(fault))

test.each(tried)('%s of a shop on %s', async (fault, platform) => {
  const { shop, id, path } = await connected(platform)
  shop.change({ orders: 200 })
  shop.weather({ [fault]: 1 })
  const before = process.memoryUsage.rss()
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  const done = await run(path, 'incremental', async () => {
    await expect.poll(() => met(shop, fault), { interval: 20 }).toBeGreaterThan(0)
    shop.weather({ [fault]: 0 })
  })
  clearInterval(watch)
  expect(done).toMatchObject({ status: 'completed', error: null })
  expect((peak - before) / 2 ** 20).toBeLessThan(300)
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
  expect(await copy(id)).toHaveLength(orders)
  // In good weather everything heals, also what was quarantined or stored as it came.
  const healed = await run(path, 'full')
  expect(healed).toMatchObject({ status: 'completed' })
  expect(await copy(id)).toEqual(truth(shop))
  const aside = await server.context.db
    .selectFrom('quarantine')
    .select('remote_id')
    .where('integration_id', '=', id)
    .execute()
  expect(aside).toEqual([])
})

test('a host where shops may be is none for webhooks', async () => {
  const webhook = { url: 'https://127.0.0.1:4310/', events: ['order.created'] }
  const refused = await server.call('POST', `/api/2.0/user/apps/${merchant.appId}/webhooks`, {
    token: merchant.userToken,
    body: webhook,
  })
  expect([refused.status, refused.json['errors']]).toEqual([422, { url: [expect.any(String)] }])
})

test('of records without sense twenty are explained, and the others counted', async () => {
  const shop = await startOwnShop(() => ({
    status: 200,
    body: { data: Array.from({ length: 600 }, (_, id) => ({ id })) },
  }))
  try {
    const definition = ownService({ kind: 'header', name: 'X-Api-Key' })
    data(await merchant.asUser('POST', '/api/1.0/services', { type: 'senseless', name: 'Senseless', definition }))
    await merchant.offer('senseless')
    const { id } = data(
      await merchant.asApp('POST', '/senseless/install', {
        ...{ name: 'Senseless', shop: 'senseless.example.com', remote_id: merchant.remoteId },
        ...{ settings: { base_url: shop.url }, credentials: { api_key: 'any' } },
      }),
    )
    const answer = await merchant.asApp('POST', `/integrations/${id}/action`, { resource: 'get_orders', limit: 250 })
    expect([answer.status, rows(answer)]).toEqual([200, []])
    const reasons = Object(answer.json['meta'])['set_aside']
    expect(reasons).toHaveLength(21)
    expect(reasons.at(-1)).toBe('580 more records failed validation.')
  } finally {
    await shop.close()
  }
})
