import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { minute, putOrder, type ScriptedShop, scriptedShop } from '../../../test/support/order-shop.ts'
import type { Connector } from '../../commerce/connector.ts'
import { hidden, shopAway } from '../../commerce/remote.ts'
import { toTimestamp } from '../../lib/timestamp.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import { runAction } from '../actions/run-action.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { anyOrdersByIds } from '../orders/order-store.ts'
import { followOrder } from '../orders/show-order.ts'
import { findRun, insertRun } from '../runs/run-store.ts'
import { openShop } from '../shop/open-remote.ts'
import { kinds } from './kinds.ts'
import { queueComparisons } from './starting/queue-comparisons.ts'
import { startFirstSync } from './starting/start-first-sync.ts'
import { syncNow } from './sync-now.ts'
import { workRun } from './work-run.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

async function connected(shop: ScriptedShop): Promise<{ context: Context; integration: Integration }> {
  const context = { ...tested.context, connectors: new Map([['sandbox', shop.connector]]) }
  const { integration } = await makeIntegration(context, { appId: null })
  return { context, integration }
}

const versions = async ({ id }: Integration) =>
  Object.fromEntries(
    (
      await tested.database.query<{ remote_id: string; remote_version: string }>(
        'select remote_id, remote_version from orders where integration_id = $1 and deleted_at is null order by id',
        [id],
      )
    ).map((row) => [row.remote_id, row.remote_version]),
  )

const truth = (shop: ScriptedShop) =>
  Object.fromEntries([...shop.orders.values()].map(({ id, updated }) => [id, updated]))

const forget = async ({ id }: Integration, remoteIds: string[]) =>
  await tested.database.query('delete from orders where integration_id = $1 and remote_id = any($2)', [id, remoteIds])

const only = { resources: ['orders'] }

describe('a comparison with the shop', () => {
  test('finds what is missing, outdated or gone, heals it, and says so', async () => {
    const shop = scriptedShop(60)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    await forget(integration, ['o10', 'o20', 'o30'])
    for (const id of ['o40', 'o41']) putOrder(shop, { id, updated: minute(90) })
    shop.orders.delete('o50')
    const run = await syncNow(context, integration, 'reconcile', only)
    expect(run.status).toBe('completed')
    const shown = { compared: 59, missing: 3, stale: 2, healed: 5, deleted: 1, set_aside: 0, suspicious_deletes: 0 }
    expect(run.result).toMatchObject(shown)
    expect(await versions(integration)).toEqual(truth(shop))
    const { completeness } = await readIntegration(context.db, integration.id)
    expect(completeness).toEqual(run.result)
    expect(completeness).toMatchObject({ window: { from: null, to: run.started_at }, resources: { orders: shown } })
    const again = await syncNow(context, integration, 'reconcile', only)
    expect(again.result).toMatchObject({ compared: 59, missing: 0, stale: 0, healed: 0, deleted: 0 })
  })

  test('over a window leaves alone what lies before it', async () => {
    const shop = scriptedShop(60)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    await forget(integration, ['o5', 'o55'])
    for (const id of ['o6', 'o56']) shop.orders.delete(id)
    const whole = await readIntegration(context.db, integration.id)
    expect(whole.completeness).toBeNull()
    const run = await syncNow(context, integration, 'reconcile', { ...only, updated_since: minute(31) })
    expect(run.result).toMatchObject({
      compared: 29,
      missing: 1,
      deleted: 1,
      whole_at: null,
      window: { from: minute(31) },
    })
    expect(Object.keys(await versions(integration))).toContain('o6')
    const all = await syncNow(context, integration, 'reconcile', only)
    expect(all.result).toMatchObject({ missing: 1, deleted: 1 })
    expect(await versions(integration)).toEqual(truth(shop))
  })

  test('takes the cheaper way where the platform has one', async () => {
    const shop = scriptedShop(60)
    const { orders } = shop.connector
    if (!orders) throw new Error('There are no orders.')
    const pages: (string | null)[] = []
    shop.connector = {
      ...shop.connector,
      orders: {
        ...orders,
        index: async (_, { from, to, cursor }) => {
          pages.push(cursor)
          const all = [...shop.orders.values()].filter(({ updated }) => updated >= from && updated < to)
          const start = Number(cursor ?? 0)
          const items = all.slice(start, start + 25).map(({ id, updated }) => ({ remoteId: id, version: updated }))
          return { items, next: start + 25 < all.length ? String(start + 25) : null }
        },
      },
    }
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    await forget(integration, ['o10'])
    putOrder(shop, { id: 'o40', updated: minute(90) })
    shop.orders.delete('o50')
    shop.asked.length = 0
    const run = await syncNow(context, integration, 'reconcile', only)
    expect(run.result).toMatchObject({ compared: 59, missing: 1, stale: 1, healed: 2, deleted: 1 })
    expect([shop.asked.length, pages]).toEqual([0, [null, '25', '50']])
    expect(shop.got.sort()).toEqual(['o10', 'o40', 'o50'])
    expect(await versions(integration)).toEqual(truth(shop))
  })

  test('that waits for the shop keeps no new order out, and still knows afterwards what it has seen', async () => {
    const shop = scriptedShop(60)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    shop.orders.delete('o50')
    const { id: runId } = await insertRun(context.db, integration.id, { resource: 'reconcile', input: only })
    const comparison = { integrationId: integration.id, runId }
    const first = shop.asked.length
    shop.beforePage = (_, nth) => {
      if (nth === first + 4) throw shopAway(179)
    }
    expect(await workRun(context, comparison, new AbortController().signal)).toBe(179)
    putOrder(shop, { id: 'new', updated: minute(99), placed: minute(99) })
    const news = await syncNow(context, integration, 'sync_orders')
    expect(news).toMatchObject({ status: 'completed', result: { mode: 'incremental', inserted: 1 } })
    expect(await workRun(context, comparison, new AbortController().signal)).toBeNull()
    const { status, result } = await findRun(context.db, integration.id, runId)
    expect([status, result]).toMatchObject(['completed', { deleted: 1, missing: 0, suspicious_deletes: 0 }])
    expect(shop.got).toEqual(['o50'])
    const after = await syncNow(context, integration, 'sync_orders')
    expect(after.result).toMatchObject({ since: minute(89) })
  })

  test('finds edits that leave the date of change alone, a part of the records at a time, and says how many', async () => {
    const shop = scriptedShop(0)
    const recent = toTimestamp(new Date(Date.now() - 3 * 86_400_000))
    for (let n = 1; n <= 250; n++) putOrder(shop, { id: `r${n}`, updated: recent, placed: recent })
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    for (const id of ['r1', 'r250']) putOrder(shop, { id, note: 'Another number on the parcel.' })
    const since = toTimestamp(new Date(Date.now() - 86_400_000))
    const window = { ...only, updated_since: since }
    const first = await syncNow(context, integration, 'reconcile', window)
    expect(first.result).toMatchObject({ compared: 0, rechecked: 200, stale: 1, healed: 1 })
    // The rest, and then those again for which it is longest ago.
    const second = await syncNow(context, integration, 'reconcile', window)
    expect(second.result).toMatchObject({ rechecked: 200, stale: 1, healed: 1 })
    const third = await syncNow(context, integration, 'reconcile', window)
    expect(third.result).toMatchObject({ rechecked: 200, stale: 0, healed: 0, uncertain: 0 })
  })

  test('is not needed for what we have changed ourselves: the order is read again at once', async () => {
    const shop = scriptedShop(2)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    const open = { ...(await openShop(context, integration)), transaction: context.transaction }
    for (const id of ['o1', 'o2', 'unknown']) putOrder(shop, { id, note: 'Another number on the parcel.' })
    for (const id of ['o1', 'unknown', 'gone']) await followOrder(open, id)
    const stored = await tested.database.query<{ id: number }>(
      'select id from orders where integration_id = $1 order by remote_id',
      [integration.id],
    )
    const ids = stored.map(({ id }) => id)
    const orders = await anyOrdersByIds(context.db, integration.id, ids)
    expect(orders.map(({ remote_id, note }) => ({ remote_id, note }))).toEqual([
      { remote_id: 'o1', note: 'Another number on the parcel.' },
      { remote_id: 'o2', note: null },
    ])
  })

  test('asks for many records in one question where the platform can answer that', async () => {
    const shop = scriptedShop(0)
    const recent = toTimestamp(new Date(Date.now() - 3 * 86_400_000))
    for (let n = 1; n <= 60; n++) putOrder(shop, { id: `r${n}`, updated: recent, placed: recent })
    const { orders } = shop.connector
    const asked: (readonly string[])[] = []
    const connector: Connector = {
      ...shop.connector,
      ...(orders && {
        orders: {
          ...orders,
          index: async () => ({
            items: [...shop.orders.values()].map(({ id, updated }) => ({ remoteId: id, version: updated })),
            next: null,
          }),
          async getSeveral(at, ids) {
            asked.push(ids)
            return (await Promise.all(ids.map((id) => orders.get(at, id)))).filter((raw) => raw !== null)
          },
        },
      }),
    }
    const { context, integration } = await connected({ ...shop, connector })
    await syncNow(context, integration, 'sync_orders')
    putOrder(shop, { id: 'r7', note: 'Another number on the parcel.' })
    await forget(integration, ['r8', 'r9'])
    const run = await syncNow(context, integration, 'reconcile', only)
    expect(run.result).toMatchObject({ compared: 60, missing: 2, rechecked: 58, stale: 1, healed: 3 })
    expect(asked.map((ids) => ids.length)).toEqual([2, 25, 25, 8])
    expect(await versions(integration)).toEqual(truth(shop))
  })

  test.each([
    ['others can be seen by their id: it is gone', { deleted: 1, uncertain: 0 }, (id: string) => id === 'o20'],
    ['nothing can: a right may be missing, and it stays', { deleted: 0, uncertain: 1 }, () => true],
  ])('a shop that hides what is not there, where %s', async (_, outcome, hides) => {
    const shop = scriptedShop(30)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    shop.orders.delete('o20')
    const { orders } = shop.connector
    if (!orders) throw new Error('The shop has no orders.')
    const get: typeof orders.get = async (opened, id) => {
      if (hides(id)) throw hidden('You may not see this.')
      return await orders.get(opened, id)
    }
    const connectors = new Map([['sandbox', { ...shop.connector, orders: { ...orders, get } }]])
    const run = await syncNow({ ...context, connectors }, integration, 'reconcile', only)
    expect(run.result).toMatchObject(outcome)
    expect(Object.hasOwn(await versions(integration), 'o20')).toBe(outcome.deleted === 0)
  })

  test('does not believe a shop that has lost everything', async () => {
    const shop = scriptedShop(60)
    const { context, integration } = await connected(shop)
    await syncNow(context, integration, 'sync_orders')
    shop.orders.clear()
    const run = await syncNow(context, integration, 'reconcile', only)
    expect(run.result).toMatchObject({ compared: 0, deleted: 0, suspicious_deletes: 60 })
    expect(Object.keys(await versions(integration))).toHaveLength(60)
  })
})

describe('a sandbox shop', () => {
  async function stock(integration: Integration, sku: string, quantity: number): Promise<void> {
    const { connector, shop } = await openShop(tested.context, integration)
    await connector.inventory?.set?.send(shop, [{ sku, quantity }], { id: 'test' })
  }

  test('is held whole: orders, products and stock, and a second time nothing is written', async () => {
    const { context } = tested
    const { integration } = await makeIntegration(context, { appId: null })
    const tables = async () =>
      await tested.database.query(
        `select 'o' as t, xmin::text, ctid::text from orders where integration_id = $1
        union all select 'p', xmin::text, ctid::text from products where integration_id = $1
        union all select 'i', xmin::text, ctid::text from inventory where integration_id = $1`,
        [integration.id],
      )
    for (const [resource, inserted] of [
      ['sync_orders', 5],
      ['sync_products', 40],
      ['sync_inventory', 40],
    ] as const) {
      const run = await syncNow(context, integration, resource)
      expect(run).toMatchObject({ status: 'completed', result: { inserted, set_aside: 0 } })
    }
    const before = await tables()
    expect(before).toHaveLength(85)
    for (const resource of ['sync_orders', 'sync_products', 'sync_inventory'] as const) {
      for (const mode of ['incremental', 'full']) {
        const { result } = await syncNow(context, integration, resource, { mode })
        expect(result).toMatchObject({ inserted: 0, updated: 0, deleted: 0, set_aside: 0 })
      }
    }
    const proof = await syncNow(context, integration, 'reconcile')
    expect(proof).toMatchObject({ status: 'completed', done: 85, total: 85 })
    expect(proof.result).toMatchObject({ compared: 85, missing: 0, stale: 0, healed: 0, deleted: 0 })
    expect(await tables()).toEqual(before)
  })

  test('shows a level that we have set, and what a message tells of an article', async () => {
    const { context } = tested
    const { integration } = await makeIntegration(context, { appId: null })
    await syncNow(context, integration, 'sync_inventory')
    const quantityOf = async (sku: string) =>
      await tested.database.query('select quantity from inventory where integration_id = $1 and sku = $2', [
        integration.id,
        sku,
      ])
    await runAction(context, integration, { resource: 'set_inventory', items: [{ sku: 'SKU-00002-1', quantity: 50 }] })
    expect(await quantityOf('SKU-00002-1')).toEqual([{ quantity: 50 }])
    const { connector, shop } = await openShop(context, integration)
    const reads = kinds.products.reads(connector)
    const page = await reads?.list(shop, { updatedSince: null, statuses: [], cursor: null, limit: 50 })
    await stock(integration, 'SKU-00002-1', 12)
    const again = await reads?.list(shop, { updatedSince: null, statuses: [], cursor: null, limit: 50 })
    expect(again).not.toEqual(page)
    const rows = (again?.items ?? []).flatMap((raw) => reads?.read(raw, shop).row ?? [])
    const ids = await takeIds(context.db, 'products', rows.length)
    await context.transaction((trx) =>
      kinds.products.store(trx, integration.id, { ids, rows, runId: null, source: 'webhook' }),
    )
    expect(await quantityOf('SKU-00002-1')).toEqual([{ quantity: 12 }])
  })

  test('changed stock comes along, and levels that the shop no longer has go', async () => {
    const { context } = tested
    const { integration } = await makeIntegration(context, { appId: null })
    await syncNow(context, integration, 'sync_inventory')
    await stock(integration, 'SKU-00002-1', 777)
    await tested.database.query(
      `insert into inventory (integration_id, sku, quantity, remote_id, updated_at)
      values ($1, 'GONE', 1, 'p99', '2026-01-01'), ($1, 'OURS', 1, '', '2026-01-01')`,
      [integration.id],
    )
    expect((await syncNow(context, integration, 'sync_inventory')).result).toMatchObject({ updated: 1 })
    const full = await syncNow(context, integration, 'sync_inventory', { mode: 'full' })
    expect(full.result).toMatchObject({ deleted: 1 })
    const rows = await tested.database.query<{ sku: string; quantity: number }>(
      `select sku, quantity from inventory where integration_id = $1 and deleted_at is null and sku in ('SKU-00002-1', 'GONE', 'OURS') order by sku`,
      [integration.id],
    )
    expect(rows).toEqual([
      { sku: 'OURS', quantity: 1 },
      { sku: 'SKU-00002-1', quantity: 777 },
    ])
  })
})

describe('what starts by itself', () => {
  /** The runs of an integration, and the facts that were recorded. */
  function recording() {
    const facts: unknown[] = []
    const context: Context = { ...tested.context, record: async (_, fact, about) => void facts.push([fact, about]) }
    const runs = (id: number) =>
      context.db
        .selectFrom('runs')
        .select(['id', 'resource', 'input'])
        .where('integration_id', '=', id)
        .orderBy('id')
        .execute()
    return { context, facts, runs }
  }
  const running = { attempt: 1, signal: new AbortController().signal }

  test('a new integration is read, once', async () => {
    const { context, facts, runs } = recording()
    const { integration } = await makeIntegration(context, { appId: null })
    for (let n = 0; n < 2; n++) await startFirstSync.run(context, { integrationId: integration.id }, running)
    const made = await runs(integration.id)
    expect(made.map(({ resource }) => resource)).toEqual(['sync_orders', 'sync_products', 'sync_inventory'])
    expect(facts).toEqual(made.map(({ id }) => ['run.queued', { integrationId: integration.id, runId: id }]))
  })

  test('a copy is compared once a day, and once a week with everything', async () => {
    const { context, runs } = recording()
    const { integration } = await makeIntegration(context, { appId: null })
    const change = (columns: string) =>
      tested.database.query(`update integrations set ${columns} where id = $1`, [integration.id])
    await change(`installed_at = now()`)
    await queueComparisons.run(context, {}, running)
    expect(await runs(integration.id)).toHaveLength(0)
    await change(`installed_at = now() - interval '2 days'`)
    for (let n = 0; n < 2; n++) await queueComparisons.run(context, {}, running)
    expect(await runs(integration.id)).toMatchObject([{ resource: 'reconcile', input: { updated_since: null } }])
    await change(`compared_at = now() - interval '2 days',
      completeness = jsonb_build_object('whole_at', to_char(now() - interval '3 days', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))`)
    await queueComparisons.run(context, {}, running)
    const [, second] = await runs(integration.id)
    expect(second?.input).toMatchObject({ updated_since: expect.stringMatching(/^\d{4}-/) })
  })
})
