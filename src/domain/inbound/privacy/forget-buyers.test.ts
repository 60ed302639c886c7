import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { earlier } from '../../../../test/support/earlier.ts'
import { makeIntegration } from '../../../../test/support/gateway.ts'
import { scriptedShop } from '../../../../test/support/order-shop.ts'
import { incomingOrder } from '../../../../test/support/orders.ts'
import { toTimestamp } from '../../../lib/timestamp.ts'
import { takeIds } from '../../../runtime/db/take-ids.ts'
import type { Context } from '../../context.ts'
import type { SyncedOrder } from '../../orders/order.ts'
import { orderByRemoteId } from '../../orders/order-store.ts'
import { upsertOrders } from '../../orders/order-upsert-store.ts'
import type { SyncedParcel } from '../../orders/parcels/parcel.ts'
import { historyOfOrders } from '../../orders/privacy/history-store.ts'
import { forgetBuyers, keptDays } from './forget-buyers.ts'

let tested: TestContext
let context: Context
beforeAll(async () => {
  tested = await createTestContext()
  const { connector } = scriptedShop(0)
  const { orders } = connector
  if (!orders) throw new Error('There are no orders.')
  const strict = { ...connector, type: 'strict', orders: { ...orders, keepPersonalDataDays: 30 } }
  const free = { ...connector, type: 'free' }
  context = { ...tested.context, connectors: new Map([strict, free].map((one) => [one.type, one])) }
})
afterAll(() => tested.close())

const daysAgo = (days: number) => toTimestamp(new Date(Date.now() - days * 86_400_000))
const connect = async (type = 'strict') => (await makeIntegration(context, { appId: null }, { type })).integration.id
const parcel = (shippedAt: string | null): SyncedParcel => ({
  ...{ remote_id: 'F1', tracking_number: 'T1', carrier: 'Post', tracking_url: null, status: 'SHIPPED', items: [] },
  shipped_at: shippedAt,
})

async function store(id: number, ...orders: (Partial<SyncedOrder> & { remote_id: string })[]) {
  const ids = await takeIds(context.db, 'orders', orders.length)
  const incoming = orders.map(({ remote_id: remoteId, ...more }) =>
    incomingOrder(remoteId, { status: 'SHIPPED', placed_at: daysAgo(60), ...more }),
  )
  await context.transaction((trx) => upsertOrders(trx, id, { ids, orders: incoming }))
}

/** As if it had been learned so many days ago. */
const backdate = (id: number, days: number) =>
  sql`update order_history set at = ${sql.raw(earlier('at', days * 86_400))} where integration_id = ${id}`.execute(
    context.db,
  )

const run = (more: Partial<Context> = {}) =>
  forgetBuyers.run({ ...context, ...more }, {}, { attempt: 1, signal: new AbortController().signal })

const known = async (id: number) => {
  const { rows } = await sql<{ remote_id: string }>`
    select remote_id from orders where integration_id = ${id} and private is not null
    order by remote_id`.execute(context.db)
  return rows.map((row) => row.remote_id)
}

describe('who bought', () => {
  test('is forgotten so many days after the order has left, and what was bought stays', async () => {
    const id = await connect()
    await store(
      id,
      { remote_id: 'left', parcels: [parcel(daysAgo(31))] },
      { remote_id: 'lately', parcels: [parcel(daysAgo(29))] },
      { remote_id: 'open', status: 'PENDING' },
    )
    await run()
    expect(await known(id)).toEqual(['lately', 'open'])
    const left = await orderByRemoteId(context.db, id, 'left')
    expect(left).toMatchObject({ customer: { redacted: true }, total: '10.00', items: [{ sku: 'A-1' }] })
    const notes = (await historyOfOrders(context.db, id, [left.id])).map(({ note }) => note)
    expect(notes).toEqual([
      null,
      'Customer data redacted 30 days after delivery, or after shipping where delivery is not known.',
    ])
    await store(id, { remote_id: 'left', remote_version: '9', parcels: [parcel(daysAgo(31))] })
    expect(await known(id)).toEqual(['lately', 'open'])
  })

  test('is known for as long after delivery, where that is known, and no longer than a month more after it left', async () => {
    const id = await connect()
    const arrived = { status: 'DELIVERED', parcels: [parcel(daysAgo(40))] } as const
    await store(id, { remote_id: 'under-way', parcels: [parcel(daysAgo(40))] }, { remote_id: 'arrived', ...arrived })
    await run()
    expect(await known(id)).toEqual(['arrived'])
    // Delivered 40 days ago, and read only now: nobody can say when it arrived.
    await store(id, { remote_id: 'read-late', status: 'DELIVERED', parcels: [parcel(daysAgo(61))] })
    await run()
    expect(await known(id)).toEqual(['arrived'])
    await backdate(id, 31)
    await run()
    expect(await known(id)).toEqual([])
  })

  test('of an old order that is read after the last look is forgotten as well', async () => {
    const id = await connect()
    await run()
    await store(id, { remote_id: 'old', placed_at: daysAgo(400), parcels: [parcel(daysAgo(399))] })
    expect(await known(id)).toEqual(['old'])
    await run()
    expect(await known(id)).toEqual([])
  })

  test('of an order without a date of its parcel is forgotten by when we learned of it, or when it was due', async () => {
    const id = await connect()
    await store(id, { remote_id: 'read-late', ship_by: daysAgo(50) }, { remote_id: 'no-date', placed_at: daysAgo(50) })
    await store(id, { remote_id: 'due-later', ship_by: daysAgo(10) })
    await run()
    expect(await known(id)).toEqual(['due-later', 'no-date'])
    await backdate(id, 31)
    await run()
    expect(await known(id)).toEqual([])
  })

  test('is not forgotten where no platform asks for it, or for as long as the operator says', async () => {
    const [strict, free] = [await connect(), await connect('free')]
    for (const id of [strict, free]) await store(id, { remote_id: 'old', parcels: [parcel(daysAgo(50))] })
    const forever = new Map([['strict', 0]])
    expect(keptDays({ ...context, personalDataDays: forever })).toEqual([])
    await run({ personalDataDays: forever })
    expect([await known(strict), await known(free)]).toEqual([['old'], ['old']])
    await run({
      personalDataDays: new Map([
        ['strict', 55],
        ['free', 40],
      ]),
    })
    expect([await known(strict), await known(free)]).toEqual([['old'], []])
    await run()
    expect(await known(strict)).toEqual([])
  })

  test('is forgotten in as many steps as it takes, and looked for later where orders were open for long', async () => {
    const id = await connect()
    const many = Array.from({ length: 501 }, (_, n) => ({ remote_id: `${n}`, parcels: [parcel(daysAgo(40))] }))
    await store(id, ...many, { remote_id: 'slow', status: 'PENDING', placed_at: daysAgo(100) })
    await run()
    expect(await known(id)).toEqual(['slow'])
    await store(id, { remote_id: 'slow', remote_version: '2', placed_at: daysAgo(100), parcels: [parcel(daysAgo(31))] })
    await run()
    expect(await known(id)).toEqual([])
  })
})
