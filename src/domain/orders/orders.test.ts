import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { faultOf } from '../../../test/support/identity.ts'
import { incomingOrder, orderInput as input } from '../../../test/support/orders.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import type { Integration } from '../integrations/integration.ts'
import { orderMaking } from '../operations/operation.ts'
import { useShop } from '../shop/use-shop.ts'
import { acknowledgeOrders } from './acknowledgement/acknowledge-orders.ts'
import { cancelOrder } from './cancel-order.ts'
import { createOrder } from './create-order.ts'
import {
  type HeldStatus,
  mayMove,
  type OrderStatus,
  orderStatuses,
  type SyncedOrder,
  statusAfterSync,
} from './order.ts'
import { listOrders, listSandboxOrders } from './order-list-store.ts'
import { changeOrder, findOrder, lockOrders, moveOrders } from './order-store.ts'
import { upsertOrders } from './order-upsert-store.ts'
import { deleteOrder } from './privacy/delete-order-store.ts'
import { historyOfOrders } from './privacy/history-store.ts'

let test_: TestContext
const context = () => test_.context

beforeAll(async () => {
  test_ = await createTestContext()
})
afterAll(() => test_.close())

const nobody = { appId: null }
const newIntegration = async (type = 'hand-made') => (await makeIntegration(context(), nobody, { type })).integration

async function sync(integration: Integration, orders: readonly SyncedOrder[]) {
  const ids = await takeIds(context().db, 'orders', orders.length)
  return await context().transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
}

const history = async (integration: Integration, orderId: number) =>
  (await historyOfOrders(context().db, integration.id, [orderId])).map(({ status, source, note }) => ({
    status,
    source,
    note,
  }))

const query = (filter: Record<string, string[]> = {}, page = 1, perPage = 100) => ({ page, perPage, filter, sort: [] })

describe('statuses', () => {
  test('nothing leads out of DELIVERED and CANCELLED', () => {
    for (const to of orderStatuses) {
      expect(mayMove('DELIVERED', to)).toBe(false)
      expect(mayMove('CANCELLED', to)).toBe(false)
    }
  })

  const held = (status: OrderStatus, more: Partial<HeldStatus> = {}): HeldStatus => ({
    status,
    acknowledged: false,
    underWay: false,
    ...more,
  })

  test('goods on their way cannot be cancelled here, but the shop may say so', () => {
    expect(mayMove('SHIPPED', 'CANCELLED')).toBe(false)
    expect(statusAfterSync(held('SHIPPED'), 'CANCELLED')).toBe('CANCELLED')
    expect(statusAfterSync(held('SHIPPED', { underWay: true }), 'CANCELLED')).toBe('CANCELLED')
  })

  test('the shop decides in every direction', () => {
    for (const from of orderStatuses) {
      for (const to of orderStatuses) expect(statusAfterSync(held(from), to)).toBe(to)
    }
  })

  test('an order that was acknowledged stays so when it is ready again', () => {
    expect(statusAfterSync(held('CANCELLED', { acknowledged: true }), 'PENDING')).toBe('ACKNOWLEDGED')
    expect(statusAfterSync(held('ACKNOWLEDGED', { acknowledged: true }), 'ON_HOLD')).toBe('ON_HOLD')
  })

  test('a report from before our own step does not undo it', () => {
    for (const before of ['UNPAID', 'ON_HOLD', 'PENDING'] as const) {
      expect(statusAfterSync(held('SHIPPED', { underWay: true }), before)).toBe('SHIPPED')
      expect(statusAfterSync(held('CANCELLED', { underWay: true }), before)).toBe('CANCELLED')
    }
    expect(statusAfterSync(held('SHIPPED', { underWay: true }), 'DELIVERED')).toBe('DELIVERED')
  })
})

describe('orders made here', () => {
  test('keep the scale of their money and get a remote id', async () => {
    const integration = await newIntegration()
    const order = await createOrder(context(), integration, input())
    expect(order).toMatchObject({ total: '33.20', status: 'PENDING', remote_id: `entrepot-${order.id}`, customer: {} })
    expect(await history(integration, order.id)).toEqual([{ status: 'PENDING', source: 'api', note: null }])
  })

  test('cannot take a remote id twice, not even that of a deleted order', async () => {
    const integration = await newIntegration()
    const order = await createOrder(context(), integration, input({ remote_id: 'X' }))
    await context().transaction((trx) => deleteOrder(trx, integration.id, order.id))
    const fault = await faultOf(createOrder(context(), integration, input({ remote_id: 'X' })))
    expect(fault.errors).toEqual({ remote_id: ['The remote id has already been taken.'] })
  })

  test('belong to one integration', async () => {
    const [mine, other] = [await newIntegration(), await newIntegration()]
    const order = await createOrder(context(), mine, input({ remote_id: 'same' }))
    await createOrder(context(), other, input({ remote_id: 'same' }))
    expect((await faultOf(findOrder(context().db, other.id, order.id))).kind).toBe('not_found')
    expect(
      (await faultOf(changeOrder(context().db, other.id, { id: order.id, changes: { number: 'stolen' } }))).kind,
    ).toBe('not_found')
    expect((await faultOf(acknowledgeOrders(context(), other, [order.id]))).errors).toHaveProperty(['orders.0'])
  })

  test('keep what a change leaves out', async () => {
    const integration = await newIntegration()
    const order = await createOrder(context(), integration, input({ number: '#1', customer: { name: 'Ada' } }))
    const changed = await changeOrder(context().db, integration.id, {
      id: order.id,
      changes: { number: '#2', billing_address: { city: 'Paris' } },
    })
    expect(changed).toMatchObject({
      number: '#2',
      customer: { name: 'Ada' },
      billing_address: { city: 'Paris' },
      items: order.items,
    })
  })

  test('are gone once deleted, and only once', async () => {
    const integration = await newIntegration()
    const { id } = await createOrder(context(), integration, input())
    const remove = () => context().transaction((trx) => deleteOrder(trx, integration.id, id))
    await remove()
    expect((await faultOf(remove())).kind).toBe('not_found')
    expect((await listOrders(context().reader, integration.id, query())).total).toBe(0)
  })
})

describe('acknowledging', () => {
  test('takes orders out of the queue, and twice is as good as once', async () => {
    const integration = await newIntegration()
    const a = await createOrder(context(), integration, input())
    const b = await createOrder(context(), integration, input())
    const [first] = await acknowledgeOrders(context(), integration, [a.id])
    const [second] = await acknowledgeOrders(context(), integration, [a.id])
    expect(first?.order).toMatchObject({ status: 'ACKNOWLEDGED', acknowledged_at: expect.any(String) })
    expect(second?.order).toEqual(first?.order)
    expect((await listOrders(context().reader, integration.id, query())).rows.map((row) => row.id)).toEqual([b.id])
    const all = await listOrders(context().reader, integration.id, query({ acknowledged: ['all'] }))
    expect(all.rows.map((row) => row.id)).toEqual([a.id, b.id])
    const done = await listOrders(context().reader, integration.id, query({ acknowledged: ['true'] }))
    expect(done.rows.map((row) => row.id)).toEqual([a.id])
  })

  test('names every id that is unknown, and then acknowledges none', async () => {
    const integration = await newIntegration()
    const { id } = await createOrder(context(), integration, input())
    const fault = await faultOf(acknowledgeOrders(context(), integration, [id, 999_999_999, 999_999_998]))
    expect(fault.errors).toEqual({
      'orders.1': ['The selected orders.1 is invalid.'],
      'orders.2': ['The selected orders.2 is invalid.'],
    })
    expect((await findOrder(context().db, integration.id, id)).acknowledged_at).toBeNull()
  })

  test('tells a shop that wants to know, and keeps what it refuses in the queue', async () => {
    const { integration } = await makeIntegration(context(), nobody, { type: 'sandbox' })
    await sync(integration, [incomingOrder('1001'), incomingOrder('no-such-order')])
    const { rows } = await listOrders(context().reader, integration.id, query())
    const results = await acknowledgeOrders(
      context(),
      integration,
      rows.map((row) => row.id),
    )
    expect(results.map(({ order, error }) => [order.remote_id, order.status, error])).toEqual([
      ['1001', 'ACKNOWLEDGED', null],
      ['no-such-order', 'PENDING', 'The shop has no such order.'],
    ])
  })

  test('is refused while the integration is not active, if the shop would have to be notified', async () => {
    const { integration } = await makeIntegration(context(), nobody, { type: 'sandbox', status: 'INACTIVE' })
    const { inserted } = await sync(integration, [incomingOrder('1001')])
    expect((await faultOf(acknowledgeOrders(context(), integration, inserted))).errors).toHaveProperty('status')
  })
})

describe('cancelling', () => {
  test('happens once, and keeps the reason', async () => {
    const integration = await newIntegration()
    const order = await createOrder(context(), integration, input())
    const cancelled = await cancelOrder(context(), integration, { order, reason: 'out of stock' })
    expect(cancelled).toMatchObject({ status: 'CANCELLED', cancelled_at: expect.any(String) })
    expect(await cancelOrder(context(), integration, { order, reason: null })).toEqual(cancelled)
    expect((await history(integration, order.id)).at(-1)).toEqual({
      status: 'CANCELLED',
      source: 'api',
      note: 'out of stock',
    })
  })

  test('is refused once the goods have left', async () => {
    const integration = await newIntegration()
    const { inserted } = await sync(integration, [incomingOrder('1', { status: 'SHIPPED' })])
    const order = await findOrder(context().db, integration.id, inserted[0] ?? 0)
    expect((await faultOf(cancelOrder(context(), integration, { order, reason: null }))).errors).toEqual({
      status: ['The selected status is invalid.'],
    })
  })
})

describe('a page from the shop', () => {
  test('is stored once, however often it comes', async () => {
    const integration = await newIntegration()
    const page = [incomingOrder('1'), incomingOrder('2'), incomingOrder('2', { remote_version: '2', total: '12.00' })]
    expect(await sync(integration, page)).toMatchObject({ inserted: [expect.any(Number), expect.any(Number)] })
    const before = await listOrders(context().reader, integration.id, query())
    expect(await sync(integration, page)).toMatchObject({ inserted: [], updated: [], unchanged: 3 })
    expect(await listOrders(context().reader, integration.id, query())).toEqual(before)
    expect(before.rows.map((row) => row.total)).toEqual(['10.00', '12.00'])
  })

  test('older than what is held changes nothing', async () => {
    const integration = await newIntegration()
    await sync(integration, [incomingOrder('1', { remote_version: '2026-11-02', total: '2.00' })])
    expect(
      await sync(integration, [incomingOrder('1', { remote_version: '2026-11-01', total: '1.00' })]),
    ).toMatchObject({
      unchanged: 1,
    })
    const { rows } = await listOrders(context().reader, integration.id, query())
    expect(rows[0]?.total).toBe('2.00')
  })

  test('does not bring back what was deleted here', async () => {
    const integration = await newIntegration()
    const { inserted } = await sync(integration, [incomingOrder('1')])
    await context().transaction((trx) => deleteOrder(trx, integration.id, inserted[0] ?? 0))
    await sync(integration, [incomingOrder('1', { remote_version: '2' })])
    expect((await listOrders(context().reader, integration.id, query({ acknowledged: ['all'] }))).total).toBe(0)
  })

  test('leaves a trace of every step of an order', async () => {
    const integration = await newIntegration()
    const { inserted } = await sync(integration, [incomingOrder('1')])
    await sync(integration, [
      incomingOrder('1', { remote_version: '2', status: 'CANCELLED', remote_status: 'cancelled' }),
    ])
    const id = inserted[0] ?? 0
    expect((await history(integration, id)).map((entry) => entry.status)).toEqual(['PENDING', 'CANCELLED'])
    expect((await findOrder(context().db, integration.id, id)).cancelled_at).toEqual(expect.any(String))
  })
})

describe('the shop decides', () => {
  const newest = async (integration: Integration, id: number) => await findOrder(context().db, integration.id, id)
  const then = (version: number, status: OrderStatus) =>
    incomingOrder('1', { remote_version: String(version), status, remote_status: status.toLowerCase() })

  test.each([
    ['paid after all', 'UNPAID', 'PENDING'],
    ['cancelled for want of money, and then the money came', 'CANCELLED', 'PENDING'],
    ['shipped and taken back', 'SHIPPED', 'PENDING'],
    ['cancelled after its delivery', 'DELIVERED', 'CANCELLED'],
    ['paid back', 'PENDING', 'REFUNDED'],
    ['put on hold', 'PENDING', 'ON_HOLD'],
  ] as const)('%s', async (_, before, after) => {
    const integration = await newIntegration()
    const { inserted } = await sync(integration, [then(1, before)])
    const id = inserted[0] ?? 0
    await sync(integration, [then(2, after)])
    const order = await newest(integration, id)
    expect([order.status, order.cancelled_at !== null]).toEqual([after, after === 'CANCELLED'])
    expect((await history(integration, id)).map(({ status }) => status)).toEqual([before, after])
    const found = await listOrders(context().reader, integration.id, query({ status: [after] }))
    expect(found).toMatchObject({ total: 1, rows: [{ id }] })
    expect((await listOrders(context().reader, integration.id, query({ status: [before] }))).total).toBe(0)
  })

  test('but not by a report from before our own change, as long as that is under way', async () => {
    const { integration } = await makeIntegration(context(), nobody, { type: 'sandbox' })
    const draft = { currency: 'EUR', lines: [{ sku: 'MUG-RED', quantity: 1 }] }
    const made = await useShop(context(), integration, orderMaking, (_shop, create, write) =>
      write({ kind: 'create_order', key: 'a', input: draft }, create),
    )
    const remoteId = made?.result.remote_id ?? ''
    const { inserted } = await sync(integration, [incomingOrder(remoteId, { remote_version: '1' })])
    const order = await newest(integration, inserted[0] ?? 0)
    await cancelOrder(context(), integration, { order, reason: null })
    await sync(integration, [incomingOrder(remoteId, { remote_version: '1' })])
    expect((await newest(integration, order.id)).status).toBe('CANCELLED')
    await sync(integration, [incomingOrder(remoteId, { remote_version: '2' })])
    expect(await newest(integration, order.id)).toMatchObject({ status: 'PENDING', cancelled_at: null })
  })

  test('nor over what it cannot be notified of, unless it says that all is over', async () => {
    const integration = await newIntegration()
    const { inserted } = await sync(integration, [then(1, 'PENDING')])
    const order = await newest(integration, inserted[0] ?? 0)
    await context().transaction(async (trx) => {
      const held = await lockOrders(trx, integration.id, [order.id])
      await moveOrders(trx, integration.id, held, [{ id: order.id, status: 'SHIPPED', inShop: false, source: 'api' }])
    })
    await sync(integration, [then(2, 'PENDING')])
    expect((await newest(integration, order.id)).status).toBe('SHIPPED')
    await sync(integration, [then(3, 'CANCELLED')])
    expect((await newest(integration, order.id)).status).toBe('CANCELLED')
  })
})

describe('lists', () => {
  test('of a status, a number or a remote id look beyond the queue', async () => {
    const integration = await newIntegration()
    const order = await createOrder(context(), integration, input({ number: '#7', remote_id: 'r7' }))
    await acknowledgeOrders(context(), integration, [order.id])
    for (const filter of [{ status: ['ACKNOWLEDGED'] }, { number: ['#7'] }, { remote_id: ['r7'] }]) {
      const found = await listOrders(context().reader, integration.id, query(filter))
      expect(found).toMatchObject({ total: 1, rows: [{ id: order.id }] })
    }
    const several = query({ status: ['acknowledged', 'PENDING'] })
    expect(await listOrders(context().reader, integration.id, several)).toMatchObject({ total: 1 })
    const nonsense = listOrders(context().reader, integration.id, query({ status: ['PENDING', 'NONSENSE'] }))
    expect((await faultOf(nonsense)).errors).toEqual({
      status: [`The selected status is invalid. Allowed: ${orderStatuses.join(', ')}.`],
    })
  })

  test('of the sandbox hold what no customer has placed', async () => {
    const { integration } = await makeIntegration(context(), nobody, { type: 'sandbox' })
    const live = await newIntegration()
    await createOrder(context(), integration, input())
    await createOrder(context(), live, input())
    await createOrder(context(), live, input({ sandbox: true }))
    expect((await listSandboxOrders(context().reader, integration.id, query())).total).toBe(1)
    expect((await listSandboxOrders(context().reader, live.id, query())).total).toBe(1)
  })
})
