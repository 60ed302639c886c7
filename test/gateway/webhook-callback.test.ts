import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oauth2 } from '../../src/commerce/connector/auth.ts'
import type { ConnectorWebhooks } from '../../src/commerce/connector/webhooks.ts'
import { connector } from '../../src/commerce/connector.ts'
import { refused } from '../../src/commerce/remote.ts'
import { savePlatformClient } from '../../src/domain/services/platform-client-store.ts'
import { object, text } from '../../src/lib/validation/fields.ts'
import { talk } from '../support/bare-server.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

const parts = (type: string) => ({
  type,
  name: type,
  settings: object({}),
  auth: oauth2({
    pkce: false,
    client: object({ client_secret: text() }),
    scopes: [],
    credentials: object({ token: text() }),
    checkAccess: async () => undefined,
    authorizeUrl: () => 'https://example.com',
    exchange: async () => ({ credentials: { token: 't' }, expiresAt: null }),
  }),
  remote: {
    origin: ({ shop }: { shop: string }) => `https://${shop}`,
    authenticate: <T>(request: T) => request,
    budgets: { default: { capacity: 1, perSecond: 1 } },
  },
})

const sign = (secret: string, raw: string | Buffer) => createHmac('sha256', secret).update(raw).digest('hex')

/** Signs for all shops with one secret, and says which one a message is of. */
const mall: ConnectorWebhooks = {
  topics: { 'order.updated': ['orders'], 'privacy.customer_redact': ['redact'] },
  registration: { kind: 'portal' },
  verify: ({ headers, raw }, { client }) =>
    typeof client['client_secret'] === 'string' && headers['x-sign'] === sign(client['client_secret'], raw),
  shopOf: ({ headers }) => headers['x-shop'] ?? null,
  identityOf: ({ headers }) => headers['x-shop-id'] ?? null,
  read: ({ headers, raw }) => ({
    deliveryId: sign('id', raw),
    topic: headers['x-topic'] === 'redact' ? 'privacy.customer_redact' : 'order.updated',
    changes: headers['x-topic'] === 'redact' ? [] : [{ kind: 'order', remoteId: '1', raw: null }],
    at: null,
    privacy: headers['x-topic'] === 'redact' ? JSON.parse(raw.toString()) : null,
  }),
}

/** Signs in the header that tokens come in. */
const fair: ConnectorWebhooks = {
  ...mall,
  verify: ({ headers, raw }, { client }) => headers['authorization'] === sign(String(client['client_secret']), raw),
}

/** Signs the time as well. */
const tower: ConnectorWebhooks = {
  ...mall,
  verify: ({ headers, raw }, { client }) =>
    headers['x-sign'] === sign(String(client['client_secret']), `${headers['x-at']} ${raw}`),
  sentAt: ({ headers }) => Number(headers['x-at']),
}

/** Signs with keys of its own, and names no shop. */
let fetched: string[] = []
const bazaar: ConnectorWebhooks = {
  ...mall,
  verify: ({ headers, raw }, { publicKey }) =>
    typeof publicKey === 'string' && headers['x-sign'] === sign(publicKey, raw),
  publicKey: {
    idOf: ({ headers }) => headers['x-key'] ?? null,
    async ask(_remote, id) {
      fetched.push(id)
      if (!id.startsWith('known')) throw refused('There is no such key.')
      return `key ${id}`
    },
  },
  shopOf: () => null,
  handshake: ({ query }, { client }) =>
    query['challenge'] ? { status: 200, contentType: 'text/plain', body: `${client['client_secret']}` } : null,
}

let server: TestServer
let tenant: TestTenant
beforeAll(async () => {
  server = await startTestServer()
  server.add(connector({ ...parts('mall'), webhooks: mall }), connector({ ...parts('bazaar'), webhooks: bazaar }))
  server.add(connector({ ...parts('fair'), webhooks: fair }), connector({ ...parts('tower'), webhooks: tower }))
  tenant = await makeTenant(server.context)
  for (const type of ['mall', 'bazaar', 'fair', 'tower']) {
    const { integration } = await makeIntegration(server.context, tenant, { type })
    const place = { serviceId: integration.service_id, appId: null }
    await savePlatformClient(server.context.db, server.context.keys, place, { client_secret: 'shh' })
  }
})
afterAll(() => server.close())

const post = (path: string, body: string, headers: Record<string, string>) =>
  server.call('POST', `/api/1.0/webhook_callback/${path}`, {
    body,
    headers: { 'content-type': 'text/plain', ...headers },
  })

const storedFor = async (id: number) =>
  (
    await server.context.db
      .selectFrom('shop_messages')
      .select(['topic', 'kind', 'remote_id'])
      .where('integration_id', '=', id)
      .execute()
  ).length

describe('a platform that signs for all shops with one secret', () => {
  test('is believed about the shop that it names, at the address of that shop', async () => {
    const { integration } = await makeIntegration(server.context, { appId: tenant.appId }, { type: 'mall' })
    const headers = { 'x-sign': sign('shh', 'one'), 'x-shop': integration.shop }
    const path = `mall/0/${integration.shop}`
    expect((await post(path, 'one', headers)).status).toBe(200)
    expect((await post(path, 'one', { ...headers, 'x-shop': 'another.example.com' })).status).toBe(401)
    expect((await post(path, 'two', headers)).status).toBe(401)
    expect((await post(path, 'one', { ...headers, 'x-sign': 'short' })).status).toBe(401)
    expect(await storedFor(integration.id)).toBe(1)
  })

  test('reaches a shop of whatever account at the address of all shops', async () => {
    const shop = 'everybody.example.com'
    const owner = { appId: tenant.appId, accountId: tenant.accountId }
    const { integration } = await makeIntegration(server.context, owner, { type: 'mall', shop })
    const headers = { 'x-sign': sign('shh', 'all'), 'x-shop': shop }
    expect((await post('mall/0/-', 'all', headers)).json).toEqual({ data: { received: true, duplicate: false } })
    expect((await post('mall/0/-', 'all', headers)).json).toEqual({ data: { received: true, duplicate: true } })
    expect((await post('mall/0/-', 'all', { ...headers, 'x-shop': 'nobody.example.com' })).status).toBe(401)
    expect(await storedFor(integration.id)).toBe(1)
  })
})

test('a platform that signs in the header of tokens is heard, and a token there is still a token', async () => {
  const { integration } = await makeIntegration(server.context, { appId: tenant.appId }, { type: 'fair' })
  const path = `fair/0/${integration.shop}`
  const statusOf = async (authorization: string) =>
    (await post(path, 'one', { authorization, 'x-shop': integration.shop })).status
  expect(await statusOf(sign('shh', 'one'))).toBe(200)
  expect(await statusOf(sign('other', 'one'))).toBe(401)
  expect(await statusOf(`Bearer ${sign('shh', 'one')}`)).toBe(401)
  // Whoever shows one needs the key of the integration as well.
  expect(await statusOf(`Bearer ${tenant.userToken}`)).toBe(403)
  expect(await storedFor(integration.id)).toBe(1)
})

test('a message whose signed time is minutes away from the clock is not believed, however genuine', async () => {
  const { integration } = await makeIntegration(server.context, { appId: tenant.appId }, { type: 'tower' })
  const sentAt = async (seconds: number) => {
    const at = String(Math.floor(Date.now() / 1000) + seconds)
    const body = `sent ${seconds}`
    const headers = { 'x-sign': sign('shh', `${at} ${body}`), 'x-at': at, 'x-shop': integration.shop }
    return (await post(`tower/0/${integration.shop}`, body, headers)).status
  }
  const statuses = [await sentAt(0), await sentAt(-240), await sentAt(240), await sentAt(-360), await sentAt(360)]
  expect(statuses).toEqual([200, 200, 200, 401, 401])
  expect(await storedFor(integration.id)).toBe(3)
})

describe('a platform that tells its own id of the shop', () => {
  const known = async (name: string, identity: string | null) => {
    const owner = { appId: tenant.appId, accountId: tenant.accountId }
    const { integration } = await makeIntegration(server.context, owner, { type: 'mall', shop: name })
    await server.context.db.updateTable('integrations').set({ identity }).where('id', '=', integration.id).execute()
    return integration
  }
  const send = (body: string, id: string, shop: string) =>
    post('mall/0/-', body, { 'x-sign': sign('shh', body), 'x-shop': shop, 'x-shop-id': id })

  test('reaches the shop whatever it is called now, and nobody who has taken its name', async () => {
    const [renamed, namesake] = [await known('before.example.com', '7'), await known('after.example.com', '8')]
    expect((await send('renamed', '7', 'after.example.com')).status).toBe(200)
    expect([await storedFor(renamed.id), await storedFor(namesake.id)]).toEqual([1, 0])
    const old = await known('old.example.com', null)
    expect((await send('by name', '9', 'old.example.com')).status).toBe(200)
    expect(await storedFor(old.id)).toBe(1)
    expect((await send('of nobody', '10', 'nobody.example.com')).status).toBe(401)
  })

  test('is not believed at the address of another shop', async () => {
    const { shop, id } = await known('mine.example.com', '11')
    const to = (body: string, identity: string) =>
      post(`mall/${tenant.accountId}/${shop}`, body, {
        ...{ 'x-sign': sign('shh', body), 'x-shop': shop, 'x-shop-id': identity },
      })
    expect((await to('foreign', '12')).status).toBe(401)
    expect((await to('own', '11')).status).toBe(200)
    expect(await storedFor(id)).toBe(1)
  })
})

describe('a platform that signs with its own key and names no shop', () => {
  const redact = (remoteId: string) =>
    JSON.stringify({ customer: { remoteId, email: null, phone: null }, orderRemoteIds: [] })
  const signed = (body: string, key: string) => ({
    'x-key': key,
    'x-sign': sign(`key ${key}`, body),
    'x-topic': 'redact',
  })

  test('asks us to forget somebody wherever we know them', async () => {
    const { integration } = await makeIntegration(server.context, tenant, { type: 'bazaar' })
    const order = { remote_id: '1', status: 'PENDING', currency: 'EUR', total: '1', customer: { remote_id: 'ada' } }
    await server.context.db
      .insertInto('orders')
      .values({ ...order, integration_id: integration.id, customer: JSON.stringify(order.customer) })
      .execute()
    for (const who of ['ada', 'bob']) {
      expect((await post('bazaar/0/-', redact(who), signed(redact(who), 'known'))).status).toBe(200)
    }
    expect((await post('bazaar/0/-', redact('ada '), signed(redact('ada'), 'known'))).status).toBe(401)
    expect(await storedFor(integration.id)).toBe(1)
  })

  test('is asked for each key once, and for few that it does not know', async () => {
    fetched = []
    for (const _ of [1, 2, 3]) await post('bazaar/0/-', redact('x'), signed(redact('x'), 'known-too'))
    expect(fetched).toEqual(['known-too'])
    expect((await post('bazaar/0/-', redact('x'), signed(redact('x'), 'unknown'))).status).toBe(401)
    const statuses = new Set<number>()
    for (let n = 0; n < 30; n++) {
      statuses.add((await post('bazaar/0/-', redact('x'), signed(redact('x'), `unknown-${n}`))).status)
    }
    expect(statuses).toEqual(new Set([401, 503]))
    expect(fetched.length).toBeLessThanOrEqual(10)
    // What is known already is still believed.
    expect((await post('bazaar/0/-', redact('x'), signed(redact('x'), 'known-too'))).status).toBe(200)
  })

  test('hears from us before it sends anything', async () => {
    const answer = await server.call('GET', '/api/1.0/webhook_callback/bazaar/0/-?challenge=1')
    expect([answer.status, answer.text]).toEqual([200, 'shh'])
  })
})

describe('before anything of a body has come', () => {
  const answerTo = async (path: string, address: string) => {
    const { port } = new URL(address)
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 1048575\r\n\r\n`
    return (await talk(Number(port), head)).split('\r\n')[0]
  }

  test('a message is refused that names no channel, no account or no shop of ours', async () => {
    const address = await server.listen()
    const to = (path: string) => answerTo(`/api/1.0/webhook_callback/${path}`, address)
    expect(await to('nobody/0/shop.example.com')).toBe('HTTP/1.1 404 Not Found')
    expect(await to('mall/x/shop.example.com')).toBe('HTTP/1.1 401 Unauthorized')
    expect(await to('mall/0/nobody.example.com')).toBe('HTTP/1.1 401 Unauthorized')
    expect(await answerTo('/catch/nobody', address)).toBe('HTTP/1.1 404 Not Found')
  })
})

describe('an address that is refused too often', () => {
  let strict: TestServer
  let appId: number
  beforeAll(async () => {
    strict = await startTestServer({ refusedLimit: 5 })
    strict.add(connector({ ...parts('mall'), webhooks: mall }))
    ;({ appId } = await makeTenant(strict.context))
  })
  afterAll(() => strict.close())

  const shopOf = async () => {
    const { integration } = await makeIntegration(strict.context, { appId }, { type: 'mall' })
    const place = { serviceId: integration.service_id, appId: null }
    await savePlatformClient(strict.context.db, strict.context.keys, place, { client_secret: 'shh' })
    return integration.shop
  }
  const send = (shop: string, body: string, headers: Record<string, string> = {}) =>
    strict.call('POST', `/api/1.0/webhook_callback/mall/0/${shop}`, {
      body,
      headers: { 'content-type': 'text/plain', 'x-sign': sign('shh', body), 'x-shop': shop, ...headers },
    })

  test('has to wait; its genuine messages are taken before, meanwhile and of shops not seen before', async () => {
    const shop = await shopOf()
    for (let n = 0; n < 10; n++) expect((await send(shop, `early ${n}`)).status).toBe(200)
    const answers = [await send(shop, 'handed', { authorization: 'Bearer guessed' })]
    for (let n = 0; n < 6; n++) answers.push(await send(`stranger-${n}.example.com`, 'garbage', { 'x-sign': 'none' }))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(50)
    expect((await send(shop, 'known')).status).toBe(200)
    expect((await send(await shopOf(), 'new')).status).toBe(200)
    expect((await send(shop, 'garbage', { 'x-sign': 'none' })).status).toBe(429)
  })
})
