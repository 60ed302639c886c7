import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockOrders } from '../../src/domain/orders/order-store.ts'
import { waitingForLocks } from '../support/just-before.ts'
import { until } from '../support/until.ts'
import { type Gateway, openGateway, reportParcel } from './support.ts'

/** Parcels of orders that are kept here only: they alone say what has gone. */

let gateway: Gateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.server.close())

const ship = (orderId: number, fields: Record<string, unknown>) => reportParcel(gateway, orderId, fields)
const orderOf = async (id: number) => (await gateway.call('GET', `/orders/${id}`)).data

describe('the lines of an order that no shop knows', () => {
  test('keep what has left of them when they are written anew', async () => {
    const [tea, cup] = [
      { sku: 'T-1', name: 'Tea', quantity: 3, price: '1' },
      { sku: 'C-1', name: 'Cup', quantity: 1, price: '2' },
    ]
    const draft = { placed_at: '2026-11-01T10:00:00Z', currency: 'EUR', total: '5', items: [tea, cup] }
    const id = Number((await gateway.call('POST', '/orders', draft)).data['id'])
    expect((await ship(id, { tracking_number: 'A-1', items: [{ sku: 'T-1', quantity: 2 }] })).status).toBe(201)
    const changed = await gateway.call('PUT', `/orders/${id}`, { items: [cup, { ...tea, name: 'Green tea' }] })
    const lines = [
      { sku: 'C-1', quantity_fulfilled: 0 },
      { sku: 'T-1', name: 'Green tea', quantity_fulfilled: 2 },
    ]
    expect(changed.data).toMatchObject({ fulfillment_status: 'partial', items: lines })
    const fewer = await gateway.call('PUT', `/orders/${id}`, { items: [{ ...tea, quantity: 1 }, tea] })
    expect(fewer.data['items']).toMatchObject([{ quantity_fulfilled: 1 }, { quantity_fulfilled: 1 }])
  })
})

/** Whoever changes orders of the shop waits until so many do, and then they go on one behind the other, as they came. */
async function together<Answer>(calls: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  const { context, integration } = gateway
  const answers = await context.transaction(async (trx) => {
    await lockOrders(trx, integration.id, [])
    const asked: Promise<Answer>[] = []
    for (const call of calls) {
      asked.push(call())
      await until(async () => (await waitingForLocks(context)) === asked.length)
    }
    return { asked: Promise.all(asked) }
  })
  return await answers.asked
}

/** An order that no shop knows. */
const newHere = async () => {
  const { context, integration } = gateway
  const items = [{ sku: 'A-1', quantity: 3, price: '1' }]
  const { data } = await gateway.call('POST', '/orders', { currency: 'EUR', total: '3', items })
  // As a service leaves them that takes no orders.
  await sql`update orders set remote_version = null
    where integration_id = ${integration.id} and id = ${data['id']}`.execute(context.db)
  return Number(data['id'])
}

describe('two parcels of an order that no shop knows, reported at the same moment,', () => {
  const parcelsOf = async (id: number) => {
    const { rows } = await sql<{ items: { quantity: number }[] }>`
      select items from shipments
      where integration_id = ${gateway.integration.id} and order_id = ${id} order by id`.execute(gateway.context.db)
    return rows.map(({ items }) => items.reduce((sum, { quantity }) => sum + quantity, 0))
  }

  test('do not both take the last pieces', async () => {
    const id = await newHere()
    const items = [{ sku: 'A-1', quantity: 2 }]
    const answers = await together(['P-1', 'P-2'].map((number) => () => ship(id, { tracking_number: number, items })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(answers.find(({ status }) => status === 422)?.errors).toEqual({
      'items.0.quantity': ['The items.0.quantity field is more than is left to ship: only 1.'],
    })
    expect(await parcelsOf(id)).toEqual([2])
    expect(await orderOf(id)).toMatchObject({ status: 'PENDING', fulfillment_status: 'partial' })
  })

  test('are not both everything that is left', async () => {
    const id = await newHere()
    const answers = await together(['P-1', 'P-2'].map((number) => () => ship(id, { tracking_number: number })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(await parcelsOf(id)).toEqual([3])
  })

  test('are one if they have one number, whose contents are no longer changed', async () => {
    const id = await newHere()
    const calls = [1, 2].map(
      (quantity) => () => ship(id, { tracking_number: 'P-1', items: [{ sku: 'A-1', quantity }] }),
    )
    const answers = await together(calls)
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    const first = answers.find(({ status }) => status === 201)
    expect((await parcelsOf(id))[0]).toBe((first?.data['items'] as { quantity: number }[] | undefined)?.[0]?.quantity)
    const same = await together([1, 2].map(() => () => ship(id, { tracking_number: 'P-2' })))
    expect(same.map(({ status }) => status).sort()).toEqual([200, 201])
    expect(same[0]?.data['items']).toEqual(same[1]?.data['items'])
  })
})

describe('a parcel that was called off', () => {
  const pieces = (quantity: number) => [{ sku: 'A-1', quantity }]

  test('leaves its pieces to others, and what had gone with it has not gone', async () => {
    const id = await newHere()
    await ship(id, { tracking_number: 'P-1', items: pieces(2) })
    await ship(id, { tracking_number: 'P-1', status: 'CANCELLED' })
    expect(await orderOf(id)).toMatchObject({ fulfillment_status: 'unfulfilled', items: [{ quantity_fulfilled: 0 }] })
    await ship(id, { tracking_number: 'P-2', items: pieces(1) })
    expect(await orderOf(id)).toMatchObject({ fulfillment_status: 'partial', items: [{ quantity_fulfilled: 1 }] })
    expect((await ship(id, { tracking_number: 'P-3', items: pieces(2) })).status).toBe(201)
    expect(await orderOf(id)).toMatchObject({ status: 'SHIPPED', items: [{ quantity_fulfilled: 3 }] })
  })

  test('and goes after all takes its pieces again, unless another one holds them by now', async () => {
    const id = await newHere()
    await ship(id, { tracking_number: 'P-1', items: pieces(2) })
    await ship(id, { tracking_number: 'P-1', status: 'CANCELLED' })
    const goes = { tracking_number: 'P-1', status: 'SHIPPED' }
    expect(await ship(id, goes)).toMatchObject({ status: 200, data: { status: 'SHIPPED', items: pieces(2) } })
    await ship(id, { tracking_number: 'P-1', status: 'FAILED' })
    await ship(id, { tracking_number: 'P-2', items: pieces(2) })
    const refused = await ship(id, goes)
    expect([refused.status, refused.errors]).toEqual([
      422,
      { 'items.0.quantity': ['The items.0.quantity field is more than is left to ship: only 1.'] },
    ])
    expect(await ship(id, { ...goes, items: pieces(1) })).toMatchObject({ status: 200, data: { items: pieces(1) } })
    expect(await orderOf(id)).toMatchObject({ status: 'SHIPPED' })
  })

  test('and goes at the same moment as another one takes its pieces is refused, or the other one is', async () => {
    const id = await newHere()
    await ship(id, { tracking_number: 'P-1' })
    await ship(id, { tracking_number: 'P-1', status: 'CANCELLED' })
    const answers = await together([
      () => ship(id, { tracking_number: 'P-2' }),
      () => ship(id, { tracking_number: 'P-1', status: 'SHIPPED' }),
    ])
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(1)
  })
})
