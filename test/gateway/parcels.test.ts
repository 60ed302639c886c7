import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrderDraft } from '../../src/commerce/order.ts'
import { runAction } from '../../src/domain/actions/run-action.ts'
import { orderMaking } from '../../src/domain/operations/operation.ts'
import { upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { syncedOrder } from '../../src/domain/orders/synced-order.ts'
import { openShop } from '../../src/domain/shop/open-remote.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { type Gateway, openGateway, reportParcel } from './support.ts'

/** Parcels and cancellations of orders of a shop, and what the shop is told of them. */

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.server.close())

const open = async () => await openShop(gateway.context, gateway.integration)

let made = 0
const [one, two] = ['SKU-00001-1', 'SKU-00002-1']

/** An order in the shop, and our copy of it. */
async function newOrder(lines: OrderDraft['lines']): Promise<{ id: number; remoteId: string }> {
  const { connector, shop } = await open()
  const draft = { reference: `parcels ${++made}`, currency: 'EUR', lines }
  const order = await orderMaking(connector)?.send(shop, draft, { id: draft.reference })
  if (!order) throw new Error('The shop makes no orders.')
  return { id: await readAgain(order.remote_id), remoteId: order.remote_id }
}

async function inShop(remoteId: string) {
  const { connector, shop } = await open()
  const raw = await connector.orders?.get(shop, remoteId)
  const order = connector.orders?.translate(raw, shop)
  if (!order) throw new Error('The shop has no such order.')
  return order
}

/** What a sync does. */
async function readAgain(remoteId: string): Promise<number> {
  const { context, integration } = gateway
  const orders = [syncedOrder(integration, await inShop(remoteId))]
  const ids = await takeIds(context.db, 'orders', 1)
  await context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
  const { id } = await context.db
    .selectFrom('orders')
    .select('id')
    .where('integration_id', '=', integration.id)
    .where('remote_id', '=', remoteId)
    .executeTakeFirstOrThrow()
  return id
}

const cancelInShop = async (remoteId: string) => {
  const { connector, shop } = await open()
  await connector.orders?.cancel?.send(shop, { remoteId, reason: null }, { id: `cancel ${remoteId}` })
}

const ship = (orderId: number, fields: Record<string, unknown>) => reportParcel(gateway, orderId, fields)

const orderOf = async (id: number) => (await gateway.call('GET', `/orders/${id}`)).data

describe('a parcel with items', () => {
  test('holds whole pieces, where the shop sells nothing by weight', async () => {
    const { id } = await newOrder([{ sku: one, quantity: 2 }])
    const half = await ship(id, { tracking_number: 'P-0', items: [{ sku: one, quantity: 0.5 }] })
    expect(half).toMatchObject({
      status: 422,
      errors: { 'items.0.quantity': ['The items.0.quantity field must be an integer.'] },
    })
  })

  test('holds in the shop what it holds here, and leaves the rest open', async () => {
    const { id, remoteId } = await newOrder([
      { sku: one, quantity: 2 },
      { sku: two, quantity: 1 },
    ])
    const first = await ship(id, { tracking_number: 'P-1', items: [{ sku: one, quantity: 1 }] })
    const part = { sku: one, order_line_remote_id: `${remoteId}-1`, quantity: 1 }
    expect([first.status, first.data['items']]).toEqual([201, [part]])
    const half = await inShop(remoteId)
    expect(half).toMatchObject({ fulfillment_status: 'partial', shipments: [{ lines: [{ quantity: 1 }] }] })
    expect(await orderOf(id)).toMatchObject({
      status: 'PENDING',
      fulfillment_status: 'partial',
      items: [{ quantity_fulfilled: 1 }, { quantity_fulfilled: 0 }],
    })
    await readAgain(remoteId)
    expect(await orderOf(id)).toMatchObject({ status: 'PENDING', fulfillment_status: 'partial' })

    // Another one with all that is left makes it whole, here and there.
    expect((await ship(id, { tracking_number: 'P-2' })).data['items']).toMatchObject([
      { sku: one, quantity: 1 },
      { sku: two, quantity: 1 },
    ])
    expect(await inShop(remoteId)).toMatchObject({ status: 'completed', fulfillment_status: 'fulfilled' })
    expect(await orderOf(id)).toMatchObject({ status: 'SHIPPED', fulfillment_status: 'fulfilled' })
  })

  test('that is only packed, was called off or got lost is not told to the shop; one that was packed is when it leaves', async () => {
    const { id, remoteId } = await newOrder([{ sku: one, quantity: 3 }])
    const packed = { tracking_number: 'P-1', items: [{ sku: one, quantity: 1 }] }
    expect(await ship(id, { ...packed, status: 'PENDING' })).toMatchObject({ status: 201, data: { remote_id: null } })
    for (const status of ['FAILED', 'CANCELLED']) {
      expect(await ship(id, { tracking_number: status, status })).toMatchObject({ status: 201, data: { status } })
    }
    expect(await inShop(remoteId)).toMatchObject({ fulfillment_status: 'unfulfilled', shipments: [] })
    expect(await orderOf(id)).toMatchObject({ status: 'PENDING', fulfillment_status: 'unfulfilled' })

    const left = await ship(id, { tracking_number: 'P-1', status: 'SHIPPED' })
    expect(left).toMatchObject({ status: 200, data: { status: 'SHIPPED', remote_id: expect.any(String) } })
    const parcels = [{ tracking_number: 'P-1', lines: [{ quantity: 1 }] }]
    expect(await inShop(remoteId)).toMatchObject({ fulfillment_status: 'partial', shipments: parcels })
    expect(await orderOf(id)).toMatchObject({ fulfillment_status: 'partial', items: [{ quantity_fulfilled: 1 }] })
  })

  test('two parcels by items that hold everything make the order SHIPPED', async () => {
    const { id, remoteId } = await newOrder([
      { sku: one, quantity: 1 },
      { sku: two, quantity: 1 },
    ])
    await ship(id, { tracking_number: 'P-1', items: [{ sku: one, quantity: 1 }] })
    await ship(id, { tracking_number: 'P-2', items: [{ order_line_remote_id: `${remoteId}-2`, quantity: 1 }] })
    expect(await orderOf(id)).toMatchObject({ status: 'SHIPPED' })
  })

  test('an article on several lines is spread over them', async () => {
    const { id, remoteId } = await newOrder([
      { sku: one, quantity: 1 },
      { sku: one, quantity: 2 },
    ])
    const { data } = await ship(id, { tracking_number: 'P-1', items: [{ sku: one, quantity: 2 }] })
    expect(data['items']).toEqual([
      { sku: one, order_line_remote_id: `${remoteId}-1`, quantity: 1 },
      { sku: one, order_line_remote_id: `${remoteId}-2`, quantity: 1 },
    ])
  })

  test('what is not in the order, or no longer left, is 422 at its field, and the shop is told nothing', async () => {
    const { id, remoteId } = await newOrder([{ sku: one, quantity: 2 }])
    const unknown = await ship(id, { tracking_number: 'P-1', items: [{ sku: 'NO-SUCH', quantity: 99 }] })
    expect([unknown.status, unknown.errors]).toEqual([
      422,
      { 'items.0.sku': ['The selected items.0.sku is not in the order.'] },
    ])
    const line = await ship(id, { tracking_number: 'P-1', items: [{ order_line_remote_id: '999', quantity: 1 }] })
    expect(Object.keys(line.errors ?? {})).toEqual(['items.0.order_line_remote_id'])
    const more = await ship(id, { tracking_number: 'P-1', items: [{ sku: one, quantity: 3 }] })
    expect([more.status, more.errors]).toEqual([
      422,
      { 'items.0.quantity': ['The items.0.quantity field is more than is left to ship: only 2.'] },
    ])
    const none = await ship(id, { tracking_number: 'P-1', items: [{ quantity: 1 }] })
    expect([none.status, Object.keys(none.errors ?? {})]).toEqual([422, ['items.0.sku']])
    expect(await inShop(remoteId)).toMatchObject({ fulfillment_status: 'unfulfilled', shipments: [] })

    await ship(id, { tracking_number: 'P-1' })
    const left = await ship(id, { tracking_number: 'P-2', items: [{ sku: one, quantity: 1 }], force: true })
    expect([left.status, left.errors]).toEqual([422, { items: ['Nothing in the order is left to ship.'] }])
    const all = await ship(id, { tracking_number: 'P-2' })
    expect([all.status, all.errors]).toEqual([422, { items: ['Nothing in the order is left to ship.'] }])
    expect((await inShop(remoteId)).shipments).toHaveLength(1)
  })

  test('the same again is answered as before, and other contents are refused', async () => {
    const { id, remoteId } = await newOrder([{ sku: one, quantity: 2 }])
    const parcel = { tracking_number: 'P-1', items: [{ sku: one, quantity: 2 }] }
    const first = await ship(id, parcel)
    const again = await ship(id, parcel)
    expect([again.status, again.data['id'], again.data['items']]).toEqual([200, first.data['id'], first.data['items']])
    expect((await ship(id, { tracking_number: 'P-1', items: [{ sku: one, quantity: 1 }] })).errors).toHaveProperty(
      'items',
    )
    expect((await inShop(remoteId)).shipments).toHaveLength(1)
  })

  test('of an order that was made here, too', async () => {
    const items = [{ sku: 'A-1', quantity: 2, price: '1' }]
    const { data } = await gateway.call('POST', '/orders', { currency: 'EUR', total: '2', items })
    const id = Number(data['id'])
    expect((await ship(id, { tracking_number: 'P-1', items: [{ sku: 'B-1', quantity: 1 }] })).status).toBe(422)
    await ship(id, { tracking_number: 'P-1', items: [{ sku: 'A-1', quantity: 1 }] })
    expect(await orderOf(id)).toMatchObject({ status: 'PENDING', fulfillment_status: 'partial' })
    await ship(id, { tracking_number: 'P-2', items: [{ sku: 'A-1', quantity: 1 }] })
    expect(await orderOf(id)).toMatchObject({ status: 'SHIPPED' })
    expect((await ship(id, { tracking_number: 'P-3' })).errors).toEqual({
      items: ['Nothing in the order is left to ship.'],
    })
  })
})

describe('the shop is looked at first', () => {
  test('an order that was cancelled there in the meantime is not shipped', async () => {
    const { id, remoteId } = await newOrder([{ sku: one, quantity: 1 }])
    await cancelInShop(remoteId)
    const parcel = await ship(id, { tracking_number: 'P-1' })
    const sentence = 'The order has been cancelled in the shop. Set force to do it anyway.'
    expect([parcel.status, parcel.errors]).toEqual([422, { order_id: [sentence] }])
    const forced = await ship(id, { tracking_number: 'P-1', force: true })
    // This shop does not do it, and says so at a field too.
    expect([forced.status, forced.errors]).toEqual([422, { shop: ['A cancelled order can not be sent.'] }])
    expect((await inShop(remoteId)).shipments).toEqual([])
  })

  test('an order that was shipped there in the meantime is not cancelled', async () => {
    const { id, remoteId } = await newOrder([{ sku: one, quantity: 1 }])
    const { connector, shop } = await open()
    const draft = { order_remote_id: remoteId, tracking_number: 'X', carrier: 'DHL' }
    await connector.shipments?.create.send(shop, draft, { id: 'elsewhere' })
    const answer = await gateway.call('PUT', `/orders/${id}/cancel`, {})
    expect([answer.status, answer.errors]).toEqual([
      422,
      { status: ['The order has already been shipped. Set force to do it anyway.'] },
    ])
    expect(await orderOf(id)).toMatchObject({ status: 'PENDING' })
  })
})

describe('a correction', () => {
  test('of carrier and link reaches the shop, and stays', async () => {
    const { id, remoteId } = await newOrder([{ sku: one, quantity: 1 }])
    await ship(id, { tracking_number: 'AAA', tracking_url: 'https://dhl.example/a' })
    const corrected = { tracking_number: 'AAA', carrier: 'UPS', tracking_url: 'https://ups.example/new' }
    expect(await ship(id, corrected)).toMatchObject({ status: 200, data: corrected })
    expect((await inShop(remoteId)).shipments).toMatchObject([
      { carrier_name: 'UPS', tracking_number: 'AAA', tracking_url: 'https://ups.example/new' },
    ])
    await readAgain(remoteId)
    expect(await ship(id, corrected)).toMatchObject({ status: 200, data: corrected })
  })

  test('of the number does, too', async () => {
    const { id, remoteId } = await newOrder([{ sku: one, quantity: 1 }])
    const { data } = await ship(id, { tracking_number: 'WRONG', tracking_url: 'https://dhl.example/wrong' })
    const corrected = { tracking_number: 'RIGHT', previous_tracking_number: 'WRONG' }
    const expected = { status: 200, data: { id: data['id'], tracking_number: 'RIGHT', tracking_url: null } }
    expect(await ship(id, corrected)).toMatchObject(expected)
    expect((await inShop(remoteId)).shipments).toMatchObject([{ tracking_number: 'RIGHT', tracking_url: null }])
    await readAgain(remoteId)
    expect(await ship(id, corrected)).toMatchObject(expected)
    expect((await inShop(remoteId)).shipments).toHaveLength(1)
    const unknown = await ship(id, { tracking_number: 'OTHER', previous_tracking_number: 'WRONG' })
    expect([unknown.status, Object.keys(unknown.errors ?? {})]).toEqual([422, ['previous_tracking_number']])
  })

  test('of the number sets the number free: the parcel that has it is told to the shop', async () => {
    const { id, remoteId } = await newOrder([
      { sku: one, quantity: 1 },
      { sku: two, quantity: 1 },
    ])
    const first = await ship(id, { tracking_number: 'SECOND', items: [{ sku: one, quantity: 1 }] })
    await ship(id, { tracking_number: 'FIRST', previous_tracking_number: 'SECOND' })
    const second = await ship(id, { tracking_number: 'SECOND', items: [{ sku: two, quantity: 1 }] })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.data).toMatchObject({ items: [{ sku: two, quantity: 1 }] })
    expect((await inShop(remoteId)).shipments).toMatchObject([
      { tracking_number: 'FIRST', lines: [{ order_line_remote_id: `${remoteId}-1` }] },
      { tracking_number: 'SECOND', lines: [{ order_line_remote_id: `${remoteId}-2` }] },
    ])
  })
})

describe('a parcel that was taken back', () => {
  const act = async (fields: object, workKey: string | null = null) =>
    await runAction(gateway.context, gateway.integration, { ...fields }, workKey)

  test('and leaves after all is told to the shop again, under the same number', async () => {
    const { remoteId } = await newOrder([{ sku: one, quantity: 1 }])
    const parcel = { order_remote_id: remoteId, tracking_number: 'BACK', carrier: 'DHL' }
    await act({ resource: 'create_shipment', ...parcel })
    const cancel = { resource: 'cancel_shipment', order_remote_id: remoteId, tracking_number: 'BACK' }
    await act(cancel, 'taken back')
    expect(await inShop(remoteId)).toMatchObject({ status: 'open' })
    await act({ resource: 'create_shipment', ...parcel })
    expect(await inShop(remoteId)).toMatchObject({ status: 'completed' })
    // Once: asked again it is the same one, and taking the first one back, asked for again, is no other wish.
    await act(cancel, 'taken back')
    await act({ resource: 'create_shipment', ...parcel })
    expect((await inShop(remoteId)).shipments.filter(({ status }) => status !== 'cancelled')).toHaveLength(1)
  })
})
