import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readIntegration } from '../../src/domain/integrations/integration-store.ts'
import { openShop } from '../../src/domain/shop/open-remote.ts'
import { data, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { installOn, simulatedShops } from '../support/simulated.ts'

/** PrestaShop leaves the date of an order alone when a tracking number is put on its parcel: no list of changes shows that. */

const simulated = simulatedShops()
let server: TestServer
let merchant: Merchant
beforeAll(async () => {
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'], egressRoutes: simulated.routes })
  merchant = await makeMerchant(server)
})
afterAll(async () => {
  await simulated.close()
  await server.close()
})

test('a tracking number that somebody corrects in the shop is found by a comparison, and our own is here at once', async () => {
  const shop = await simulated.open({ platform: 'prestashop', orders: 40, products: 4 })
  const id = Number(data(await installOn(merchant, shop))['id'])
  const runs = async () => rows(await merchant.asApp('GET', `/integrations/${id}/runs`)).map(({ status }) => status)
  await expect.poll(runs).toEqual(Array(3).fill('completed'))
  const run = async (resource: string) => {
    const { id: runId } = data(await merchant.asApp('POST', `/integrations/${id}/action`, { resource }))
    const read = async () => data(await merchant.asApp('GET', `/integrations/${id}/runs/${runId}`))
    await expect.poll(async () => (await read())['finished_at']).not.toBeNull()
    return (await read())['result']
  }
  const shipments = async () => rows(await merchant.asApp('GET', `/shipments?integration_id=${id}&per_page=100`))
  const numberOf = async (order: unknown) =>
    (await shipments()).find(({ order_id }) => order_id === order)?.['tracking_number']
  const [theirs = {}, ours = {}] = (await shipments()).filter(({ tracking_number: number }) => number)
  const orders = rows(await merchant.asApp('GET', `/orders?integration_id=${id}&per_page=100`))
  const corrected = ({ order_id, carrier, tracking_number }: Record<string, unknown>, number: string) => ({
    order_remote_id: String(orders.find((order) => order['id'] === order_id)?.['remote_id']),
    ...{ previous_tracking_number: String(tracking_number), tracking_number: number, carrier: String(carrier) },
  })
  const wanted = corrected(theirs, 'CORRECTED-44')
  // Whoever asks the shop directly is somebody else to us.
  const { connector, shop: opened } = await openShop(server.context, await readIntegration(server.context.db, id))
  const inShop = async () =>
    connector.orders?.translate(await connector.orders.get(opened, wanted.order_remote_id), opened)
  const before = await inShop()
  await connector.shipments?.amend?.send(opened, wanted, { id: 'somebody else' })
  const after = await inShop()
  expect([after?.remote_version, after?.shipments[0]?.tracking_number]).toEqual([
    before?.remote_version,
    'CORRECTED-44',
  ])
  await run('sync_orders')
  expect(await numberOf(theirs['order_id'])).toBe(theirs['tracking_number'])
  // Orders of the last weeks are read again; those of the imitation are older.
  await sql`update orders set placed_at = now() - interval '3 days' where id = ${theirs['order_id']}`.execute(
    server.context.db,
  )
  expect(await run('reconcile')).toMatchObject({ rechecked: 1 })
  expect(await numberOf(theirs['order_id'])).toBe('CORRECTED-44')
  const amended = { resource: 'amend_shipment', ...corrected(ours, 'OURS-25') }
  expect((await merchant.asApp('POST', `/integrations/${id}/action`, amended)).status).toBe(200)
  expect(await numberOf(ours['order_id'])).toBe('OURS-25')
})
