import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { minute, putOrder, scriptedShop } from '../../../test/support/order-shop.ts'
import { syncedOrders } from '../../../test/support/synced-orders.ts'
import { toTimestamp } from '../../lib/timestamp.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { deleteOrder } from '../orders/privacy/delete-order-store.ts'
import { newestQuarantined } from './quarantine/quarantine-store.ts'
import { earlier } from './sync.ts'
import { syncNow } from './sync-now.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const { connected, rowsOf, present, expectCountersRight, eventsOf, query } = syncedOrders(() => tested)

describe('a sync of orders', () => {
  test('brings all of them, and says how many', async () => {
    const shop = scriptedShop(25)
    const { context, integration } = await connected(shop)
    const run = await syncNow(context, integration, 'sync_orders')
    expect(run).toMatchObject({ status: 'completed', error: null, done: 25, total: 25 })
    expect(run.result).toMatchObject({ mode: 'initial', read: 25, inserted: 25, updated: 0, unchanged: 0 })
    expect(await present(integration)).toEqual([...shop.orders.keys()])
    expect((await readIntegration(context.db, integration.id)).last_run_at).not.toBeNull()
    await expectCountersRight(integration)
  })

  test('waits for another one that has the shop, if it may', async () => {
    const { context, integration } = await connected(scriptedShop(25))
    for (const mode of ['incremental', 'full']) {
      const both = await Promise.all([
        syncNow(context, integration, 'sync_orders', { mode }, 30),
        syncNow(context, integration, 'sync_orders', { mode }, 30),
      ])
      expect(both.map(({ status }) => status)).toEqual(['completed', 'completed'])
    }
  })

  test('the second time asks only for what is new, and writes nothing', async () => {
    const shop = scriptedShop(25)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    const before = await rowsOf(integration)
    shop.asked.length = 0
    const second = await syncNow(context, integration, 'sync_orders')
    expect(second.result).toMatchObject({ mode: 'incremental', inserted: 0, updated: 0 })
    // The newest change, and ten minutes before it.
    expect(shop.asked[0]?.updatedSince).toBe(minute(15))
    const full = await syncNow(context, integration, 'sync_orders', { mode: 'full' })
    expect(full.result).toMatchObject({ mode: 'full', read: 25, unchanged: 25, deleted: 0 })
    expect(await rowsOf(integration)).toEqual(before)
  })

  test('of a shop that sells asks for the last minute, and finds later what it has shown late', async () => {
    const ago = (seconds: number) => toTimestamp(new Date(Date.now() - seconds * 1000))
    const shop = scriptedShop(25)
    const { context, integration } = await connected(shop)
    const [sold, soldNext] = [ago(100), ago(90)]
    putOrder(shop, { id: 'sold', updated: sold })
    await syncNow(context, integration, 'sync_orders')
    shop.asked.length = 0
    putOrder(shop, { id: 'sold next', updated: soldNext })
    await syncNow(context, integration, 'sync_orders')
    putOrder(shop, { id: 'shown late', updated: ago(200) })
    await syncNow(context, integration, 'sync_orders')
    expect(shop.asked.map(({ updatedSince }) => updatedSince)).toEqual([
      earlier(sold, 60_000),
      earlier(soldNext, 60_000),
    ])
    expect(await present(integration)).toContain('sold next')
    expect(await present(integration)).not.toContain('shown late')
    // As it stands when five minutes have gone by.
    await query(
      `update integration_state set cursor = jsonb_set(cursor, '{orders,watermark}', to_jsonb('${ago(301)}'::text)) where integration_id = $1`,
      integration,
    )
    await syncNow(context, integration, 'sync_orders')
    expect(await present(integration)).toContain('shown late')
  })

  test('changes come along, and an older version does not undo a newer one', async () => {
    const shop = scriptedShop(25)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    putOrder(shop, { id: 'o3', updated: minute(30), total: '99.00', fulfillment: 'fulfilled' })
    putOrder(shop, { id: 'new', updated: minute(31) })
    expect((await syncNow(context, integration, 'sync_orders')).result).toMatchObject({ inserted: 1, updated: 1 })
    putOrder(shop, { id: 'o3', updated: minute(29), total: '1.00' })
    expect((await syncNow(context, integration, 'sync_orders')).result).toMatchObject({ inserted: 0, updated: 0 })
    const row = (await rowsOf(integration)).find((order) => order['remote_id'] === 'o3')
    expect(row).toMatchObject({ total: '99.00', status: 'SHIPPED' })
    await expectCountersRight(integration)
  })

  test('what changes while it is read is not passed over the next time', async () => {
    const shop = scriptedShop(25)
    const { context, integration } = await connected(shop)
    // Everything is read, and only then it turns out that one changed a while ago.
    shop.beforePage = (_, nth) => {
      if (nth === 3) putOrder(shop, { id: 'o25', updated: '2126-01-01T00:00:00.000000Z' })
    }
    await syncNow(context, integration, 'sync_orders')
    putOrder(shop, { id: 'late', updated: new Date().toISOString().replace('Z', '000Z') })
    await syncNow(context, integration, 'sync_orders')
    expect(await present(integration)).toContain('late')
  })

  test('a part of the past leaves the mark where it was', async () => {
    const shop = scriptedShop(25)
    const { context, integration } = await connected(shop)
    const part = await syncNow(context, integration, 'sync_orders', { updated_since: minute(20) })
    expect(part.result).toMatchObject({ mode: 'incremental', read: 6 })
    expect((await syncNow(context, integration, 'sync_orders')).result).toMatchObject({ mode: 'initial', inserted: 19 })
  })
})

describe('a record that cannot be used', () => {
  test('is set aside with its reason, and the others are stored', async () => {
    const shop = scriptedShop(30)
    const { context, integration } = await connected(shop)
    putOrder(shop, { id: 'o4', broken: true })
    putOrder(shop, { id: 'o7', total: 'a lot' })
    // No text of the database could hold it; but notes are sealed.
    putOrder(shop, { id: 'o21', note: 'a\0b' })
    putOrder(shop, { id: 'o22', placed: 'some day' })
    const run = await syncNow(context, integration, 'sync_orders')
    expect(run).toMatchObject({ status: 'completed', done: 30 })
    expect(run.result).toMatchObject({ read: 30, inserted: 27, set_aside: 3 })
    expect(await present(integration)).toHaveLength(27)
    const aside = await newestQuarantined(context.db, [integration.id])
    aside.sort((a, b) => (a.remote_id < b.remote_id ? -1 : 1))
    expect(aside.map(({ kind, remote_id }) => [kind, remote_id])).toEqual(
      ['o22', 'o4', 'o7'].map((id) => ['orders', id]),
    )
    expect(aside.find(({ remote_id }) => remote_id === 'o4')).toMatchObject({
      reason: 'The record could not be understood: The order makes no sense.',
    })
    expect(aside.find(({ remote_id }) => remote_id === 'o7')?.reason).toContain('numeric')
    expect(await eventsOf(integration)).toContain('run.set_aside')
    await expectCountersRight(integration)
  })

  test('is taken back when the shop has mended it', async () => {
    const shop = scriptedShop(12)
    const { context, integration } = await connected(shop)
    putOrder(shop, { id: 'o4', broken: true })
    await syncNow(context, integration, 'sync_orders')
    putOrder(shop, { id: 'o4', broken: false, updated: minute(40) })
    expect((await syncNow(context, integration, 'sync_orders')).result).toMatchObject({ inserted: 1, set_aside: 0 })
    const left = await query('select from quarantine where integration_id = $1', integration)
    expect(left).toHaveLength(0)
  })
})

test('a run of which every record was set aside has failed, and says what it met', async () => {
  const shop = scriptedShop(0)
  const { context, integration } = await connected(shop)
  for (const id of ['o1', 'o2']) putOrder(shop, { id, broken: true })
  const run = await syncNow(context, integration, 'sync_orders')
  expect(run).toMatchObject({ status: 'failed', result: { read: 2, set_aside: 2 } })
  expect(run.error).toContain('None of the 2 records could be read')
  putOrder(shop, { id: 'o1', broken: false })
  expect(await syncNow(context, integration, 'sync_orders')).toMatchObject({ status: 'completed' })
})

describe('what the shop no longer has', () => {
  test('leaves the lists after a full sync, and comes back with the shop', async () => {
    const shop = scriptedShop(60)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    const lost = shop.orders.get('o5')
    for (const id of ['o5', 'o6', 'o7']) shop.orders.delete(id)
    expect((await syncNow(context, integration, 'sync_orders')).result).toMatchObject({ deleted: 0 })
    const full = await syncNow(context, integration, 'sync_orders', { mode: 'full' })
    expect(full.result).toMatchObject({ deleted: 3, suspicious_deletes: 0 })
    expect(shop.got.sort()).toEqual(['o5', 'o6', 'o7'])
    expect(await present(integration)).toEqual([...shop.orders.keys()])
    await expectCountersRight(integration)
    if (lost) shop.orders.set('o5', lost)
    expect((await syncNow(context, integration, 'sync_orders', { mode: 'full' })).result).toMatchObject({ updated: 1 })
    expect(await present(integration)).toContain('o5')
    await expectCountersRight(integration)
    const seen = await query('select from sync_seen where integration_id = $1', integration)
    expect(seen).toHaveLength(0)
  })

  test('is left alone when too much is missing at once', async () => {
    const shop = scriptedShop(60)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    for (let n = 1; n <= 20; n++) shop.orders.delete(`o${n}`)
    const full = await syncNow(context, integration, 'sync_orders', { mode: 'full' })
    expect(full).toMatchObject({ status: 'completed' })
    expect(full.result).toMatchObject({ deleted: 0, suspicious_deletes: 20 })
    expect(await present(integration)).toHaveLength(60)
    expect(await eventsOf(integration)).toContain('run.suspicious_deletes')
  })

  test('is not what was only passed over', async () => {
    const shop = scriptedShop(60)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    // The page in which they stand leaves them out, though the shop still has them.
    const hidden = ['o11', 'o12'].map((id) => shop.orders.get(id))
    shop.total = null
    shop.beforePage = ({ cursor }) => {
      for (const order of hidden) {
        if (!order) continue
        if (cursor === null) shop.orders.delete(order.id)
        else if (cursor > `${minute(20)}|`) shop.orders.set(order.id, order)
      }
    }
    const full = await syncNow(context, integration, 'sync_orders', { mode: 'full' })
    expect(full.result).toMatchObject({ deleted: 0, suspicious_deletes: 0 })
    expect(shop.got.sort()).toEqual(['o11', 'o12'])
    expect(await present(integration)).toHaveLength(60)
  })

  test('does not bring back what was deleted here', async () => {
    const shop = scriptedShop(12)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    const [first] = await rowsOf(integration)
    await context.transaction((trx) => deleteOrder(trx, integration.id, Number(first?.['id'])))
    await syncNow(context, integration, 'sync_orders', { mode: 'full' })
    expect(await present(integration)).toHaveLength(11)
    await expectCountersRight(integration)
  })

  test('a shop whose pages slip is read once more', async () => {
    const shop = scriptedShop(60)
    const { context, integration } = await connected(shop)
    const slipped = shop.orders.get('o15')
    shop.orders.delete('o15')
    shop.total = () => 60
    shop.beforePage = ({ cursor }) => {
      if (slipped && cursor !== null && cursor > `${minute(20)}|`) shop.orders.set('o15', slipped)
    }
    const run = await syncNow(context, integration, 'sync_orders')
    expect(run).toMatchObject({ status: 'completed', done: 60, total: 60 })
    expect(run.result).toMatchObject({ inserted: 60 })
    expect(await present(integration)).toHaveLength(60)
  })
})
