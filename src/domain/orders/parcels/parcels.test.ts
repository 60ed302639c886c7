import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { makeIntegration } from '../../../../test/support/gateway.ts'
import { incomingOrder } from '../../../../test/support/orders.ts'
import { watchStatements } from '../../../../test/support/watch-statements.ts'
import { takeIds } from '../../../runtime/db/take-ids.ts'
import type { Integration } from '../../integrations/integration.ts'
import { upsertShipment } from '../../shipments/shipment-store.ts'
import { upsertOrders } from '../order-upsert-store.ts'
import { compareParcels, type HeldParcel, mergeParcel, type SyncedParcel } from './parcel.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const connect = async () => (await makeIntegration(tested.context, { appId: null }, { type: 'hand-made' })).integration

const parcel = (changes: Partial<SyncedParcel> = {}): SyncedParcel => ({
  remote_id: 'F1',
  tracking_number: 'T1',
  carrier: 'Post',
  tracking_url: null,
  status: 'SHIPPED',
  items: [{ sku: 'LAMP', quantity: 1 }],
  shipped_at: '2026-11-01T00:00:00.000000Z',
  ...changes,
})

let version = 0
/** The shop tells the order, changed each time. */
async function tell(integration: Integration, parcels: readonly SyncedParcel[], remoteId = '1'): Promise<void> {
  const { context } = tested
  const ids = await takeIds(context.db, 'orders', 1)
  const incoming = { ...incomingOrder(remoteId), remote_version: String(++version).padStart(8, '0') }
  const orders = [parcels.length === 0 ? incoming : { ...incoming, parcels }]
  await context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
}

const held = ({ id }: Integration) =>
  tested.context.db
    .selectFrom('shipments')
    .select(['id', 'order_id', 'remote_id', 'tracking_number', 'carrier', 'status', 'items'])
    .where('integration_id', '=', id)
    .orderBy('id')
    .execute()

describe('parcels that the shop tells with an order', () => {
  test('are held with it, reported twice they stay one', async () => {
    const integration = await connect()
    await tell(integration, [parcel(), parcel({ remote_id: 'F2', tracking_number: 'T2' })])
    const before = await held(integration)
    expect(before).toMatchObject([
      { remote_id: 'F1', tracking_number: 'T1', carrier: 'Post', status: 'SHIPPED', items: [{ sku: 'LAMP' }] },
      { remote_id: 'F2', tracking_number: 'T2' },
    ])
    await tell(integration, [parcel({ status: 'DELIVERED' }), parcel({ remote_id: 'F2', tracking_number: 'T2' })])
    const after = await held(integration)
    expect(after).toEqual([{ ...before[0], status: 'DELIVERED' }, before[1]])
  })

  test('one that we have sent to the shop is not held twice', async () => {
    const integration = await connect()
    await tell(integration, [])
    const { db } = tested.context
    const order = await db
      .selectFrom('orders')
      .select('id')
      .where('integration_id', '=', integration.id)
      .executeTakeFirstOrThrow()
    const [id = 0] = await takeIds(db, 'shipments', 1)
    const ours = { order_id: order.id, tracking_number: 'T1', carrier: 'post', status: 'IN_TRANSIT' }
    await upsertShipment(db, integration.id, { ...ours, id, at: '2026-11-02T00:00:00Z' })
    await tell(integration, [parcel()])
    expect(await held(integration)).toMatchObject([{ id, remote_id: 'F1', carrier: 'Post', status: 'IN_TRANSIT' }])
  })

  test('a number that was corrected in the shop is corrected here', async () => {
    const integration = await connect()
    await tell(integration, [parcel()])
    await tell(integration, [parcel({ tracking_number: 'T1-correct' })])
    expect(await held(integration)).toMatchObject([{ remote_id: 'F1', tracking_number: 'T1-correct' }])
  })

  test('one without a number is held by the id of the shop, and gets its number when it has one', async () => {
    const integration = await connect()
    await tell(integration, [parcel({ tracking_number: null }), parcel({ remote_id: 'F2', tracking_number: null })])
    const before = await held(integration)
    expect(before).toMatchObject([
      { remote_id: 'F1', tracking_number: null },
      { remote_id: 'F2', tracking_number: null },
    ])
    await tell(integration, [parcel(), parcel({ remote_id: 'F2', tracking_number: null })])
    expect(await held(integration)).toEqual([{ ...before[0], tracking_number: 'T1' }, before[1]])
    await tell(integration, [parcel({ tracking_number: null })])
    expect(await held(integration)).toMatchObject([{ tracking_number: 'T1' }, { tracking_number: null }])
  })

  test('numbers that were mixed up and are set right keep nobody from being stored', async () => {
    const integration = await connect()
    await tell(integration, [parcel(), parcel({ remote_id: 'F2', tracking_number: 'T2' })])
    await tell(integration, [parcel({ tracking_number: 'T2' }), parcel({ remote_id: 'F2' })])
    expect(await held(integration)).toMatchObject([
      { remote_id: 'F2', tracking_number: 'T1' },
      { remote_id: 'F1', tracking_number: 'T2' },
    ])
  })

  test('a page without any costs no statement', async () => {
    const integration = await connect()
    const watch = watchStatements()
    const { statements } = await watch.during(() => tell(integration, [])).finally(watch.stop)
    expect(statements.length).toBeGreaterThan(0)
    expect(statements.filter((text) => text.includes('shipments'))).toEqual([])
  })
})

describe('what is held of a parcel', () => {
  const known: HeldParcel = { ...parcel(), id: 1, carrier: 'Post' }

  test('a parcel that is noted in two parts is one, however often it is reported', () => {
    const parts = [parcel(), parcel({ remote_id: 'F2', items: [{ sku: 'SHADE', quantity: 2 }] })]
    const { fresh } = compareParcels([], parts)
    const items = [
      { sku: 'LAMP', quantity: 1 },
      { sku: 'SHADE', quantity: 2 },
    ]
    expect(fresh).toEqual([{ ...parts[0], items }])
    const nowHeld = { ...known, ...fresh[0], carrier: 'Post' }
    expect(compareParcels([nowHeld], parts)).toEqual({ changed: [], fresh: [] })
  })

  test('one that was called off says nothing of the one that went in its place', () => {
    const off = parcel({ status: 'CANCELLED' })
    const instead = parcel({ remote_id: 'F2' })
    expect(compareParcels([], [off, instead]).fresh).toEqual([instead])
    expect(compareParcels([], [instead, off]).fresh).toEqual([instead])
  })

  test('each is meant once: a number that moved to another parcel is not written twice', () => {
    const corrected = parcel({ tracking_number: 'T2' })
    const heir = parcel({ remote_id: 'F2' })
    const { changed, fresh } = compareParcels([known], [corrected, heir])
    expect(changed).toMatchObject([{ after: { id: 1, remote_id: 'F2', tracking_number: 'T1' } }])
    expect(fresh).toEqual([corrected])
  })

  test('what says nothing new is not written', () => {
    expect(mergeParcel(known, parcel())).toBeNull()
    expect(mergeParcel(known, parcel({ carrier: null, items: [], shipped_at: null, remote_id: null }))).toBeNull()
  })

  test.each([
    ['DELIVERED', 'SHIPPED', 'DELIVERED'],
    ['SHIPPED', 'DELIVERED', 'DELIVERED'],
    ['IN_TRANSIT', 'SHIPPED', 'IN_TRANSIT'],
    ['DELIVERED', 'FAILED', 'FAILED'],
    ['CANCELLED', 'SHIPPED', 'SHIPPED'],
  ])('%s and then %s is %s', (before, incoming, after) => {
    const merged = mergeParcel({ ...known, status: before }, parcel({ status: incoming }))
    expect(merged?.status ?? before).toBe(after)
  })
})
