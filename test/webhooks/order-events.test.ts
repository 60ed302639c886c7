import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrderReturn } from '../../src/commerce/order.ts'
import { acknowledgeOrders } from '../../src/domain/orders/acknowledgement/acknowledge-orders.ts'
import { cancelOrder } from '../../src/domain/orders/cancel-order.ts'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { changeOrder, orderByRemoteId } from '../../src/domain/orders/order-store.ts'
import { removeVanishedOrders, upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { deleteOrder } from '../../src/domain/orders/privacy/delete-order-store.ts'
import { historyOfOrders } from '../../src/domain/orders/privacy/history-store.ts'
import { storeReturns } from '../../src/domain/orders/returns/return-store.ts'
import { recordShipment } from '../../src/domain/shipments/record-shipment.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { eventsDuring, typesOf } from '../support/event-watch.ts'
import { incomingOrder, orderInput } from '../support/orders.ts'
import { openWebhookLab, type WebhookLab } from '../support/webhook-lab.ts'

let lab: WebhookLab

beforeAll(async () => {
  lab = await openWebhookLab()
  await lab.subscribe('http://127.0.0.1:9/hook')
})
afterAll(() => lab.close())

const during = (work: () => Promise<unknown>, whose?: Parameters<typeof eventsDuring>[2]) =>
  eventsDuring(lab, work, whose)

describe('orders', () => {
  test('that are made, changed, acknowledged, cancelled and deleted here are told', async () => {
    const { context, integration } = lab
    const made = await during(async () => {
      const order = await createOrder(context, integration, orderInput({ number: '#7' }))
      const change = { id: order.id, changes: { number: '#8' } }
      await context.transaction((trx) => changeOrder(trx, integration.id, change))
      await acknowledgeOrders(context, integration, [order.id])
      await cancelOrder(context, integration, { order, reason: null })
      await context.transaction((trx) => deleteOrder(trx, integration.id, order.id))
    })
    expect(typesOf(made)).toEqual([
      'order.created',
      'order.updated',
      'order.updated',
      'order.acknowledged',
      'order.updated',
      'order.cancelled',
      'order.deleted',
    ])
    expect(new Set(made.map(({ subject }) => subject)).size).toBe(1)
    expect(made[3]?.data).toMatchObject({ status: 'ACKNOWLEDGED', previous_status: 'PENDING', number: '#8' })
  })

  test('that a shop tells of are told, changes only if there are any', async () => {
    const { context, integration } = lab
    const sync = async (...orders: ReturnType<typeof incomingOrder>[]) => {
      const ids = await takeIds(context.db, 'orders', orders.length)
      await context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
    }
    const vanish = (id: string) => context.transaction((trx) => removeVanishedOrders(trx, integration.id, [id]))
    expect(typesOf(await during(() => sync(incomingOrder('a'), incomingOrder('b'))))).toEqual([
      'order.created',
      'order.created',
    ])
    expect(await during(() => sync(incomingOrder('a')))).toEqual([])
    const cancelled = incomingOrder('a', { status: 'CANCELLED', remote_version: '2' })
    const made = await during(() => sync(cancelled, incomingOrder('b')))
    expect(typesOf(made)).toEqual(['order.updated', 'order.cancelled'])
    expect(made[0]?.data).toMatchObject({ status: 'CANCELLED', previous_status: 'PENDING', remote_id: 'a' })
    expect(typesOf(await during(() => vanish('b')))).toEqual(['order.deleted'])
    expect(typesOf(await during(() => sync(incomingOrder('b'))))).toEqual(['order.created'])
  })

  test('that the buyer wants cancelled are told once for each wish, with a line in their history', async () => {
    const { context, integration } = lab
    const sync = async (more: Parameters<typeof incomingOrder>[1]) => {
      const ids = await takeIds(context.db, 'orders', 1)
      await context.transaction((trx) =>
        upsertOrders(trx, integration.id, { ids, orders: [incomingOrder('wish', more)] }),
      )
    }
    const told = async (version: string, more: Parameters<typeof incomingOrder>[1]) =>
      typesOf(await during(() => sync({ remote_version: version, ...more })))
    const wanted = { cancel_requested: true }
    expect(await told('1', {})).toEqual(['order.created'])
    expect(await told('2', wanted)).toEqual(['order.updated', 'order.cancel_requested'])
    expect(await told('2', wanted)).toEqual([])
    expect(await told('3', { ...wanted, total: '11.00' })).toEqual(['order.updated'])
    expect(await told('4', {})).toEqual(['order.updated'])
    expect(await told('5', wanted)).toEqual(['order.updated', 'order.cancel_requested'])
    expect(await told('6', { status: 'CANCELLED' })).toEqual(['order.updated', 'order.cancelled'])
    expect(await told('7', { status: 'CANCELLED', ...wanted })).toEqual(['order.updated'])
    const { id } = await orderByRemoteId(context.db, integration.id, 'wish')
    const made = 'The buyer asked for the order to be cancelled.'
    const withdrawn = 'The buyer no longer wants the order cancelled.'
    expect((await historyOfOrders(context.db, integration.id, [id])).map(({ note }) => note)).toEqual([
      null,
      made,
      withdrawn,
      made,
      null,
    ])
    const born = await during(async () => {
      const ids = await takeIds(context.db, 'orders', 1)
      await context.transaction((trx) =>
        upsertOrders(trx, integration.id, { ids, orders: [incomingOrder('born', wanted)] }),
      )
    })
    expect(typesOf(born)).toEqual(['order.created', 'order.cancel_requested'])
  })

  test('that come back are told once for each return, with a line in their history for each step', async () => {
    const { context, integration } = lab
    const back = (id: string, status: OrderReturn['status']): OrderReturn => ({
      ...{ remote_id: id, status, remote_status: status, requested_at: '2026-11-03T10:00:00.000000Z' },
      lines: [{ order_line_remote_id: 'L1', quantity: 1, reason: 'Too small' }],
    })
    const told = async (version: string, returns: OrderReturn[]) =>
      typesOf(
        await during(async () => {
          const ids = await takeIds(context.db, 'orders', 1)
          const orders = [incomingOrder('back', { remote_version: version, returns })]
          await context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
        }),
      )
    expect(await told('1', [])).toEqual(['order.created'])
    const [first, over] = [back('1', 'requested'), back('2', 'completed')]
    expect(await told('2', [first])).toEqual(['order.updated', 'order.return_requested'])
    expect(await told('2', [first])).toEqual([])
    expect(await told('3', [back('1', 'partially_received')])).toEqual(['order.updated'])
    // What is over before anybody hears of it asks for nothing.
    expect(await told('4', [back('1', 'received'), over])).toEqual(['order.updated'])
    expect(await told('5', [back('1', 'received'), over, back('3', 'approved')])).toContain('order.return_requested')
    const order = await orderByRemoteId(context.db, integration.id, 'back')
    expect((await historyOfOrders(context.db, integration.id, [order.id])).map(({ note }) => note)).toEqual([
      null,
      'A return was requested.',
      'A return is partially received.',
      'A return is received. A return is completed.',
      'A return was requested.',
    ])
    expect(order.returns).toMatchObject([{ status: 'received' }, { status: 'completed' }, { status: 'approved' }])
  })

  test('that come back as a list of returns tells are told once; what was there before anybody asked requests nothing', async () => {
    const { context, integration } = lab
    const ids = await takeIds(context.db, 'orders', 1)
    const orders = [incomingOrder('listed')]
    await context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
    const listed = async (id: string, isFirst: boolean) =>
      typesOf(
        await during(async () => {
          const back = {
            remote_id: id,
            status: 'requested' as const,
            remote_status: 'OPEN',
            requested_at: null,
            lines: [],
          }
          const returns = [{ order_remote_id: 'listed', updated_at: '2026-11-03T10:00:00.000000Z', told: back }]
          await context.transaction((trx) => storeReturns(trx, integration.id, { returns, isFirst }))
        }),
      )
    expect(await listed('1', true)).toEqual(['order.updated'])
    expect(await listed('2', false)).toEqual(['order.updated', 'order.return_requested'])
    expect(await listed('2', false)).toEqual([])
  })

  test('that are shipped are told with their parcel, once', async () => {
    const { context, integration } = lab
    const order = await createOrder(context, integration, orderInput())
    const parcel = { order_id: order.id, tracking_number: 'T1', carrier: 'DHL' }
    const made = await during(() => recordShipment(context, integration, parcel))
    expect(typesOf(made)).toEqual(['shipment.created', 'order.updated'])
    expect(new Set(made.map(({ subject }) => subject)).size).toBe(1)
    expect(typesOf(await during(() => recordShipment(context, integration, parcel)))).toEqual([])
    const arrived = await during(() => recordShipment(context, integration, { ...parcel, status: 'DELIVERED' }))
    expect(typesOf(arrived)).toEqual(['shipment.updated', 'order.updated'])
    expect(arrived[0]?.data).toMatchObject({ status: 'DELIVERED', previous_status: 'SHIPPED' })
  })
})
