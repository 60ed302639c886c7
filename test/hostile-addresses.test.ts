import { afterAll, beforeAll, expect, test } from 'vitest'
import { typedKeys } from '../src/commerce/connector/auth.ts'
import { connector } from '../src/commerce/connector.ts'
import { syncCatalogue } from '../src/domain/services/sync-catalogue.ts'
import { object, optional, text } from '../src/lib/validation/fields.ts'
import { data, type Merchant, makeMerchant } from './integrations/support.ts'
import { makeIntegration } from './support/gateway.ts'
import { hostileUrls } from './support/hostile/urls.ts'
import { type Loopback, listenTcp } from './support/loopback.ts'
import { startTestServer, type TestAnswer, type TestServer } from './support/server.ts'

/**
 * Every place where a caller may name an address that we go to, or send people to: with every address that leads inside.
 * What one of them lets through the way out would still refuse; here nothing may get that far.
 */

/** A platform whose shops are where they say they are. */
const outside = connector({
  type: 'outside',
  name: 'Outside',
  settings: object({}),
  auth: typedKeys({
    credentials: object({ key: optional(text()) }),
    checkAccess: async ({ remote }) => {
      await remote.request({ method: 'GET', path: '/' })
    },
  }),
  remote: {
    origin: ({ shop }) => `https://${shop}`,
    authenticate: (request) => request,
    budgets: { default: { capacity: 100_000, perSecond: 100_000 } },
  },
  proxy: { prefixes: ['/orders'], resources: {} },
})

let server: TestServer
let merchant: Merchant
let canary: Loopback
let gatewayKey: string
beforeAll(async () => {
  canary = await listenTcp((socket) => socket.destroy())
  server = await startTestServer()
  server.add(outside)
  await syncCatalogue(server.context)
  merchant = await makeMerchant(server)
  const service = data(await merchant.asUser('GET', '/api/1.0/services/outside'))
  await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: service['id'] })
  gatewayKey = (await makeIntegration(server.context, merchant, { type: 'outside' })).gatewayKey
})
afterAll(async () => {
  await server.close()
  await canary.close()
})

const install = (type: string, more: Record<string, unknown>) =>
  merchant.asApp('POST', `/${type}/install`, {
    ...{ name: 'Hostile', shop: 'shop.example.com', remote_id: merchant.remoteId, credentials: { api_key: 'k' } },
    ...more,
  })
const viaGateway = (path: string, body: object) =>
  server.call('POST', `/api/1.0${path}`, { token: merchant.userToken, body, headers: { 'x-gateway-key': gatewayKey } })

/** What of an address is a host, as somebody would type it; the whole where it has none. */
const hostIn = (url: string) => /^[a-z]+:\/*([^/?#]*)/i.exec(url)?.[1] ?? url

const entries: Readonly<Record<string, (url: string) => Promise<TestAnswer>>> = {
  'the shop of an installation': (shop) => install('outside', { shop, credentials: {} }),
  'the shop of an installation, as a host': (url) => install('outside', { shop: hostIn(url), credentials: {} }),
  'the address of a simulator': (base) => install('sandbox', { settings: { base_url: base } }),
  'the address of a simulator, without a path': (url) =>
    install('sandbox', {
      settings: { base_url: url.replace(/\/$/, '') },
      credentials: { consumer_key: 'a', consumer_secret: 'b' },
    }),
  'where people go after an installation': (url) => install('sandbox', { return_url: url, settings: {} }),
  'a webhook of version 1.0': (url) => viaGateway('/webhooks', { event: 'order.created', url }),
  'a webhook of version 2.0': (url) =>
    merchant.asUser('POST', `/apps/${merchant.appId}/webhooks`, { url, events: ['*'] }),
  'a request to the shop': (url) => viaGateway('/services-request', { endpoint: url }),
  'a request to the shop, below a path that is allowed': (url) =>
    viaGateway('/services-request', { endpoint: `/orders/../../@${hostIn(url)}/` }),
}

test.each(Object.entries(entries))('%s', async (_, send) => {
  // Nothing goes over plain http anyway, and an empty text is none: neither says anything about addresses.
  const urls = [...new Set(hostileUrls(canary.port))].filter((url) => url !== '' && !url.startsWith('http://'))
  expect(urls.length).toBeGreaterThan(300)
  const passed: string[] = []
  for (let first = 0; first < urls.length; first += 40) {
    await Promise.all(
      urls.slice(first, first + 40).map(async (url) => {
        const { status } = await send(url)
        if (status < 400 || status === 500) passed.push(`${status} ${url}`)
      }),
    )
  }
  expect(passed).toEqual([])
  expect(canary.connections()).toBe(0)
})
