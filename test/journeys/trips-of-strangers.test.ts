import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Simulator } from '../../src/simulator/start.ts'
import { data, type Merchant, makeMerchant } from '../integrations/support.ts'
import { type Browser, newBrowser, type Page } from '../support/browser.ts'
import { freePort } from '../support/process.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { simulatedShops } from '../support/simulated.ts'

/** Somebody sets out for a shop that is not theirs, and has its merchant allow it. */

const types = ['shopify', 'bigcommerce', 'amazon', 'ebay', 'etsy', 'squarespace', 'tiktok_shop', 'wix', 'woocommerce']

let server: TestServer
let publicUrl: string
let stranger: Merchant
const simulated = simulatedShops()
beforeAll(async () => {
  const port = await freePort()
  publicUrl = `http://127.0.0.1:${port}`
  server = await startTestServer({ egressAllow: ['127.0.0.1'], egressRoutes: simulated.routes, publicUrl })
  await server.program.http?.listen('127.0.0.1', port)
  stranger = await makeMerchant(server)
})
afterAll(() => server.close())
afterEach(() => simulated.close())

async function openShop(type: string): Promise<Simulator> {
  const shop = await simulated.open({ platform: type, orders: 2, products: 1, seed: `stranger ${type}` })
  // Their pages for people stand on other hosts than those that software asks.
  for (const host of ['*.amazon.com', 'www.etsy.com', 'services.tiktokshop.com'])
    simulated.routes.set(host, shop.baseUrl)
  const { client } = shop.install
  const path = `/apps/${stranger.appId}/services/${await stranger.offer(type)}`
  if (Object.keys(client).length > 0) expect((await stranger.asUser('PUT', path, { client })).status).toBe(200)
  return shop
}

/** An account, or its software. */
type SetOut = (type: string, shop: Simulator) => Promise<{ id: number; address: string }>
const byAccount: SetOut = async (type, { install: { shop, settings } }) => {
  const body = { name: 'Not mine', shop, settings }
  const { id, authorization_url: address } = data(await stranger.asAccount('POST', `/service/${type}/install`, body))
  return { id: Number(id), address: String(address) }
}
const byVersion1: SetOut = async (type, { install: { shop, settings } }) => {
  const body = { name: 'Not mine', shop, settings, app_id: stranger.appId }
  const { id, gateway_key: key } = data(await stranger.asUser('POST', `/api/1.0/${type}/install`, body))
  const sent = await server.call('GET', `/api/1.0/app_authorization/${type}`, {
    token: stranger.userToken,
    headers: { 'x-gateway-key': String(key) },
  })
  return { id: Number(id), address: String(sent.headers['location']) }
}

/** The genuine page of the platform, for which the stranger has done whatever has to be done before. */
async function genuinePage(browser: Browser, address: string): Promise<string> {
  if (!address.startsWith(publicUrl)) return address
  return (await browser.press(await browser.open(address), 'continue')).location ?? ''
}

/** Where a browser that has decided is sent: to our callback, which eBay knows by a name of its own. */
const wayBack = ({ location }: Page, type: string): string =>
  `${publicUrl}/api/1.0/app_callback/${type}${new URL(location ?? '').search}`

const statusOf = async (id: number) => data(await stranger.asApp('GET', `/integrations/${id}`))['status']

const attempts = types.flatMap((type) => [
  { type, name: 'by an account', setOut: byAccount },
  { type, name: 'in version 1.0', setOut: byVersion1 },
])

test.each(attempts)('$type, begun $name, is not connected to a stranger by its own merchant', async (attempt) => {
  const { type, setOut } = attempt
  const shop = await openShop(type)
  const { id, address } = await setOut(type, shop)
  const [strangers, victims] = [newBrowser(), newBrowser({ accept: 'text/html' })]
  const sent = await genuinePage(strangers, address)
  const back = wayBack(await victims.press(await victims.open(sent), 'allow'), type)
  const arrived = await victims.open(back)
  expect([arrived.status, arrived.text.includes('belongs to another browser')]).toEqual([401, true])
  // Whatever the victim's browser knew does not help the stranger's either.
  expect((await strangers.open(back)).status).toBe(401)
  expect(await statusOf(id)).toBe('PENDING')
})

test.each(types)('%s is connected where the page was read and gone on from', async (type) => {
  const shop = await openShop(type)
  const { id, address } = await byAccount(type, shop)
  const own = newBrowser({ accept: 'text/html' })
  const told = await own.open(address)
  for (const name of [shop.install.shop, stranger.remoteId]) expect(told.text).toContain(name)
  expect(await statusOf(id)).toBe('PENDING')
  const arrived = await own.open(wayBack(await own.press(await own.setOff(address), 'allow'), type))
  expect([arrived.status, arrived.text.includes(`is connected to ${stranger.remoteId} in `)]).toEqual([200, true])
  expect(await statusOf(id)).toBe('ACTIVE')
})
