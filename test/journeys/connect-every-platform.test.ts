import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { connectors } from '../../src/connectors/index.ts'
import { data, type Merchant, makeMerchant } from '../integrations/support.ts'
import { open, press, setOff } from '../support/browser.ts'
import { freePort } from '../support/process.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { simulatedShops } from '../support/simulated.ts'

/**
 * A merchant's browser has to find every page of the trip: also those on hosts that we ourselves never ask, such as the one where Etsy's or
 * Amazon's sellers say yes.
 */

const simulated = simulatedShops()
let server: TestServer
let publicUrl: string
let merchant: Merchant
beforeAll(async () => {
  const port = await freePort()
  publicUrl = `http://127.0.0.1:${port}`
  server = await startTestServer({ egressAllow: ['127.0.0.1'], egressRoutes: simulated.routes, publicUrl })
  await server.program.http?.listen('127.0.0.1', port)
  merchant = await makeMerchant(server)
})
afterAll(() => server.close())
afterEach(() => simulated.close())

const openedInBrowsers = [...connectors.values()].flatMap(({ type, auth }) => (auth.kind === 'oauth2' ? [type] : []))

test('most platforms are opened in the browser', () => {
  expect(openedInBrowsers.length).toBeGreaterThan(7)
})

test.each(openedInBrowsers)('a shop on %s is connected by pressing the platform’s button', async (platform) => {
  const { install } = await simulated.open({ platform, orders: 1, products: 1 })
  const { type, shop, settings, client } = install
  const service = await merchant.offer(type)
  expect((await merchant.asUser('PUT', `/apps/${merchant.appId}/services/${service}`, { client })).status).toBe(200)
  const order = { name: shop, shop, remote_id: merchant.remoteId, settings }
  const { id, authorization_url: address } = data(await merchant.asApp('POST', `/${type}/install`, order))
  const { location } = await press(await setOff(String(address)), 'allow')
  // Some know where an app waits from their portal alone, and a simulated one names another address there.
  const back = new URL(location ?? '')
  const arrived = await open(publicUrl + back.pathname + back.search)
  expect([arrived.status, arrived.text]).toEqual([200, expect.stringContaining('ACTIVE')])
  expect(data(await merchant.asApp('GET', `/integrations/${id}`))).toMatchObject({ status: 'ACTIVE' })
})
