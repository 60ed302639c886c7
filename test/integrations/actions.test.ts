import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderChoices, orderStatuses, remoteOrderSchema } from '../../src/commerce/order.ts'
import { sandbox } from '../../src/connectors/sandbox/index.ts'
import { saveCredentials } from '../../src/domain/integrations/credentials-store.ts'
import { readIntegration } from '../../src/domain/integrations/integration-store.ts'
import { syncCatalogue } from '../../src/domain/services/sync-catalogue.ts'
import { choice } from '../../src/lib/validation/fields.ts'
import { never, translate } from '../support/bare-connector.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { data, errors, freshShop, installed, type Merchant, makeMerchant, meta, rows } from './support.ts'

/** An order from the shop, with the status that stored ones have. */
const shownOrderSchema = Type.Object({ ...remoteOrderSchema.properties, status: choice(orderStatuses) })

let server: TestServer
let merchant: Merchant
let path: string
beforeAll(async () => {
  server = await startTestServer({ works: true })
  merchant = await makeMerchant(server)
  path = `/integrations/${(await installed(merchant, { orders: 12 }))['id']}`
})
afterAll(() => server.close())

const act = (resource: string, fields: object = {}) => merchant.asApp('POST', `${path}/action`, { resource, ...fields })

/** Keys that the shop no longer takes, in the place of those it was installed with. */
async function spoilKeys(id: unknown): Promise<void> {
  const { db, keys } = server.context
  const spoiled = { credentials: { api_key: 'bad' }, expiresAt: null }
  await saveCredentials(db, keys, await readIntegration(db, Number(id)), spoiled)
}

describe('POST /api/2.0/app/integrations/{integrationId}/action', () => {
  test('orders come page by page, in our own words', async () => {
    const seen: unknown[] = []
    let cursor: unknown = null
    do {
      const answer = await act('get_orders', { limit: 5, cursor })
      expect(answer.status).toBe(200)
      for (const order of rows(answer)) expect(Value.Check(shownOrderSchema, order)).toBe(true)
      seen.push(...rows(answer).map((order) => order['remote_id']))
      expect(meta(answer)['set_aside']).toEqual([])
      cursor = meta(answer)['next_cursor']
    } while (cursor !== null)
    expect(new Set(seen).size).toBe(12)
  })

  test('orders are filtered by the shop’s words or ours', async () => {
    const statuses = async (order_status: string[]) =>
      new Set(rows(await act('get_orders', { order_status, limit: 250 })).map(({ status }) => status))
    for (const words of [['PENDING'], ['pending'], ['open'], ['AWAITING_SHIPMENT']]) {
      expect(await statuses(words)).toEqual(new Set(['PENDING']))
    }
    const all = await statuses([])
    expect(all.size).toBeGreaterThan(2)
    for (const word of all) expect(await statuses([String(word).toLowerCase()])).toEqual(new Set([word]))
  })

  test('the words for orders are the same in the shop’s list and in the stored one', async () => {
    const read = () => merchant.asApp('GET', `/orders?integration_id=${path.split('/')[2]}&per_page=100`)
    await expect.poll(async () => rows(await read()).length).toBe(12)
    const stored = rows(await read())
    const live = rows(await act('get_orders', { limit: 250 }))
    const words = (list: typeof live) =>
      Object.fromEntries(list.map(({ remote_id: id, status }) => [String(id), status]))
    expect(words(live)).toMatchObject(words(stored))
  })

  test('stored orders are found by the shop’s own word as well', async () => {
    const found = async (query: string) =>
      rows(await merchant.asApp('GET', `/orders?integration_id=${path.split('/')[2]}&per_page=100${query}`))
    await expect.poll(async () => (await found('&acknowledged=all')).length).toBeGreaterThanOrEqual(12)
    const all = await found('&acknowledged=all')
    const words = new Set(all.map(({ remote_status: word }) => String(word)))
    expect(words.size).toBeGreaterThan(2)
    for (const word of words) {
      const ids = all.filter(({ remote_status: one }) => one === word).map(({ id }) => id)
      const asked = await found(`&remote_status=${encodeURIComponent(word.toUpperCase())}`)
      expect(asked.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    }
    expect(await found('&remote_status=no-such-word')).toEqual([])
  })

  test('a word that neither the shop nor we have is refused with those that there are', async () => {
    const answer = await act('get_orders', { order_status: ['PENDING', 'no such word'] })
    expect([answer.status, Object.keys(errors(answer))]).toEqual([422, ['order_status.1']])
    expect(JSON.stringify(errors(answer))).toMatch(/Allowed: UNPAID, .*CANCELLED, awaiting_payment, .*cancelled\./)
    expect(data(await act('get_order_statuses'))).toContainEqual({
      word: 'awaiting_payment',
      name: 'awaiting_payment',
      means: 'pending',
    })
  })

  test('an order is made, read, acknowledged, sent, and then cannot be cancelled', async () => {
    const draft = {
      reference: 'our-1',
      currency: 'EUR',
      lines: [{ sku: 'SKU-00002-1', quantity: 2, unit_price: '3.50' }],
    }
    const made = data(await act('create_order', draft))
    expect(made).toMatchObject({ status: 'PENDING', total: { amount: '7.00', currency: 'EUR' } })
    expect(data(await act('create_order', draft))['remote_id']).toBe(made['remote_id'])
    const remote_id = made['remote_id']
    expect(data(await act('get_order', { remote_id }))).toMatchObject({ external_reference: 'our-1' })
    expect(data(await act('acknowledge_orders', { remote_ids: [remote_id, 'none'] }))).toEqual([
      { remote_id, ok: true, error: null },
      { remote_id: 'none', ok: false, error: 'The shop has no such order.' },
    ])
    const parcel = { order_remote_id: remote_id, tracking_number: 'T1', carrier: 'Post' }
    expect(data(await act('create_shipment', parcel))).toMatchObject({ tracking_number: 'T1', status: 'shipped' })
    const refused = await act('cancel_order', { remote_id })
    expect([refused.status, errors(refused)]).toEqual([
      422,
      { remote_id: ['The order has already been shipped. Set force to do it anyway.'] },
    ])
  })

  test('shipping, tax and payment of an order are as they were said, or refused where the service cannot', async () => {
    const lines = [{ sku: 'SKU-00002-1', quantity: 2, unit_price: '3.50' }]
    const wanted = { shipping_method: 'By boat', shipping_total: '4.90', tax_total: '1.33', prices_include_tax: false }
    const draft = { currency: 'EUR', lines, ...wanted, paid: false }
    const made = data(await act('create_order', draft))
    expect(made).toMatchObject({ status: 'UNPAID', shipping_method: 'By boat', prices_include_tax: false })
    expect(made).toMatchObject({
      shipping_total: { amount: '4.90' },
      tax_total: { amount: '1.33' },
      total: { amount: '13.23' },
    })
    const { takes: _, ...orders } = sandbox.orders ?? { list: never, get: never, statuses: never, translate }
    server.add({ ...sandbox, type: 'plain-orders', name: 'Plain', orders })
    await syncCatalogue(server.context)
    await merchant.offer('plain-orders')
    const shop = { name: 'x', shop: freshShop(), remote_id: merchant.remoteId, credentials: { api_key: 'good' } }
    const { id } = data(await merchant.asApp('POST', '/plain-orders/install', shop))
    const refused = await merchant.asApp('POST', `/integrations/${id}/action`, { resource: 'create_order', ...draft })
    expect([refused.status, Object.keys(errors(refused))]).toEqual([422, [...orderChoices]])
  })

  test('an order is cancelled once and for all', async () => {
    const draft = { currency: 'EUR', lines: [{ sku: 'SKU-00002-1', quantity: 1 }] }
    const { remote_id } = data(await act('create_order', draft))
    expect(data(await act('cancel_order', { remote_id, reason: 'mistake' }))).toMatchObject({
      status: 'CANCELLED',
      cancel_reason: 'mistake',
    })
    expect((await act('cancel_order', { remote_id })).status).toBe(200)
  })

  test('products and stock are read and written', async () => {
    expect(rows(await act('get_products', { limit: 3 }))).toHaveLength(3)
    const exported = await act('export_products', {
      products: [{ sku: 'NEW-1', title: 'New', price: '9.99', currency: 'EUR', quantity: 4 }],
    })
    expect(rows(exported)).toMatchObject([
      { sku: 'NEW-1', ok: true, error: null, product: { title: 'New', variants: [{ sku: 'NEW-1', quantity: 4 }] } },
    ])
    const set = await act('set_inventory', {
      items: [
        { sku: 'NEW-1', quantity: 9 },
        { sku: 'NONE', quantity: 1 },
      ],
    })
    expect(rows(set).map(({ sku, ok }) => [sku, ok])).toEqual([
      ['NEW-1', true],
      ['NONE', false],
    ])
    const levels = rows(await act('get_inventory', { limit: 250 }))
    expect(levels.find(({ sku }) => sku === 'NEW-1')).toMatchObject({ available: 9 })
  })

  test('what is unknown, missing or wrong is named', async () => {
    expect(errors(await act(''))).toEqual({ resource: ['The resource field is required.'] })
    expect(errors(await act('drop_tables'))).toEqual({ resource: ['The selected resource is invalid.'] })
    expect(errors(await act('constructor'))).toEqual({ resource: ['The selected resource is invalid.'] })
    expect(errors(await act('get_order'))).toEqual({ remote_id: ['The remote id field is required.'] })
    expect(errors(await act('get_order', { remote_id: 'none' }))).toEqual({
      remote_id: ['The selected remote id is invalid.'],
    })
    expect(errors(await act('get_orders', { order_status: 'open' }))).toEqual({
      order_status: ['The order status field must be an array.'],
    })
    expect(errors(await act('get_orders', { order_status: [5] }))).toEqual({
      'order_status.0': ['The order_status.0 field must be a string.'],
    })
    expect(errors(await act('set_inventory', { items: [{ sku: 'X', quantity: -1 }] }))).toEqual({
      'items.0.quantity': ['The items.0.quantity field must be at least 0.'],
    })
  })

  test('a shop that refuses the keys puts the integration out of order', async () => {
    const { id } = await installed(merchant)
    const broken = `/integrations/${id}`
    await spoilKeys(id)
    const answer = await merchant.asApp('POST', `${broken}/action`, { resource: 'test_connection' })
    expect([answer.status, Object.keys(errors(answer))]).toEqual([422, ['credentials.api_key']])
    expect(data(await merchant.asApp('GET', broken))).toMatchObject({
      status: 'ERROR',
      status_reason: 'credentials_rejected',
    })
    const after = await merchant.asApp('POST', `${broken}/action`, { resource: 'get_orders' })
    expect(errors(after)).toEqual({ status: ['The integration must be active.'] })
    const stillBroken = await merchant.asApp('POST', `${broken}/action`, { resource: 'test_connection' })
    expect(Object.keys(errors(stillBroken))).toEqual(['credentials.api_key'])
    const logs = rows(await merchant.asAccount('GET', `${broken}/logs?level=error`))
    // The first sync may have found out as well.
    const events = logs.map(({ event }) => String(event)).filter((event) => !event.startsWith('run.'))
    expect(events).toEqual(['action.test_connection', 'integration.error', 'action.test_connection'])
    expect(JSON.stringify(logs)).not.toContain('"bad"')
    const repaired = { credentials: { api_key: 'good' }, expiresAt: null }
    const { db, keys } = server.context
    await saveCredentials(db, keys, await readIntegration(db, Number(id)), repaired)
    const tested = await merchant.asApp('POST', `${broken}/action`, { resource: 'test_connection' })
    expect(data(tested)).toEqual({ ok: true })
    expect(data(await merchant.asApp('GET', broken))).toMatchObject({ status: 'ACTIVE', status_reason: null })
  })

  test('an integration that rests runs nothing', async () => {
    const { id } = await installed(merchant)
    await merchant.asApp('PUT', `/integrations/${id}`, { active: false })
    const answer = await merchant.asApp('POST', `/integrations/${id}/action`, { resource: 'get_orders' })
    expect(answer.status).toBe(422)
  })
})

describe('long actions', () => {
  test('answer with a run that goes on by itself', async () => {
    const answer = await act('sync_products', { mode: 'full' })
    expect(answer.status).toBe(200)
    const run = data(answer)
    expect(run).toMatchObject({ resource: 'sync_products', status: 'queued', progress: { done: 0, total: null } })
    const done = await finished(run['id'])
    expect(done).toMatchObject({ status: 'completed', error: null, progress: { done: 41, total: 41 } })
    expect(rows(await merchant.asApp('GET', `${path}/runs`))[0]).toMatchObject({ id: run['id'] })
    expect((await merchant.asApp('GET', `${path}/runs/999999`)).status).toBe(404)
    expect(data(await merchant.asApp('GET', path))['last_run_at']).not.toBeNull()
  })

  test('keep the orders, and can be proved and cancelled', async () => {
    const { id, gateway_key } = await installed(merchant, { orders: 30 })
    const of = `/integrations/${id}`
    const first = async () => rows(await merchant.asApp('GET', `${of}/runs?sort=id`))
    await expect.poll(async () => (await first()).map(({ status }) => status)).toEqual(Array(3).fill('completed'))
    expect((await first()).map(({ resource }) => resource)).toEqual(['sync_orders', 'sync_products', 'sync_inventory'])
    const orders = await server.call('GET', '/api/1.0/orders?acknowledged=all', {
      token: merchant.userToken,
      headers: { 'x-gateway-key': String(gateway_key) },
    })
    expect(meta(orders)['total']).toBe(30)
    const proof = await finished(
      data(await merchant.asApp('POST', `${of}/action`, { resource: 'reconcile' }))['id'],
      of,
    )
    expect(proof).toMatchObject({ status: 'completed', result: { missing: 0, stale: 0, healed: 0, deleted: 0 } })
    expect(data(await merchant.asApp('GET', of))['completeness']).toEqual(proof['result'])
    const over = await merchant.asApp('POST', `${of}/runs/${proof['id']}/cancel`)
    expect([over.status, errors(over)]).toEqual([422, { status: ['The run has already finished.'] }])
  })

  test('end as failed when the shop refuses the keys', async () => {
    const { id } = await installed(merchant)
    await spoilKeys(id)
    const run = data(await merchant.asApp('POST', `/integrations/${id}/action`, { resource: 'sync_orders' }))
    expect(await finished(run['id'], `/integrations/${id}`)).toMatchObject({ status: 'failed' })
    await expect.poll(async () => data(await merchant.asApp('GET', `/integrations/${id}`))['status']).toBe('ERROR')
  })

  async function finished(run: unknown, of = path) {
    const read = async () => data(await merchant.asApp('GET', `${of}/runs/${run}`))
    await expect.poll(async () => (await read())['finished_at']).not.toBeNull()
    return await read()
  }
})

describe('POST /api/2.0/webcomponent/integrations/{integrationId}/event', () => {
  const happen = (event: unknown, payload?: unknown) => merchant.asAccount('POST', `${path}/event`, { event, payload })

  test('an event runs the action that it stands for', async () => {
    expect(data(await happen('connection.test'))).toEqual({ ok: true })
    expect(rows(await happen('orders.list', { limit: 2 }))).toHaveLength(2)
    expect(data(await happen('orders.sync'))).toMatchObject({ resource: 'sync_orders' })
    expect(data(await happen('test_connection', {}))).toEqual({ ok: true })
  })

  test('what is unknown, missing or wrong is named', async () => {
    expect(errors(await happen(null))).toEqual({ event: ['The event field is required.'] })
    expect(errors(await happen('toString'))).toEqual({ event: ['The selected event is invalid.'] })
    expect(errors(await happen('order.updated', {}))).toEqual({
      'payload.remote_id': ['The payload.remote id field is required.'],
    })
    expect(errors(await happen('orders.list', 'x'))).toEqual({ payload: ['The payload field must be an array.'] })
  })

  test('actions are run by the account as well', async () => {
    const answer = await merchant.asAccount('POST', `${path}/actions`, { resource: 'get_orders', limit: 1 })
    expect(rows(answer)).toHaveLength(1)
  })
})

describe('GET /api/2.0/webcomponent/integrations/{integrationId}/logs', () => {
  test('entries come newest first and can be filtered', async () => {
    const { id } = await installed(merchant)
    await merchant.asApp('PATCH', `/integrations/${id}/status`, { status: 'INACTIVE' })
    const all = await merchant.asAccount('GET', `/integrations/${id}/logs`)
    // The first sync, which began by itself, has something to say as well.
    const events = rows(all).map(({ event }) => String(event))
    expect(events.filter((event) => !event.startsWith('run.'))).toEqual([
      'integration.status_changed',
      'integration.created',
    ])
    expect(meta(all)['total']).toBe(events.length)
    const some = await merchant.asAccount('GET', `/integrations/${id}/logs?event=integration.created&level=info`)
    expect(rows(some)).toHaveLength(1)
  })
})
