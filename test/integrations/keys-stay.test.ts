import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { credentialsPlace } from '../../src/domain/integrations/credentials-store.ts'
import { seal } from '../../src/lib/secret-box.ts'
import { type Loopback, listen } from '../support/loopback.ts'
import { ownService, startOwnShop } from '../support/own-shop.ts'
import { startTestServer, type TestAnswer, type TestServer } from '../support/server.ts'
import { installOn, simulatedShops } from '../support/simulated.ts'
import { data, type Merchant, makeMerchant, rows } from './support.ts'

/** Merchants give their keys for one place. Whoever may change settings cannot have them sent to another. */

let server: TestServer
let merchant: Merchant
let elsewhere: Loopback
let address: string
const arrived: string[] = []
const simulated = simulatedShops()
beforeAll(async () => {
  const attacker = createServer((request, response) => {
    arrived.push(`${request.url} ${JSON.stringify(request.headers)}`)
    response.setHeader('content-type', 'application/json').end('{}')
  })
  elsewhere = await listen(attacker)
  address = `http://127.0.0.1:${elsewhere.port}`
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'], egressRoutes: simulated.routes })
  merchant = await makeMerchant(server)
})
afterAll(async () => {
  await simulated.close()
  await server.close()
  await elsewhere.close()
})

const ownHosts = ['woocommerce', 'prestashop', 'magento', 'medusa', 'vendure', 'sandbox'] as const

async function connect(platform: string): Promise<{ id: number; settings: object; credentials: object }> {
  const shop = await simulated.open({ platform, orders: 3, products: 2, seed: `keys of ${platform}` })
  const { id, settings, status } = data(await installOn(merchant, shop))
  expect(status).toBe('ACTIVE')
  return { id: Number(id), settings: Object(settings), credentials: shop.install.credentials ?? {} }
}

type Change = (method: string, path: string, body: object) => Promise<TestAnswer>

/** Everybody who may change settings, version 1.0 among them. */
const inVersion2 = (id: number) => `/integrations/${id}`
const ways: readonly (readonly [Change, (id: number) => string])[] = [
  [(...call) => merchant.asApp(...call), inVersion2],
  [(...call) => merchant.asAccount(...call), inVersion2],
  [(...call) => merchant.asUser(...call), (id) => `/api/1.0${inVersion2(id)}`],
]

describe.each(ownHosts)('credentials of a shop on %s', (platform) => {
  test('are void once its address is another one, whoever changes it', async () => {
    for (const [change, path] of ways) {
      const { id, settings } = await connect(platform)
      const moved = data(await change('PUT', path(id), { settings: { ...settings, base_url: address } }))
      expect(moved).toMatchObject({ id, status: 'PENDING' })
      const tried = await merchant.asApp('POST', `/integrations/${id}/action`, { resource: 'get_orders' })
      expect([tried.status, arrived]).toEqual([422, []])
      const back = await merchant.asApp('PATCH', `/integrations/${moved['integrationKey']}/status`, {
        status: 'ACTIVE',
      })
      expect(back.status).toBe(422)
      const events = rows(await merchant.asAccount('GET', `/integrations/${id}/logs`)).map(({ event }) => event)
      expect(events).toContain('integration.address_changed')
      const held = await server.context.db.selectFrom('credentials').where('integration_id', '=', id).execute()
      expect(held).toEqual([])
    }
  })

  test('do not open for an address that was changed past us', async () => {
    const { id, settings } = await connect(platform)
    const changed = JSON.stringify({ ...settings, base_url: address })
    await server.context.db.updateTable('integrations').set({ settings: changed }).where('id', '=', id).execute()
    const tried = await merchant.asApp('POST', `/integrations/${id}/action`, { resource: 'get_orders' })
    expect([tried.status, arrived]).toEqual([422, []])
  })
})

test('are void at another address of a service that somebody has described', async () => {
  const shop = await startOwnShop()
  try {
    const definition = ownService({ kind: 'header', name: 'X-Api-Key' })
    const described = { type: 'keys-of-described', name: 'Described', definition }
    data(await merchant.asUser('POST', '/api/1.0/services', described))
    await merchant.offer(described.type)
    for (const [change, path] of ways) {
      const { id, status } = data(
        await merchant.asApp('POST', `/${described.type}/install`, {
          ...{ name: 'Described', shop: `${path(0).length}.example.com`, remote_id: merchant.remoteId },
          ...{ settings: { base_url: shop.url }, credentials: { api_key: 'of the described shop' } },
        }),
      )
      expect(status).toBe('ACTIVE')
      const moved = data(await change('PUT', path(Number(id)), { settings: { base_url: address } }))
      expect(moved).toMatchObject({ id, status: 'PENDING' })
      const tried = await merchant.asApp('POST', `/integrations/${id}/action`, { resource: 'get_orders' })
      expect([tried.status, arrived]).toEqual([422, []])
    }
  } finally {
    await shop.close()
  }
})

test('other settings leave them alone', async () => {
  const { id, settings } = await connect('sandbox')
  const kept = data(await merchant.asApp('PUT', `/integrations/${id}`, { settings: { ...settings, note: 'ours' } }))
  expect(kept).toMatchObject({ status: 'ACTIVE' })
  const tried = await merchant.asApp('POST', `/integrations/${id}/action`, { resource: 'get_orders' })
  expect(tried.status).toBe(200)
})

test('those that were sealed before addresses counted are bound when they are first used', async () => {
  const { id, settings, credentials } = await connect('sandbox')
  const { db, keys } = server.context
  const old = seal(keys, JSON.stringify(credentials), credentialsPlace(id, merchant.appId))
  await db.updateTable('credentials').set({ sealed: old }).where('integration_id', '=', id).execute()
  const use = () => merchant.asApp('POST', `/integrations/${id}/action`, { resource: 'get_orders' })
  expect((await use()).status).toBe(200)
  const changed = JSON.stringify({ ...settings, base_url: address })
  await db.updateTable('integrations').set({ settings: changed }).where('id', '=', id).execute()
  expect([(await use()).status, arrived]).toEqual([422, []])
})
