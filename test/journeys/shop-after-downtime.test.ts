import { afterAll, beforeAll, expect, test } from 'vitest'
import { readIntegration } from '../../src/domain/integrations/integration-store.ts'
import { openShop } from '../../src/domain/shop/open-remote.ts'
import { keepWebhooks } from '../../src/domain/shop-webhooks/register-webhooks.ts'
import { registrationOf } from '../../src/domain/shop-webhooks/shop-webhooks.ts'
import { data, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { coarseStatus } from '../support/coarse-status.ts'
import { freePort } from '../support/process.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { installOn, simulatedShops } from '../support/simulated.ts'

/** WooCommerce sends nothing twice, and switches a webhook off after a few failures: whatever happened while we were away is told by nobody. */

const simulated = simulatedShops()
let server: TestServer
let merchant: Merchant
let port: number
beforeAll(async () => {
  port = await freePort()
  // Nobody listens there yet, so that no message gets through.
  const publicUrl = `http://127.0.0.1:${port}`
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'], egressRoutes: simulated.routes, publicUrl })
  merchant = await makeMerchant(server)
})
afterAll(async () => {
  await simulated.close()
  await server.close()
})

test('webhooks that were switched off are switched on again, and the shop is read for what they did not tell', async () => {
  const { context } = server
  const shop = await simulated.open({
    platform: 'woocommerce',
    orders: 30,
    products: 3,
    variant: { deliveries: 'once' },
  })
  const id = Number(data(await installOn(merchant, shop))['id'])
  const path = `/integrations/${id}`
  const shown = async () => data(await merchant.asApp('GET', path))
  const runs = async () => rows(await merchant.asApp('GET', `${path}/runs?per_page=100`))
  await expect.poll(async () => (await runs()).map(({ status }) => status)).toEqual(Array(3).fill('completed'))
  await expect.poll(async () => (await shown())['webhooks']).toMatchObject({ error: null })
  const { connector, shop: opened } = await openShop(context, await readIntegration(context.db, id))
  const hooks = async () => (await registrationOf(connector)?.register.list(opened)) ?? []
  const off = async () => (await hooks()).filter(({ active }) => !active).map(({ topic }) => topic)
  expect(await off()).toEqual([])

  const copy = async () =>
    rows(await merchant.asApp('GET', `/orders?integration_id=${id}&per_page=100`))
      .map(({ remote_id: remoteId, status, total }) => `${remoteId} ${coarseStatus(String(status))} ${Number(total)}`)
      .sort()
  const truth = () =>
    shop
      .truth()
      .map(({ remote_id: remoteId, status, total }) => `${remoteId} ${status} ${Number(total)}`)
      .sort()
  const before = await copy()
  expect(before).toEqual(truth())
  shop.change({ orders: 9, new_orders: 2 })
  await shop.delivered()
  expect(await off()).toContain('order.updated')
  expect(await copy()).toEqual(before)

  const reads = async () => (await runs()).filter(({ resource }) => resource === 'sync_orders').length
  const known = await reads()
  await server.program.http?.listen('127.0.0.1', port)
  await keepWebhooks(context, id)
  expect((await shown())['messages']).toMatchObject({ state: 'late' })
  expect(await off()).toEqual([])
  expect(rows(await merchant.asAccount('GET', `${path}/logs?event=webhooks.repaired`))).toHaveLength(1)
  await expect.poll(copy).toEqual(truth())
  expect(await reads()).toBeGreaterThan(known)
  // From now on they are told again.
  shop.change({ orders: 2, new_orders: 1 })
  await shop.delivered()
  await expect.poll(copy).toEqual(truth())
  const deliveries = async () => rows(await merchant.asApp('GET', `${path}/deliveries?per_page=100`))
  await expect.poll(async () => (await deliveries()).map(({ verified }) => verified)).toContain(true)
})
