import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderDefaults } from '../../src/commerce/order.ts'
import { upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { makeIntegration } from '../support/gateway.ts'
import { logIn, makeUser } from '../support/identity.ts'
import { incomingOrder } from '../support/orders.ts'
import { makeTenant } from '../support/server.ts'
import { type Gateway, openGateway } from './support.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.server.close())

const call: Gateway['call'] = (...asked) => gateway.call(...asked)

type Data = Record<string, unknown>
const rowsOf = (answer: { json: Data }) => answer.json['data'] as Data[]

/** One that was placed before, and so is kept here alone. */
const order = (more: Data = {}) => ({
  placed_at: '2026-11-01T10:00:00Z',
  currency: 'EUR',
  total: '33.20',
  items: [{ sku: 'A-1', name: 'Kettle', quantity: 1, price: '33.20' }],
  ...more,
})
/** What only a shop can say of an order and of its lines. */
const nothingOfTheShop = {
  ...{ payment_status: null, fulfillment_status: null, hold_reason: null, subtotal: null, discount_total: null },
  ...{ shipping_total: null, tax_total: null, fee_total: null, refunded_total: null, prices_include_tax: null },
  ...{ shipping_method: null, note: null, admin_url: null, ship_by: null, fees: [], refunds: [] },
  ...orderDefaults,
  returns: [],
}
const lineOfNoShop = {
  ...{ remote_id: null, product_remote_id: null, variant_remote_id: null, variant_name: null, discount: null },
  ...{
    tax: null,
    total: null,
    quantity_fulfilled: 0,
    quantity_refunded: 0,
    quantity_cancelled: 0,
    requires_shipping: null,
    attributes: [],
  },
}
const create = async (more: Data = {}) => (await call('POST', '/orders', order(more))).data

describe('the gateway key', () => {
  test.each([
    ['missing', ''],
    ['unknown', 'gw_nonsense'],
    ['too long', 'x'.repeat(5000)],
  ])('%s is 403', async (_, wrong) => {
    const answer = await call('GET', '/orders', undefined, wrong)
    expect([answer.status, answer.json]).toEqual([403, { message: 'This action is unauthorized.' }])
  })

  test('of somebody else is 403, and works for them and for an administrator', async () => {
    const other = await makeTenant(gateway.context)
    const { gatewayKey } = await makeIntegration(gateway.context, other)
    expect((await call('GET', '/orders', undefined, gatewayKey)).status).toBe(403)
    const headers = { 'x-gateway-key': gatewayKey }
    expect((await gateway.server.call('GET', '/api/1.0/orders', { token: other.userToken, headers })).status).toBe(200)
    const admin = await makeTenant(gateway.context, { roles: ['admin'] })
    expect((await gateway.server.call('GET', '/api/1.0/orders', { token: admin.userToken, headers })).status).toBe(200)
  })

  test('of an integration that is uninstalled or deleted is 403', async () => {
    const { integration, gatewayKey } = await makeIntegration(gateway.context, gateway.tenant)
    expect((await call('GET', '/orders', undefined, gatewayKey)).status).toBe(200)
    const set = (changes: object) =>
      gateway.context.db.updateTable('integrations').set(changes).where('id', '=', integration.id).execute()
    await set({ status: 'UNINSTALLED' })
    expect((await call('GET', '/orders', undefined, gatewayKey)).status).toBe(403)
    await set({ status: 'ACTIVE', deleted_at: '2026-11-15T00:00:00Z' })
    expect((await call('GET', '/orders', undefined, gatewayKey)).status).toBe(403)
  })

  test('that has ended is 403', async () => {
    const { integration, gatewayKey } = await makeIntegration(gateway.context, gateway.tenant)
    await gateway.context.db
      .updateTable('gateway_keys')
      .set({ expires_at: '2020-01-01T00:00:00Z' })
      .where('integration_id', '=', integration.id)
      .execute()
    expect((await call('GET', '/orders', undefined, gatewayKey)).status).toBe(403)
  })

  test('is asked for after the token', async () => {
    expect((await gateway.server.call('GET', '/api/1.0/orders', {})).status).toBe(401)
  })
})

describe('POST /api/1.0/orders', () => {
  test('makes an order with every field in its place', async () => {
    const answer = await call(
      'POST',
      '/orders',
      order({ remote_id: 'full', number: '#1', placed_at: '2026-11-01T10:00:00Z' }),
    )
    expect(answer.status).toBe(201)
    expect(answer.data).toEqual({
      id: expect.any(Number),
      integration_id: gateway.integration.id,
      remote_id: 'full',
      origin: 'entrepot',
      number: '#1',
      status: 'PENDING',
      currency: 'EUR',
      total: '33.20',
      customer: {},
      billing_address: null,
      shipping_address: null,
      ...nothingOfTheShop,
      items: [{ ...lineOfNoShop, sku: 'A-1', name: 'Kettle', quantity: 1, price: '33.20' }],
      sandbox: true,
      placed_at: '2026-11-01T10:00:00.000000Z',
      acknowledged_at: null,
      cancelled_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      updated_at: expect.any(String),
    })
    // No date is announced.
    expect(answer.headers['deprecation']).toBeUndefined()
    expect(answer.headers['link']).toBe('</docs/guides/migrate-1-to-2>; rel="successor-version"')
  })

  test('names what is missing', async () => {
    const answer = await call('POST', '/orders', {})
    expect([answer.status, answer.json]).toEqual([
      422,
      {
        message: 'The currency field is required. (and 2 more errors)',
        errors: {
          currency: ['The currency field is required.'],
          total: ['The total field is required.'],
          items: ['The items field is required.'],
        },
      },
    ])
  })

  test('takes money as text or as a number, and nothing else', async () => {
    expect(await create({ total: 12.5 })).toMatchObject({ total: '12.5' })
    expect((await call('POST', '/orders', order({ total: 'a lot' }))).json['errors']).toEqual({
      total: ['The total field format is invalid.'],
    })
    expect((await call('POST', '/orders', order({ total: -1 }))).status).toBe(422)
    expect((await call('POST', '/orders', order({ currency: 'euro' }))).status).toBe(422)
    expect(
      (await call('POST', '/orders', order({ items: [{ sku: 'A', quantity: 0, price: '1' }] }))).json['errors'],
    ).toEqual({ 'items.0.quantity': ['The items.0.quantity field must be at least 1.'] })
  })

  test('does not take a remote id twice', async () => {
    await create({ remote_id: 'twice' })
    const answer = await call('POST', '/orders', order({ remote_id: 'twice' }))
    expect([answer.status, answer.json['errors']]).toEqual([
      422,
      { remote_id: ['The remote id has already been taken.'] },
    ])
  })

  test('ignores what is ours to say', async () => {
    expect(
      await create({ id: 1, status: 'DELIVERED', integration_id: 1, acknowledged_at: '2026-01-01' }),
    ).toMatchObject({
      status: 'PENDING',
      integration_id: gateway.integration.id,
      acknowledged_at: null,
    })
  })

  test('needs its permission', async () => {
    const limited = await makeTenant(gateway.context, { permissions: ['read-order'] })
    const { gatewayKey } = await makeIntegration(gateway.context, limited)
    const options = { token: limited.userToken, headers: { 'x-gateway-key': gatewayKey }, body: order() }
    expect((await gateway.server.call('POST', '/api/1.0/orders', options)).status).toBe(403)
  })
})

describe('one order', () => {
  test('is read, changed, deleted, and then gone', async () => {
    const { id } = await create({ number: '#a' })
    expect((await call('GET', `/orders/${id}`)).data).toMatchObject({ number: '#a' })
    const changed = await call('PUT', `/orders/${id}`, { number: '#b', status: 'DELIVERED', customer: null })
    expect([changed.status, changed.data]).toMatchObject([200, { number: '#b', status: 'PENDING', customer: {} }])
    expect((await call('DELETE', `/orders/${id}`)).status).toBe(204)
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await call(method, `/orders/${id}`, method === 'PUT' ? {} : undefined)
      expect([answer.status, answer.json]).toEqual([404, { message: 'Not found.' }])
    }
  })

  test('is made in the shop where that can make orders, once for each reference', async () => {
    const body = {
      number: 'PO-7',
      currency: 'EUR',
      total: '7.00',
      items: [{ sku: 'SKU-00002-1', quantity: 2, price: '3.50' }],
    }
    const made = await call('POST', '/orders', { ...body, shipping_address: { line1: 'Main 1', city: 'Rome' } })
    expect([made.status, made.data]).toMatchObject([201, { origin: 'shop', status: 'PENDING', payment_status: 'paid' }])
    expect(made.data['remote_id']).not.toMatch(/^entrepot/)
    const { data } = await call('POST', '/services-request', { endpoint: `/orders/${made.data['remote_id']}` })
    expect(data['body']).toMatchObject({ id: made.data['remote_id'] })
    expect((await call('POST', '/orders', body)).data['id']).toBe(made.data['id'])
    const odd = await call('POST', '/orders', { ...body, number: null, shipping_address: { strasse: 'Main 1' } })
    expect([odd.status, Object.keys(odd.errors ?? {})]).toEqual([422, ['shipping_address.strasse']])
  })

  test('from the shop says what only some platforms know, in lists too', async () => {
    const said = {
      service_level: 'NextDay',
      fulfilled_by: 'platform' as const,
      sales_channel: 'pos',
      presentment: { currency: 'CAD', total: '35.00' },
      purchase_order: 'PO-7',
      tax_ids: [{ kind: 'VAT', value: 'DE129273398' }],
      attributes: [{ name: 'Gift message', value: 'For Ada' }],
      cancel_requested: true,
    }
    const engraved = { attributes: [{ name: 'Engraving', value: 'Ada' }] }
    const [line = expect.fail()] = incomingOrder('few').items
    const told = incomingOrder('few', { ...said, items: [{ ...line, ...engraved }, line] })
    const report = async () =>
      upsertOrders(gateway.context.db, gateway.integration.id, {
        ids: await takeIds(gateway.context.db, 'orders', 1),
        orders: [told],
      })
    const { inserted } = await report()
    expect(await report()).toMatchObject({ updated: [], unchanged: 1 })
    const shown = { ...said, items: [engraved, { attributes: [] }] }
    expect((await call('GET', `/orders/${inserted[0]}`)).data).toMatchObject(shown)
    expect(rowsOf(await call('GET', '/orders?per_page=100')).find(({ id }) => id === inserted[0])).toMatchObject(shown)
  })

  test('from the shop is changed in what is ours to keep, and in nothing else', async () => {
    const ids = await takeIds(gateway.context.db, 'orders', 1)
    const report = (more: object) =>
      gateway.context.transaction((trx) =>
        upsertOrders(trx, gateway.integration.id, { ids, orders: [incomingOrder('kept', more)] }),
      )
    const { inserted } = await report({ remote_version: '1' })
    const path = `/orders/${inserted[0]}`
    const refused = await call('PUT', path, { number: 'CHANGED', total: '1.23' })
    expect([refused.status, refused.errors]).toEqual([422, { total: ['The total field is the shop’s.'] }])
    const address = { line1: 'Other 2' }
    expect((await call('PUT', path, { number: 'CHANGED', shipping_address: address })).status).toBe(200)
    const changed = await report({ remote_version: '2', total: '1145.34', number: '#1011', shipping_address: null })
    expect(changed.updated).toEqual(inserted)
    expect((await call('GET', path)).data).toMatchObject({
      number: 'CHANGED',
      total: '1145.34',
      shipping_address: address,
      customer: { email: 'ada@example.com' },
    })
    // And the same report again changes nothing.
    expect(
      await report({ remote_version: '2', total: '1145.34', number: '#1011', shipping_address: null }),
    ).toMatchObject({
      updated: [],
      unchanged: 1,
    })
  })

  test('of another integration is not found', async () => {
    const { id } = await create()
    const { gatewayKey } = await makeIntegration(gateway.context, gateway.tenant)
    expect((await call('GET', `/orders/${id}`, undefined, gatewayKey)).status).toBe(404)
    expect((await call('PUT', `/orders/${id}/cancel`, {}, gatewayKey)).status).toBe(404)
  })

  test.each(['x', '0', '-1', '1.5', '99999999999999999999', 'acknowledge'])('%s is not found', async (id) => {
    expect((await call('DELETE', `/orders/${id}`)).status).toBe(404)
  })
})

describe('the queue', () => {
  test('holds what is not acknowledged; acknowledging is idempotent and tells of each order', async () => {
    const a = await create()
    const b = await create()
    const first = await call('POST', '/orders/acknowledge', { orders: [a['id'], b['id']] })
    expect(first.status).toBe(200)
    expect(rowsOf(first)).toMatchObject([
      { id: a['id'], status: 'ACKNOWLEDGED', acknowledged: true, error: null },
      { id: b['id'], acknowledged: true },
    ])
    expect(rowsOf(await call('POST', '/orders/acknowledge', { orders: [a['id'], b['id']] }))).toEqual(rowsOf(first))
    const open = rowsOf(await call('GET', '/orders?per_page=100')).map((row) => row['id'])
    expect(open).not.toContain(a['id'])
    const all = rowsOf(await call('GET', '/orders?per_page=100&acknowledged=all')).map((row) => row['id'])
    expect(all).toContain(a['id'])
  })

  test('refuses ids that are not orders of the integration', async () => {
    const other = await makeIntegration(gateway.context, gateway.tenant)
    const foreign = (await call('POST', '/orders', order(), other.gatewayKey)).data
    const mine = await create()
    const answer = await call('POST', '/orders/acknowledge', { orders: [mine['id'], foreign['id']] })
    expect([answer.status, answer.json['errors']]).toEqual([422, { 'orders.1': ['The selected orders.1 is invalid.'] }])
    expect((await call('POST', '/orders/acknowledge', { orders: [] })).status).toBe(422)
    const many = Array.from({ length: 1001 }, (_, n) => n + 1)
    expect((await call('POST', '/orders/acknowledge', { orders: many })).json['errors']).toEqual({
      orders: ['The orders field must not have more than 1000 items.'],
    })
  })
})

describe('PUT /api/1.0/orders/{order}/cancel', () => {
  test('cancels once, and again is the same answer', async () => {
    const { id } = await create()
    const first = await call('PUT', `/orders/${id}/cancel`, { reason: 'out of stock' })
    expect([first.status, first.data]).toMatchObject([200, { status: 'CANCELLED' }])
    expect((await call('PUT', `/orders/${id}/cancel`)).data).toEqual(first.data)
  })

  test('comes too late once the goods have left', async () => {
    const { id } = await create()
    expect((await call('POST', '/shipments', { order_id: id, tracking_number: '1', carrier: 'DHL' })).status).toBe(201)
    const answer = await call('PUT', `/orders/${id}/cancel`, {})
    expect([answer.status, answer.json['errors']]).toEqual([422, { status: ['The selected status is invalid.'] }])
  })
})

describe('lists', () => {
  test('page, sort and filter', async () => {
    const { gatewayKey } = await makeIntegration(gateway.context, gateway.tenant)
    for (let n = 1; n <= 7; n++) await call('POST', '/orders', order({ number: `#${n}` }), gatewayKey)
    const get = (query: string) => call('GET', `/orders?${query}`, undefined, gatewayKey)
    const page = await get('per_page=3&page=2&sort=-id')
    expect(rowsOf(page).map((row) => row['number'])).toEqual(['#4', '#3', '#2'])
    expect(page.json['meta']).toEqual({ current_page: 2, from: 4, last_page: 3, per_page: 3, to: 6, total: 7 })
    expect(page.json['links']).toMatchObject({
      next: 'https://entrepot.test/api/1.0/orders?per_page=3&sort=-id&page=3',
    })
    expect(rowsOf(await get('number=%235'))).toHaveLength(1)
    expect((await get('status=PENDING')).json['meta']).toMatchObject({ total: 7 })
    expect((await get('status=SHIPPED')).json['meta']).toMatchObject({ total: 0 })
    for (const sort of ['created_at', '-updated_at', 'placed_at', 'number', '-status']) {
      expect([sort, (await get(`sort=${sort}`)).status]).toEqual([sort, 200])
    }
    expect((await get('sort=total')).status).toBe(400)
  })

  test('of the sandbox', async () => {
    expect((await call('GET', '/sandbox/orders')).json['meta']).toMatchObject({ total: expect.any(Number) })
    const { gatewayKey } = await makeIntegration(gateway.context, gateway.tenant, { type: 'no-connector' })
    await call('POST', '/orders', order(), gatewayKey)
    expect((await call('GET', '/sandbox/orders', undefined, gatewayKey)).json['meta']).toMatchObject({ total: 0 })
  })

  test('are shown, all or one, to whoever may read orders', async () => {
    const { id } = await create()
    const seen = async (permissions: string[]) => {
      const user = await makeUser(gateway.context, { company_id: gateway.tenant.companyId, permissions })
      const token = (await logIn(gateway.context, gateway.tenant.passwordClient, user)).access_token
      const options = { token, headers: { 'x-gateway-key': gateway.key } }
      const paths = ['/api/1.0/orders', '/api/1.0/sandbox/orders', `/api/1.0/orders/${id}`]
      return await Promise.all(paths.map(async (path) => (await gateway.server.call('GET', path, options)).status))
    }
    expect(await seen(['read-order'])).toEqual([200, 200, 200])
    expect(await seen(['read-integration'])).toEqual([403, 403, 403])
    expect(await seen([])).toEqual([403, 403, 403])
  })
})
