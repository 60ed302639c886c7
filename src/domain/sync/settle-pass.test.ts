import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { withIndex, withLevels } from '../../../test/support/further-reads.ts'
import { minute, putOrder, type ScriptedShop, scriptedShop } from '../../../test/support/order-shop.ts'
import { syncedOrders } from '../../../test/support/synced-orders.ts'
import type { Connector } from '../../commerce/connector.ts'
import { refused, shopAway } from '../../commerce/remote.ts'
import type { ShopFacts } from '../../commerce/shop.ts'
import { toTimestamp } from '../../lib/timestamp.ts'
import type { Integration } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { upsertSyncedLevels } from '../levels/inventory-store.ts'
import { syncNow } from './sync-now.ts'
import { readCursor } from './sync-store.ts'
import { workRun } from './work-run.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const { connected, queued, present, query } = syncedOrders(() => tested)
const going = new AbortController().signal
const full = { mode: 'full' }

const quarantined = async (integration: Integration) =>
  (await query<{ key: string }>('select remote_id as key from quarantine where integration_id = $1', integration)).map(
    ({ key }) => key,
  )

describe('levels, which cannot be asked for by themselves', () => {
  const skus = async (integration: Integration) =>
    (
      await query<{ sku: string }>(
        'select sku from inventory where integration_id = $1 and deleted_at is null order by sku',
        integration,
      )
    ).map(({ sku }) => sku)

  const stocked = async (count: number) => {
    const shop = withLevels(scriptedShop(0))
    for (let n = 1; n <= count; n++) shop.levels.set(`s${n}`, { available: n })
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_inventory')
    return { shop, context, integration }
  }

  test('are gone when a full sync does not meet them', async () => {
    const { shop, context, integration } = await stocked(4)
    shop.levels.delete('s2')
    const run = await syncNow(context, integration, 'sync_inventory', full)
    expect(run.result).toMatchObject({ deleted: 1, suspicious_deletes: 0 })
    expect(await skus(integration)).toEqual(['s1', 's3', 's4'])
  })

  test('of articles that share a SKU are held apart, and one of them goes alone', async () => {
    const shop = withLevels(scriptedShop(0))
    shop.levels.set('v1', { available: 3, sku: 'CUP' })
    shop.levels.set('v2', { available: 7, sku: 'CUP' })
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_inventory')
    const levels = () =>
      query<{ remote_id: string; quantity: number }>(
        'select remote_id, quantity from inventory where integration_id = $1 and deleted_at is null order by 1',
        integration,
      )
    expect(await levels()).toEqual([
      { remote_id: 'v1', quantity: 3 },
      { remote_id: 'v2', quantity: 7 },
    ])
    shop.levels.delete('v1')
    expect((await syncNow(context, integration, 'sync_inventory', full)).result).toMatchObject({ deleted: 1 })
    expect(await levels()).toEqual([{ remote_id: 'v2', quantity: 7 }])
  })

  test('stay while a record could not be read: it may have been the one', async () => {
    const { shop, context, integration } = await stocked(4)
    shop.levels.delete('s2')
    shop.levels.set('s3', { available: 3, broken: true })
    const run = await syncNow(context, integration, 'sync_inventory', full)
    expect(run.result).toMatchObject({ set_aside: 1, deleted: 0, suspicious_deletes: 2 })
    expect(await skus(integration)).toEqual(['s1', 's2', 's3', 's4'])
  })

  test('stay while the shop says that there are more than it has sent', async () => {
    const { shop, context, integration } = await stocked(4)
    shop.levels.delete('s2')
    shop.totalLevels = 4
    expect((await syncNow(context, integration, 'sync_inventory', full)).result).toMatchObject({ deleted: 0 })
    expect(await skus(integration)).toHaveLength(4)
  })

  test('that come while it is read could not have been met', async () => {
    const { shop, context, integration } = await stocked(4)
    shop.beforeLevels = async () => {
      const late = { sku: 'late', location: '', quantity: 1, remote_id: 'late', remote_version: null }
      await context.transaction((trx) => upsertSyncedLevels(trx, integration.id, [late]))
    }
    const run = await syncNow(context, integration, 'sync_inventory', full)
    expect(run.result).toMatchObject({ deleted: 0, suspicious_deletes: 0 })
    expect(await skus(integration)).toContain('late')
  })
})

describe('orders that the shop no longer tells', () => {
  const synced = async (shop: ScriptedShop) => {
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    return { context, integration }
  }

  test('stay where the shop does not say what has become of them', async () => {
    const shop = scriptedShop(20)
    const { orders } = shop.connector
    if (!orders) throw new Error('There are no orders.')
    const get = async () => {
      throw refused('Not for you.')
    }
    shop.connector = { ...shop.connector, orders: { ...orders, get } }
    const { context, integration } = await synced(shop)
    shop.orders.delete('o5')
    expect((await syncNow(context, integration, 'sync_orders', full)).result).toMatchObject({ deleted: 0 })
    expect(await present(integration)).toHaveLength(20)
  })

  test('count from the very edge of a window on', async () => {
    const shop = scriptedShop(40)
    const { context, integration } = await synced(shop)
    for (const id of ['o30', 'o31']) shop.orders.delete(id)
    const window = { resources: ['orders'], updated_since: minute(31) }
    const run = await syncNow(context, integration, 'reconcile', window)
    expect(run.result).toMatchObject({ deleted: 1 })
    const left = await present(integration)
    expect([left.includes('o30'), left.includes('o31')]).toEqual([true, false])
  })

  test('come back by a comparison of ids and versions too, though their version is the one that we hold', async () => {
    const shop = withIndex(scriptedShop(20))
    const { context, integration } = await synced(shop)
    const order = shop.orders.get('o5')
    shop.orders.delete('o5')
    await syncNow(context, integration, 'sync_orders', full)
    expect(await present(integration)).not.toContain('o5')
    if (order) shop.orders.set('o5', order)
    const run = await syncNow(context, integration, 'reconcile', { resources: ['orders'] })
    expect(run.result).toMatchObject({ missing: 1, healed: 1 })
    expect(await present(integration)).toContain('o5')
  })
})

describe('orders that the platform no longer shows for their age', () => {
  const daysAgo = (days: number) => toTimestamp(new Date(Date.now() - days * 86_400_000))
  const horizon = ({ granted }: ShopFacts) => (granted?.includes('read_all_orders') ? null : 59)

  /** Thirty orders: nothing is left of the older twenty, and one of the others was deleted. */
  const aged = async (more: Partial<Connector['auth']> = {}) => {
    const shop = scriptedShop(0)
    for (let n = 1; n <= 30; n++) {
      const placed = daysAgo(n <= 20 ? 100 + n : 31 - n)
      putOrder(shop, { id: `o${n}`, updated: placed, placed })
    }
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    const { orders, auth } = shop.connector
    if (!orders) throw new Error('There are no orders.')
    const limited = { ...shop.connector, auth: { ...auth, ...more } as typeof auth, orders: { ...orders, horizon } }
    for (const id of [...shop.orders.keys()].slice(0, 21)) shop.orders.delete(id)
    return { shop, context: { ...context, connectors: new Map([['sandbox', limited]]) }, integration }
  }

  test('are neither expected nor asked for nor removed; the others are', async () => {
    const { shop, context, integration } = await aged()
    const run = await syncNow(context, integration, 'sync_orders', full)
    expect(run.result).toMatchObject({ deleted: 1, suspicious_deletes: 0 })
    expect(shop.got).toEqual(['o21'])
    expect(await present(integration)).toHaveLength(29)
  })

  test('are not in what a comparison says it has compared', async () => {
    const { context, integration } = await aged()
    await syncNow(context, integration, 'reconcile', { resources: ['orders'] })
    const { completeness } = await readIntegration(context.db, integration.id)
    const from = expect.stringContaining(daysAgo(59).slice(0, 13))
    expect(completeness).toMatchObject({ window: { from }, deleted: 1, resources: { orders: { from } } })
  })

  test('are expected where more was granted, as the platform says now', async () => {
    const { shop, context, integration } = await aged({ readGranted: async () => ['read_orders', 'read_all_orders'] })
    const run = await syncNow(context, integration, 'sync_orders', full)
    expect(run.result).toMatchObject({ deleted: 0, suspicious_deletes: 21 })
    expect(shop.got).toEqual([])
    expect((await readIntegration(context.db, integration.id)).granted).toEqual(['read_orders', 'read_all_orders'])
  })
})

describe('what was set aside', () => {
  test('stays so after a pass that did not meet it', async () => {
    const shop = scriptedShop(40)
    putOrder(shop, { id: 'o4', broken: true })
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    const second = await syncNow(context, integration, 'sync_orders')
    expect(second.result).toMatchObject({ mode: 'incremental', set_aside: 0 })
    expect(await quarantined(integration)).toEqual(['o4'])
  })

  test('stays so as long as a pass over everything finds it still wrong, and no longer', async () => {
    const shop = scriptedShop(12)
    for (const id of ['o4', 'o5']) putOrder(shop, { id, broken: true })
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    shop.orders.delete('o5')
    await syncNow(context, integration, 'sync_orders', full)
    expect(await quarantined(integration)).toEqual(['o4'])
  })
})

describe('a shop that tells more than there is', () => {
  test('is not read again for a part of the past', async () => {
    const shop = scriptedShop(25)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    shop.total = () => 1000
    shop.asked.length = 0
    await syncNow(context, integration, 'sync_orders')
    expect(shop.asked.filter(({ cursor }) => cursor === null)).toHaveLength(1)
  })

  test('is read again from the beginning, and what is newest counts only when it is over', async () => {
    const shop = scriptedShop(20)
    shop.total = () => 21
    const { context, integration } = await connected(shop)
    const run = await queued(context, integration)
    let rounds = 0
    shop.beforePage = ({ cursor }) => {
      if (cursor === null && ++rounds === 2) throw shopAway(60)
    }
    expect(await workRun(context, run, going)).toBe(60)
    const place = { kind: 'orders', slot: 'pass' } as const
    const { watermark, pass } = await readCursor(context.db, integration.id, place)
    expect([watermark, pass?.stage, pass?.rounds]).toEqual([null, 'reading', 1])
    expect(await workRun(context, run, going)).toBeNull()
    expect((await readCursor(context.db, integration.id, place)).watermark).toBe(minute(20))
  })
})
