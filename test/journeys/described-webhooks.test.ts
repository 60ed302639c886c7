import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Definition } from '../../src/commerce/definition/definition.ts'
import { data, errors, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { type OwnShop, ownService, startOwnShop } from '../support/own-shop.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

/** Shops of described services send messages: signed, taken once, and followed by asking the shop. */

let server: TestServer
let merchant: Merchant
let shop: OwnShop
beforeAll(async () => {
  server = await startTestServer({ works: true, egressAllow: ['127.0.0.1'] })
  merchant = await makeMerchant(server)
  shop = await startOwnShop()
})
afterAll(async () => {
  await server.close()
  await shop.close()
})

const webhooks: NonNullable<Definition['webhooks']> = {
  signature: { header: 'X-Shop-Signature', prefix: 'sha256=' },
  topic: { header: 'X-Shop-Topic' },
  topics: [
    { theirs: 'order-changed', ours: 'order.updated' },
    { theirs: 'order-new', ours: 'order.created' },
  ],
  id: 'order.id',
  delivery: { header: 'X-Shop-Delivery' },
}

let types = 0
async function connect(rules: Definition['webhooks'], by: Merchant = merchant, type = `sends-${++types}`) {
  const definition = ownService({ kind: 'none' }, rules ? { webhooks: rules } : {})
  const service = data(await by.asUser('POST', '/api/1.0/services', { type, name: 'Sends', definition }))
  await by.asUser('POST', `/apps/${by.appId}/services`, { service_id: service['id'] })
  const { id } = data(
    await by.asApp('POST', `/${type}/install`, {
      ...{ name: type, shop: 'sends.example', remote_id: by.remoteId, settings: { base_url: shop.url } },
    }),
  )
  const synced = async () => rows(await by.asApp('GET', `/integrations/${id}/runs`)).map(({ status }) => status)
  await expect.poll(async () => new Set(await synced())).toEqual(new Set(['completed']))
  const entered = (body: object = {}) => by.asApp('PUT', `/integrations/${id}/message-address`, body)
  return { type, service, id: Number(id), entered }
}

const signed = (secret: string, body: string, algorithm = 'sha256', encoding: 'hex' | 'base64' = 'hex') =>
  createHmac(algorithm, secret).update(body).digest(encoding)

const pathIn = (address: unknown) => String(address).replace(/^https?:\/\/[^/]+/, '')
const post = (path: string, body: string, headers: Record<string, string>) =>
  server.call('POST', path, { body, headers: { 'content-type': 'application/json', ...headers } })

const statusOf = async (id: number, remoteId: string) =>
  rows(await merchant.asApp('GET', `/orders?integration_id=${id}&remote_id=${remoteId}`))[0]?.['remote_status']

const kept = async (id: number) =>
  (
    await sql<{ topic: string; remote_id: string; outcome: string | null }>`
      select topic, remote_id, outcome from shop_messages where integration_id = ${id} order by id`.execute(
      server.context.db,
    )
  ).rows

const cancelThere = (id: string) => {
  for (const order of shop.orders) {
    if (order.id === id) Object.assign(order, { state: 'void', changed: new Date().toISOString() })
  }
}

beforeEach(() => {
  for (const order of shop.orders) order.state = 'ready'
})

test('the address and the secret are told to whoever enters them, and stay', async () => {
  const { type, service, id, entered } = await connect(webhooks)
  expect(service['capabilities']).toMatchObject({ webhooks: ['order.created', 'order.updated'] })
  const first = data(await entered())
  expect(first).toMatchObject({
    address: expect.stringMatching(
      new RegExp(`/api/1\\.0/webhook_callback/${type}/${merchant.accountId}/sends\\.example$`),
    ),
    secret: expect.stringMatching(/^.{20,}$/),
    secret_from: 'ours',
    ready: true,
    topics: expect.arrayContaining([{ ours: 'order.updated', theirs: ['order-changed'] }]),
  })
  expect(data(await entered())).toEqual(first)
  expect(errors(await entered({ secret: 'of-their-own' }))).toHaveProperty('secret')
  const asAccount = await merchant.asAccount('PUT', `/integrations/${id}/message-address`, {})
  expect(data(asAccount)).toEqual(first)
  const stranger = await makeMerchant(server)
  const theirs = await stranger.asApp('PUT', `/integrations/${id}/message-address`, {})
  expect([403, 404]).toContain(theirs.status)
  const { rows: stored } = await sql<{ plain: boolean }>`
    select position(convert_to(${String(first['secret'])}, 'UTF8') in sealed) > 0 as plain
    from shop_webhooks where integration_id = ${id}`.execute(server.context.db)
  expect(stored).toEqual([{ plain: false }])
})

test('a signed message is taken once and followed; what is unsigned, forged or for another shop is not there', async () => {
  const { type, id, entered } = await connect(webhooks)
  const { address, secret } = data(await entered())
  const path = pathIn(address)
  cancelThere('101')
  const body = JSON.stringify({ order: { id: 101 } })
  const headers = (delivery: string, more: Record<string, string> = {}) => ({
    'x-shop-topic': 'order-changed',
    'x-shop-delivery': delivery,
    'x-shop-signature': `sha256=${signed(String(secret), body)}`,
    ...more,
  })
  const { 'x-shop-signature': _, ...unsigned } = headers('d-0')
  for (const [where, sent, sentHeaders] of [
    [path, body, unsigned],
    [path, body, headers('d-0', { 'x-shop-signature': `sha256=${signed('guessed', body)}` })],
    [path, body, headers('d-0', { 'x-shop-signature': signed(String(secret), body) })],
    [path, `${body} `, headers('d-0')],
    [path.replace('sends.example', 'other.example'), body, headers('d-0')],
    [path.replace(type, 'no-such-service'), body, headers('d-0')],
    [path.replace(`/${merchant.accountId}/`, '/0/'), body, headers('d-0')],
  ] as const) {
    expect([where, (await post(where, sent, sentHeaders)).status]).toEqual([where, 404])
  }
  expect(await kept(id)).toEqual([])

  expect((await post(path, body, headers('d-1'))).json).toEqual({ data: { received: true, duplicate: false } })
  expect((await post(path, body, headers('d-1'))).json).toEqual({ data: { received: true, duplicate: true } })
  await expect.poll(() => statusOf(id, '101')).toBe('void')
  await expect.poll(() => kept(id)).toEqual([{ topic: 'order.updated', remote_id: '101', outcome: 'stored' }])
  // Of a topic that nobody described, nothing follows.
  expect((await post(path, body, headers('d-2', { 'x-shop-topic': 'weather' }))).status).toBe(200)
  await expect.poll(async () => (await kept(id)).at(-1)?.outcome).toBe('ignored')
})

test('a secret that is replaced counts once more beside the new one, then no longer', async () => {
  const { id, entered } = await connect(webhooks)
  const { address, secret: old } = data(await entered())
  const { secret: fresh } = data(await entered({ renew: true }))
  expect(fresh).not.toBe(old)
  const { secret: freshest } = data(await entered({ renew: true }))
  const body = JSON.stringify({ order: { id: 102 } })
  const send = (secret: unknown, delivery: string) =>
    post(pathIn(address), body, {
      ...{ 'x-shop-topic': 'order-changed', 'x-shop-delivery': delivery },
      'x-shop-signature': `sha256=${signed(String(secret), body)}`,
    })
  await expect.poll(async () => (await send(freshest, 'd-1')).status).toBe(200)
  expect((await send(fresh, 'd-2')).status).toBe(200)
  expect((await send(old, 'd-3')).status).toBe(404)
  await expect.poll(async () => (await kept(id)).map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged'])
})

describe('what a description can say of signatures', () => {
  test('over fields joined, in SHA-1 and base64, with the secret of the shop, fresh, and topics in the body', async () => {
    const { id, entered } = await connect({
      signature: {
        ...{ header: 'X-Sign', algorithm: 'sha1', encoding: 'base64', separator: '|', secret: 'theirs' },
        over: [
          { from: 'field', at: 'id' },
          { from: 'header', name: 'X-Time' },
          { from: 'text', value: 'v1' },
        ],
      },
      ...{ topic: { at: 'event' }, topics: [{ theirs: '*', ours: 'order.updated' }], id: 'id' },
      sent: { header: 'X-Time' },
    })
    const before = data(await entered())
    expect(before).toMatchObject({ secret: null, secret_from: 'theirs', ready: false })
    let sent = 0
    const send = (time: number, secret = 'made-by-the-shop') =>
      post(pathIn(before['address']), JSON.stringify({ event: 'any', id: 103, more: ++sent }), {
        ...{ 'x-time': String(time), 'x-sign': signed(secret, `103|${time}|v1`, 'sha1', 'base64') },
      })
    const now = Math.floor(Date.now() / 1000)
    expect((await send(now)).status).toBe(404)
    expect(data(await entered({ secret: 'made-by-the-shop' }))).toMatchObject({ secret: null, ready: true })
    cancelThere('103')
    await expect.poll(async () => (await send(now)).status).toBe(200)
    await expect.poll(() => statusOf(id, '103')).toBe('void')
    expect((await send(now - 3600)).status).toBe(404)
    expect((await send(now, 'another-secret')).status).toBe(404)
    // Messages without a name of their own are never taken for one another.
    expect((await send(now)).json).toEqual({ data: { received: true, duplicate: false } })
  })

  test('over the body in SHA-512, about several records, which it brings along', async () => {
    const { id, entered } = await connect({
      signature: { header: 'X-Sign', algorithm: 'sha512' },
      ...{ topics: [{ theirs: '*', ours: 'order.updated' }], items: 'orders', id: 'id', record: 'whole' },
    })
    const { address, secret } = data(await entered())
    const asked = shop.asked.length
    const changed = shop.orders
      .slice(0, 2)
      .map((order) => ({ ...order, state: 'void', changed: new Date().toISOString() }))
    const body = JSON.stringify({ orders: changed.map((whole) => ({ id: whole.id, whole })) })
    expect((await post(pathIn(address), body, { 'x-sign': signed(String(secret), body, 'sha512') })).status).toBe(200)
    await expect.poll(() => Promise.all(['101', '102'].map((one) => statusOf(id, one)))).toEqual(['void', 'void'])
    expect(shop.asked.length).toBe(asked)
  })
})

test('two tenants with the same type and shop hear of their own messages only', async () => {
  const other = await makeMerchant(server)
  const [mine, theirs] = [await connect(webhooks, merchant, 'same-type'), await connect(webhooks, other, 'same-type')]
  const { address, secret } = data(await mine.entered())
  const foreign = data(await theirs.entered())
  const body = JSON.stringify({ order: { id: 104 } })
  const headers = (key: unknown) => ({
    ...{ 'x-shop-topic': 'order-changed', 'x-shop-delivery': 'd-1' },
    'x-shop-signature': `sha256=${signed(String(key), body)}`,
  })
  expect((await post(pathIn(foreign['address']), body, headers(secret))).status).toBe(404)
  expect((await post(pathIn(address), body, headers(secret))).status).toBe(200)
  await expect.poll(async () => (await kept(mine.id)).length).toBe(1)
  expect(await kept(theirs.id)).toEqual([])
})

test('where no messages are described there is no address to enter', async () => {
  const { entered } = await connect(undefined)
  expect(errors(await entered())).toHaveProperty('integration')
})
