import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { withIndex } from '../../../test/support/further-reads.ts'
import { makeApp } from '../../../test/support/identity.ts'
import { putOrder, scriptedShop } from '../../../test/support/order-shop.ts'
import { syncedOrders } from '../../../test/support/synced-orders.ts'
import { shopOrder, tellingShop } from '../../../test/support/telling-shop.ts'
import { until } from '../../../test/support/until.ts'
import { toTimestamp } from '../../lib/timestamp.ts'
import { readBacklogs } from '../backlogs/backlog-store.ts'
import { forgetBuyers } from '../inbound/privacy/forget-buyers.ts'
import type { Integration } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { endAttempt, holdOperation } from '../operations/operation-store.ts'
import { writeRetention } from '../retention/retention-store.ts'
import { syncNow } from '../sync/sync-now.ts'
import { createSubscription } from '../webhooks/create-subscription.ts'
import { keepRetention } from './keep-retention.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const { connected, present, expectCountersRight } = syncedOrders(() => tested)
const running = { signal: new AbortController().signal, attempt: 1 }
const daysAgo = (days: number) => toTimestamp(new Date(Date.now() - days * 86_400_000))

const set = ({ app_id: appId }: Integration, retention: Parameters<typeof writeRetention>[2]) =>
  writeRetention(tested.context.db, appId ?? 0, retention)
const keep = () => keepRetention.run(tested.context, {}, running)
const count = async (table: string, { id }: Integration) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(table)} where integration_id = ${id}`.execute(tested.context.db)
  return rows[0]?.n
}
/** Ten orders, a month apart from each other. */
async function aged() {
  const shop = withIndex(scriptedShop(0))
  for (let n = 1; n <= 10; n++) putOrder(shop, { id: `o${n}`, updated: daysAgo(30 * n), placed: daysAgo(30 * n) })
  return { shop, ...(await connected(shop, await makeApp(tested.context))) }
}

describe('orders whose time is over', () => {
  test('are deleted with all that belongs to them, and counted no longer', async () => {
    const { context, integration } = await aged()
    await syncNow(context, integration, 'sync_orders')
    await set(integration, { orders_days: 100 })
    await createSubscription(
      { ...context, webhookAllow: ['127.0.0.1'] },
      { appId: integration.app_id ?? 0, integrationId: null },
      { url: 'http://127.0.0.1:1', events: ['privacy.orders_expired'] },
    )
    await keep()
    expect(await present(integration)).toEqual(['o3', 'o2', 'o1'])
    const told = await tested.database.query<{ data: string }>(
      `select data from webhook_events where integration_id = $1 and type = 'privacy.orders_expired'`,
      [integration.id],
    )
    // No order is told of by itself: those who have copies know which by when they were placed.
    const { placed_before: before, ...rest } = JSON.parse(told[0]?.data ?? '{}')
    expect([told.length, rest]).toEqual([1, expect.objectContaining({ integration_id: integration.id, orders: 7 })])
    expect(before > daysAgo(101) && before < daysAgo(99)).toBe(true)
    await keep()
    expect(
      await tested.database.query(`select from webhook_events where integration_id = $1`, [integration.id]),
    ).toHaveLength(1)
    expect([await count('orders', integration), await count('order_history', integration)]).toEqual([3, 3])
    await expectCountersRight(integration)
  })

  test('are not stored by a first sync, a full one or a comparison, which say how many; the shop is not asked for them', async () => {
    const { shop, context, integration } = await aged()
    await set(integration, { orders_days: 100 })
    // Placed long ago, and changed since.
    putOrder(shop, { id: 'o9', updated: daysAgo(1), placed: daysAgo(270) })
    const first = await syncNow(context, integration, 'sync_orders')
    expect(first.result).toMatchObject({ read: 4, inserted: 3, expired: 1 })
    const again = await syncNow(context, integration, 'sync_orders', { mode: 'full' })
    expect(again.result).toMatchObject({ read: 4, inserted: 0, deleted: 0, expired: 1, suspicious_deletes: 0 })
    await syncNow(context, integration, 'reconcile', { resources: ['orders'] })
    const { completeness } = await readIntegration(context.db, integration.id)
    const from = expect.stringContaining(daysAgo(100).slice(0, 13))
    expect(completeness).toMatchObject({ window: { from }, missing: 0, stale: 0, deleted: 0, expired: 1 })
    expect(await present(integration)).toEqual(['o3', 'o2', 'o1'])
  })

  test('are not stored when the shop tells of them', async () => {
    const shop = await tellingShop(tested.context)
    await set(shop.integration, { orders_days: 100 })
    await shop.tell(shopOrder('old', 1, { placed_at: daysAgo(101) }))
    await shop.tell(shopOrder('new', 1, { placed_at: daysAgo(99) }))
    await shop.work()
    expect(await present(shop.integration)).toEqual(['new'])
  })
})

test('buyers are forgotten when the app says, or the platform where that is sooner', async () => {
  const { shop, context, integration } = await aged()
  for (const id of shop.orders.keys())
    putOrder(shop, { id, status: 'completed', placed: daysAgo(300), updated: daysAgo(200) })
  await syncNow(context, integration, 'sync_orders')
  await sql`update order_history set at = now() - interval '50 days' where integration_id = ${integration.id}`.execute(
    context.db,
  )
  const forgotten = async (personalDataDays: ReadonlyMap<string, number>) => {
    await forgetBuyers.run({ ...tested.context, personalDataDays }, {}, running)
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from orders where integration_id = ${integration.id} and redacted_at is not null`.execute(
      context.db,
    )
    return rows[0]?.n
  }
  expect(await forgotten(new Map())).toBe(0)
  await set(integration, { customers_days: 1000 })
  expect(await forgotten(new Map())).toBe(0)
  await set(integration, { customers_days: 20 })
  expect(await forgotten(new Map())).toBe(10)
})

test('messages and what was sent are emptied, but for what waits', async () => {
  const shop = await tellingShop(tested.context)
  const { db } = tested.context
  const { id } = shop.integration
  await shop.tell(shopOrder('1', 1))
  await shop.work()
  await shop.tell(shopOrder('2', 1))
  const planned = { kind: 'create_order', key: 'k', input: { note: 'n' }, once: false } as const
  const held = await holdOperation(db, id, planned, 'me')
  if (!held) expect.fail()
  await endAttempt(db, id, held, { status: 'confirmed', result: { note: 'n' } })
  await sql`update shop_messages set received_at = now() - interval '3 days' where integration_id = ${id}`.execute(db)
  await sql`update operations set updated_at = now() - interval '3 days' where integration_id = ${id}`.execute(db)
  const full = async () => {
    const { rows } = await sql<{ messages: number; operations: number }>`
      select (select count(*)::int from shop_messages where integration_id = ${id} and private is not null) as messages,
        (select count(*)::int from operations where integration_id = ${id} and private_result is not null) as operations`.execute(
      db,
    )
    return rows[0]
  }
  await set(shop.integration, { messages_days: 4 })
  await keep()
  expect(await full()).toEqual({ messages: 2, operations: 1 })
  await set(shop.integration, { messages_days: 2 })
  await keep()
  expect(await full()).toEqual({ messages: 1, operations: 0 })
})

test('integrations that nobody has looked at for an hour are a backlog', async () => {
  const { db } = tested.context
  const { integration } = await aged()
  await keep()
  expect((await readBacklogs(db)).retention).toBe(0)
  await set(integration, { orders_days: 100 })
  await sql`update integrations set retained_at = now() - interval '2 hours' where id = ${integration.id}`.execute(db)
  expect((await readBacklogs(db)).retention).toBe(1)
  await keep()
  expect((await readBacklogs(db)).retention).toBe(0)
})

test('two who change how long something is kept do not undo what the other has set', async () => {
  const { context } = tested
  const appId = await makeApp(context)
  const { promise: written, resolve: write } = Promise.withResolvers<void>()
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const first = context.transaction(async (trx) => {
    await writeRetention(trx, appId, { orders_days: 100 })
    write()
    await over
  })
  await written
  const second = context.transaction((trx) => writeRetention(trx, appId, { customers_days: 20, messages_days: null }))
  await until(async () => {
    const { rows } = await sql`select from pg_locks where not granted`.execute(context.db)
    return rows.length > 0
  })
  end()
  await Promise.all([first, second])
  expect(await second).toEqual({ orders_days: 100, customers_days: 20, messages_days: null })
})
