import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderMaking } from '../../src/domain/operations/operation.ts'
import { upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { syncedOrder } from '../../src/domain/orders/synced-order.ts'
import { openShop } from '../../src/domain/shop/open-remote.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { type Gateway, openGateway } from './support.ts'

/** Holds, notes, captures and shipments that did not leave, through version 2.0: what the shop has then, and what we show. */

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.server.close())

let made = 0

/** A paid order in the shop, and our copy of it. */
async function newOrder() {
  const { context, integration } = gateway
  const { connector, shop } = await openShop(context, integration)
  const lines = [{ sku: 'SKU-00001-1', quantity: 2, unit_price: '10.00' }]
  const draft = { reference: `changes ${++made}`, currency: 'EUR', lines }
  const order = await orderMaking(connector)?.send(shop, draft, { id: draft.reference })
  if (!order) throw new Error('The shop makes no orders.')
  const [id = 0] = await takeIds(context.db, 'orders', 1)
  await context.transaction((trx) =>
    upsertOrders(trx, integration.id, { ids: [id], orders: [syncedOrder(integration, order)] }),
  )
  return { id, remoteId: order.remote_id }
}

interface Answered {
  status: number
  data: Record<string, unknown>
  errors: Record<string, string[]> | undefined
}

async function call(id: number, what: string, body: object = {}): Promise<Answered> {
  const { server, tenant, integration } = gateway
  const path = `/api/2.0/app/orders/${id}/${what}?integration_id=${integration.id}`
  const { status, json } = await server.call('POST', path, { token: tenant.appToken, body })
  return { status, data: json['data'] as Answered['data'], errors: json['errors'] as Answered['errors'] }
}

async function inShop(remoteId: string) {
  const { connector, shop } = await openShop(gateway.context, gateway.integration)
  return connector.orders?.translate(await connector.orders.get(shop, remoteId), shop)
}

const stepsOf = async (id: number) => {
  const { server, tenant, integration } = gateway
  const path = `/api/2.0/app/orders/${id}/passport?integration_id=${integration.id}`
  const { json } = await server.call('GET', path, { token: tenant.appToken })
  return (json['data'] as { steps: { kind: string; title: string }[] }).steps.map(({ title }) => title)
}

test('an order is put on hold, shown as such, and released; both are in its passport', async () => {
  const { id, remoteId } = await newOrder()
  expect(await call(id, 'hold', { reason: 'Address' })).toMatchObject({ status: 200, data: { status: 'ON_HOLD' } })
  expect(await inShop(remoteId)).toMatchObject({ status: 'on_hold' })
  // So already: nothing is sent.
  expect(await call(id, 'hold')).toMatchObject({ status: 200, data: { status: 'ON_HOLD' } })
  expect(await call(id, 'release')).toMatchObject({ status: 200, data: { status: 'PENDING' } })
  const steps = await stepsOf(id)
  expect(steps).toEqual(expect.arrayContaining(['Sent the hold to the shop.', 'Sent the release to the shop.']))
})

test('what is only authorised is captured; what is not is 422', async () => {
  const { id, remoteId } = await newOrder()
  await call(id, 'hold')
  expect(await inShop(remoteId)).toMatchObject({ payment_status: 'authorized' })
  expect(await call(id, 'capture')).toMatchObject({ status: 200, data: { payment_status: 'paid' } })
  expect(await inShop(remoteId)).toMatchObject({ payment_status: 'paid' })
  const { id: gone } = await newOrder()
  await call(gone, 'cancel')
  expect(await call(gone, 'capture')).toMatchObject({ status: 422, errors: { order: [expect.any(String)] } })
  expect(await call(gone, 'hold')).toMatchObject({ status: 422, errors: { order: [expect.any(String)] } })
})

test('a part of what is authorised is captured, once, and the rest afterwards', async () => {
  const { id, remoteId } = await newOrder()
  await call(id, 'hold')
  const total = String((await inShop(remoteId))?.total.amount)
  const part = { status: 200, data: { payment_status: 'partially_paid' } }
  expect(await call(id, 'capture', { amount: '4.50' })).toMatchObject(part)
  expect(await inShop(remoteId)).toMatchObject({ raw: { captured: 450 } })
  // A second part of the same size is another one.
  expect(await call(id, 'capture', { amount: '4.50' })).toMatchObject(part)
  expect(await inShop(remoteId)).toMatchObject({ raw: { captured: 900 } })
  for (const amount of [total, '0', '0.00', '1.001', '-1', 'much', '1e3']) {
    const refused = await call(id, 'capture', { amount })
    expect([refused.status, Object.keys(refused.errors ?? {})], amount).toEqual([422, ['amount']])
  }
  expect(await inShop(remoteId)).toMatchObject({ raw: { captured: 900 } })
  expect(await call(id, 'capture')).toMatchObject({ status: 200, data: { payment_status: 'paid' } })
  expect(await call(id, 'capture', { amount: '1.00' })).toMatchObject({
    status: 422,
    errors: { amount: [expect.any(String)] },
  })
})

test('a part that is asked for again with the same key is captured once', async () => {
  const { id, remoteId } = await newOrder()
  await call(id, 'hold')
  const { server, tenant, integration } = gateway
  const path = `/api/2.0/app/orders/${id}/capture?integration_id=${integration.id}`
  const headers = { 'idempotency-key': 'a part of it' }
  for (const _ of [1, 2]) {
    const { status } = await server.call('POST', path, { token: tenant.appToken, body: { amount: '4.50' }, headers })
    expect(status).toBe(200)
  }
  expect(await inShop(remoteId)).toMatchObject({ raw: { captured: 450 } })
})

test('notes and tags are written on the order of the shop', async () => {
  const { id, remoteId } = await newOrder()
  expect(await call(id, 'annotations', { note: 'Ring twice.', add_tags: ['vip'] })).toMatchObject({
    status: 200,
    data: { tags: ['vip'] },
  })
  expect(await inShop(remoteId)).toMatchObject({ tags: ['vip'], raw: { staff_notes: ['Ring twice.'] } })
  expect(await call(id, 'annotations', {})).toMatchObject({ status: 422, errors: { note: [expect.any(String)] } })
})

test('a shipment is cancelled: the order is to be sent again, and its parcel is no longer among those that left', async () => {
  const { id, remoteId } = await newOrder()
  const { server, tenant, integration, context } = gateway
  const { connector, shop } = await openShop(context, integration)
  const parcel = { order_remote_id: remoteId, tracking_number: 'BACK-1', carrier: 'Post' }
  await connector.shipments?.create.send(shop, parcel, { id: 'send' })
  expect(await call(id, 'shipments/cancel', { tracking_number: 'NO-SUCH' })).toMatchObject({
    status: 422,
    errors: { tracking_number: [expect.any(String)] },
  })
  const done = await call(id, 'shipments/cancel', { tracking_number: 'BACK-1' })
  expect(done).toMatchObject({ status: 200, data: { status: 'PENDING', fulfillment_status: 'unfulfilled' } })
  expect(await inShop(remoteId)).toMatchObject({ status: 'open', shipments: [] })
  const path = `/api/2.0/app/orders/${id}?integration_id=${integration.id}&include=shipments`
  const { json } = await server.call('GET', path, { token: tenant.appToken })
  const held = (json['data'] as { shipments: { status: string }[] }).shipments
  expect(held.filter(({ status }) => !/cancel/i.test(status))).toEqual([])
})
