import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { upsertProducts } from '../../src/domain/products/product-upsert-store.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { makeIntegration } from '../support/gateway.ts'
import { incomingOrder } from '../support/orders.ts'
import { type Gateway, openGateway } from './support.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.server.close())

const call: Gateway['call'] = (...asked) => gateway.call(...asked)

type Data = Record<string, unknown>

const newOrder = async (gatewayKey = gateway.key) => {
  const items = [{ sku: 'A-1', quantity: 1, price: '1' }]
  const order = { currency: 'EUR', total: '1', items, placed_at: '2026-11-01T10:00:00Z' }
  return (await call('POST', '/orders', order, gatewayKey)).data['id'] as number
}

const statusOf = async (id: number) => (await call('GET', `/orders/${id}`)).data['status']

async function syncedOrder(remoteId: string): Promise<number> {
  const { context } = gateway
  const ids = await takeIds(context.db, 'orders', 1)
  const orders = [incomingOrder(remoteId)]
  const { inserted } = await context.transaction((trx) => upsertOrders(trx, gateway.integration.id, { ids, orders }))
  return inserted[0] ?? 0
}

describe('POST /api/1.0/shipments', () => {
  test('is 201 for a new parcel, 200 for news of it, and ships the order', async () => {
    const orderId = await newOrder()
    const parcel = { order_id: orderId, tracking_number: 'T1', carrier: 'DHL', tracking_url: 'https://dhl.example/T1' }
    const first = await call('POST', '/shipments', parcel)
    expect([first.status, first.data]).toMatchObject([
      201,
      {
        order_id: orderId,
        tracking_number: 'T1',
        status: 'SHIPPED',
        remote_id: null,
        items: [{ sku: 'A-1', quantity: 1 }],
      },
    ])
    expect(await statusOf(orderId)).toBe('SHIPPED')
    const second = await call('POST', '/shipments', { ...parcel, tracking_url: undefined, status: 'DELIVERED' })
    expect([second.status, second.data]).toMatchObject([
      200,
      { id: first.data['id'], status: 'DELIVERED', tracking_url: 'https://dhl.example/T1' },
    ])
    expect(await statusOf(orderId)).toBe('DELIVERED')
    const history = await gateway.context.db
      .selectFrom('order_history')
      .select(['status', 'source', 'note'])
      .where('integration_id', '=', gateway.integration.id)
      .where('order_id', '=', orderId)
      .orderBy('id')
      .execute()
    expect(history.map((entry) => [entry.status, entry.source])).toEqual([
      ['PENDING', 'api'],
      ['SHIPPED', 'shipment'],
      ['DELIVERED', 'shipment'],
    ])
  })

  test('tells the shop of an order that came from there, once', async () => {
    const listed = (await call('POST', '/services-request', { endpoint: '/orders' })).data['body'] as { items: Data[] }
    const remoteId = String(listed.items.find(({ status }) => status === 'awaiting_shipment')?.['id'])
    const orderId = await syncedOrder(remoteId)
    const parcel = { order_id: orderId, tracking_number: 'T2', carrier: 'UPS' }
    const first = await call('POST', '/shipments', parcel)
    expect(first.data['remote_id']).toEqual(expect.any(String))
    expect((await call('POST', '/shipments', parcel)).data['remote_id']).toBe(first.data['remote_id'])
    const { data } = await call('POST', '/services-request', { endpoint: `/orders/${remoteId}` })
    const { shipments } = data['body'] as { shipments: Data[] }
    expect(shipments.filter((shipment) => shipment['tracking_number'] === 'T2')).toHaveLength(1)
  })

  test('is refused for orders of others, unknown ones and cancelled ones', async () => {
    const other = await makeIntegration(gateway.context, gateway.tenant)
    const foreign = await newOrder(other.gatewayKey)
    const cancelled = await newOrder()
    await call('PUT', `/orders/${cancelled}/cancel`, {})
    const ship = async (orderId: number) => {
      const answer = await call('POST', '/shipments', { order_id: orderId, tracking_number: 'T', carrier: 'C' })
      return [answer.status, answer.errors]
    }
    for (const orderId of [foreign, 999_999_999]) {
      expect(await ship(orderId)).toEqual([422, { order_id: ['The selected order id is invalid.'] }])
    }
    expect(await ship(cancelled)).toEqual([422, { order_id: ['The order has been cancelled.'] }])
  })

  test('what the shop refuses does not happen here either', async () => {
    const orderId = await syncedOrder('not-in-the-shop')
    const answer = await call('POST', '/shipments', { order_id: orderId, tracking_number: 'T', carrier: 'C' })
    expect([answer.status, answer.errors]).toEqual([422, { order_id: ['The shop has no such order.'] }])
    expect(await statusOf(orderId)).toBe('PENDING')
  })
})

describe('POST /api/1.0/inventory', () => {
  test('has a result for each level', async () => {
    const { gatewayKey } = await makeIntegration(gateway.context, gateway.tenant, { type: 'no-connector' })
    const items = [
      { sku: 'A', quantity: 3 },
      { sku: 'A', quantity: 4, location: 'north' },
    ]
    const first = await call('POST', '/inventory', { items }, gatewayKey)
    expect([first.status, first.data]).toEqual([
      200,
      [
        { sku: 'A', location: null, quantity: 3, status: 'updated', error: null },
        { sku: 'A', location: 'north', quantity: 4, status: 'updated', error: null },
      ],
    ])
    const second = await call('POST', '/inventory', { items }, gatewayKey)
    expect(second.data).toMatchObject([{ status: 'unchanged' }, { status: 'unchanged' }])
  })

  test('says which levels the shop refused, and keeps the others', async () => {
    const { body } = (await call('POST', '/services-request', { endpoint: '/products' })).data as {
      body: { items: { sku: string }[] }
    }
    const sku = body.items[0]?.sku ?? ''
    const { data } = await call('POST', '/inventory', {
      items: [
        { sku, quantity: 77 },
        { sku: 'nobody knows', quantity: 1 },
      ],
    })
    expect(data).toMatchObject([
      { sku, status: 'updated', error: null },
      { sku: 'nobody knows', status: 'failed', error: 'The shop has no such article.' },
    ])
  })

  test('takes whole numbers from 0, and a thousand of them', async () => {
    const wrong = await call('POST', '/inventory', { items: [{ sku: 'A', quantity: -1 }, { quantity: 1.5 }] })
    expect([wrong.status, wrong.errors]).toEqual([
      422,
      {
        'items.0.quantity': ['The items.0.quantity field must be at least 0.'],
        'items.1.sku': ['The items.1.sku field is required.'],
        'items.1.quantity': ['The items.1.quantity field must be an integer.'],
      },
    ])
    const many = Array.from({ length: 1001 }, (_, n) => ({ sku: String(n), quantity: 1 }))
    expect((await call('POST', '/inventory', { items: many })).errors).toEqual({
      items: ['The items field must not have more than 1000 items.'],
    })
    const { gatewayKey } = await makeIntegration(gateway.context, gateway.tenant, { type: 'no-connector' })
    expect((await call('POST', '/inventory', { items: many.slice(1) }, gatewayKey)).status).toBe(200)
  })
})

describe('products', () => {
  const incoming = (remoteId: string, more: Data = {}) => ({
    remote_id: remoteId,
    sku: `SKU-${remoteId}`,
    name: 'Kettle',
    description: null,
    price: '9.90',
    currency: 'EUR',
    quantity: 3,
    active: true,
    images: [],
    variants: [],
    remote_status: 'active',
    remote_version: '1',
    ...more,
  })

  async function sync(...products: ReturnType<typeof incoming>[]) {
    const ids = await takeIds(gateway.context.db, 'products', products.length)
    return await gateway.context.transaction((trx) => upsertProducts(trx, gateway.integration.id, { ids, products }))
  }

  test('from the shop are listed, and stored once', async () => {
    const page = [incoming('p1'), incoming('p2')]
    expect((await sync(...page)).inserted).toHaveLength(2)
    expect(await sync(...page)).toMatchObject({ inserted: [], updated: [], unchanged: 2 })
    // Nor locked, which would be written into the rows as well.
    const locked = sql`select from products where remote_id in ('p1', 'p2') and xmax <> 0`
    expect((await locked.execute(gateway.context.db)).rows).toEqual([])
    expect((await sync(incoming('p2', { remote_version: '2', price: '8.50' }))).updated).toHaveLength(1)
    const { json } = await call('GET', '/products?sku=SKU-p2')
    expect(json['data']).toMatchObject([{ sku: 'SKU-p2', price: '8.50', description: null, exported_at: null }])
    expect((await call('GET', '/products')).json['meta']).toMatchObject({ total: 2 })
  })

  test('are not changed by what the shop shuffles in its own record', async () => {
    await sync(incoming('p9', { remote_payload: { related_ids: [1, 2, 3] } }))
    const again = await sync(incoming('p9', { remote_payload: { related_ids: [3, 1, 2] } }))
    expect(again).toMatchObject({ inserted: [], updated: [], unchanged: 1 })
  })

  test('are exported to the shop, each with a result', async () => {
    const { inserted } = await sync(incoming('p3'), incoming('p4', { price: 'NaN' }))
    const { status, json } = await call('POST', '/export-products', { products: inserted })
    expect([status, json['data']]).toMatchObject([
      200,
      [
        { sku: 'SKU-p3', status: 'exported', error: null },
        { sku: 'SKU-p4', status: 'failed', error: 'A product has a sku and a price.' },
      ],
    ])
    const { data } = await call('GET', '/resource/products?limit=250')
    expect(data).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ sku: 'SKU-p3' })]) })
    const unknown = await call('POST', '/export-products', { products: [inserted[0], 999_999_999] })
    expect([unknown.status, unknown.errors]).toEqual([422, { 'products.1': ['The selected products.1 is invalid.'] }])
  })

  test('are refused at their field by a service that takes none', async () => {
    const { gatewayKey } = await makeIntegration(gateway.context, gateway.tenant, { type: 'etsy' })
    const kettle = { sku: 'NEW-1', name: 'Kettle', price: 33.25, currency: 'EUR' }
    const answer = await call('POST', '/export-products', { products: [kettle] }, gatewayKey)
    expect([answer.status, answer.errors]).toEqual([
      422,
      { 'products.0': ['Products cannot be made in shops of this service.'] },
    ])
  })

  test('that are given in full are made in the shop, and changed when they are given again', async () => {
    const kettle = { sku: 'NEW-1', name: 'Kettle', price: 33.25, currency: 'EUR', quantity: 5 }
    const made = await call('POST', '/export-products', { products: [kettle, { ...kettle, sku: 'NEW-2', name: '' }] })
    expect([made.status, made.errors]).toEqual([422, { 'products.1.name': ['The products.1.name field is required.'] }])
    const first = await call('POST', '/export-products', { products: [kettle] })
    expect(first.json['data']).toMatchObject([{ sku: 'NEW-1', status: 'exported', error: null }])
    const [{ id, remote_id: remoteId } = {}] = first.json['data'] as Record<string, unknown>[]
    const kept = await call('GET', '/products?sku=NEW-1')
    expect(kept.json['data']).toMatchObject([{ id, remote_id: remoteId, name: 'Kettle', price: '33.25' }])
    const again = await call('POST', '/export-products', { products: [{ ...kettle, name: 'Big kettle' }] })
    expect(again.json['data']).toMatchObject([{ id, remote_id: remoteId, status: 'exported' }])
    const { data } = await call('GET', '/resource/products?limit=250')
    const inShop = (data as { items: { sku: string; title: string }[] }).items.filter(({ sku }) => sku === 'NEW-1')
    expect(inShop).toMatchObject([{ title: 'Big kettle' }])
  })
})
