import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ordersPath } from '../src/connectors/amazon/get-order.ts'
import { amazon } from '../src/connectors/amazon/index.ts'
import type { Context } from '../src/domain/context.ts'
import { saveCredentials } from '../src/domain/integrations/credentials-store.ts'
import { changeIntegration } from '../src/domain/integrations/integration-store.ts'
import { findRun, insertRun } from '../src/domain/runs/run-store.ts'
import { completeOrders } from '../src/domain/sync/outlines/complete-orders.ts'
import { syncNow } from '../src/domain/sync/sync-now.ts'
import { workRun } from '../src/domain/sync/work-run.ts'
import { createTestContext, type TestContext } from './support/context.ts'
import { makeIntegration } from './support/gateway.ts'
import { openImitation } from './support/imitation.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

async function connect(orders: number) {
  const imitation = openImitation(amazon, { orders, settings: { fulfilled_by: 'all' } })
  const { simulator, transport, asked, facts, credentials } = imitation
  const queued: number[] = []
  const completions: number[] = []
  const context: Context = {
    ...tested.context,
    connectors: new Map([['amazon', amazon]]),
    transport,
    enqueue: async (_, { name }, __, options) => {
      if (name === completeOrders.name) completions.push(options?.startAfterSeconds ?? 0)
    },
    record: async (_, fact, about) => {
      if (fact === 'run.queued' && 'runId' in about) queued.push(about.runId)
    },
  }
  const { shop, settings } = facts
  const { integration: made } = await makeIntegration(context, { appId: null }, { type: 'amazon', shop })
  const integration = await changeIntegration(context.db, made.id, { settings })
  await saveCredentials(context.db, context.keys, integration, { credentials, expiresAt: null })
  const { id } = integration
  const count = async (condition: RawBuilder<unknown>) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from orders where integration_id = ${id} and ${condition}`.execute(context.db)
    return rows[0]?.n ?? 0
  }
  return {
    context,
    simulator,
    integration,
    asked,
    queued,
    count,
    searches: () => asked.filter(({ url }) => url.endsWith(ordersPath)).length,
    news: () => syncNow(context, integration, 'sync_orders'),
    turnOf: (runId: number) => workRun(context, { integrationId: id, runId }, new AbortController().signal),
    /** One turn at the rest of orders that are known in part: in how many seconds it goes on, null if it need not. */
    async complete() {
      completions.length = 0
      await completeOrders.run(context, { integrationId: id }, { signal: new AbortController().signal, attempt: 1 })
      return completions.at(-1) ?? null
    },
    compare: () => insertRun(context.db, id, { resource: 'reconcile', input: { resources: ['orders'] } }),
    /** So much later all budgets are whole again, in the shop and here. */
    async wait(seconds: number) {
      simulator.advance(seconds)
      await sql`delete from rate_budgets`.execute(context.db)
    },
  }
}

test('on Amazon, which gives a page in three minutes, new orders come while a comparison waits for its report', async () => {
  const { simulator, searches, news, compare, turnOf } = await connect(900)
  simulator.weather({ limit_scale: 1 })
  expect(await news()).toMatchObject({ status: 'completed' })
  expect(searches()).toBe(9)
  const { id: runId } = await compare()
  expect(await turnOf(runId)).not.toBeNull()
  for (const _ of [1, 2, 3]) {
    simulator.change({ new_orders: 2 })
    expect(await news()).toMatchObject({ status: 'completed', result: { mode: 'incremental', inserted: 2 } })
    expect(await turnOf(runId)).not.toBeNull()
  }
  // A page for each, and none for the comparison: at 20 at once and one in three minutes they are for what is new.
  expect(searches()).toBe(12)
})

test('what a large seller has had is here in outline after its reports, completed by and by, and new orders never wait', async () => {
  const { context, simulator, integration, asked, queued, count, searches, news, turnOf, complete, wait } =
    await connect(1400)
  simulator.change({ new_orders: 3 })
  expect(await news()).toMatchObject({ status: 'completed', result: { mode: 'initial' } })
  // Ten for the first thousand, and those for what is new; all of them would be fifteen.
  expect(searches()).toBeLessThan(15)
  const [runId = 0] = queued
  expect(await findRun(context.db, integration.id, runId)).toMatchObject({
    resource: 'reconcile',
    input: { resources: ['orders'] },
  })
  const begun = searches()
  const single = () => asked.filter(({ url }) => url.includes(`${ordersPath}/`)).length
  for (let seconds: number | null = 0; seconds !== null; ) {
    seconds = await turnOf(runId)
    await wait(seconds ?? 0)
  }
  expect(await count(sql`true`)).toBe(1403)
  // Pages that come while others are stored are taken along: not all of the thousand's rest is left.
  expect(await count(sql`incomplete`)).toBeGreaterThan(100)
  const { result } = await findRun(context.db, integration.id, runId)
  expect(result).toMatchObject({ missing: 0, suspicious_deletes: 0 })
  const before = single()
  let [made, turns] = [0, 0]
  for (let seconds: number | null = 0; seconds !== null; turns++) {
    seconds = await complete()
    if (turns === 0) {
      expect(single() - before).toBeGreaterThan(0)
      // What is still to be sent first, and of that the newest.
      const newest = sql`(select max(placed_at) from orders
        where integration_id = ${integration.id} and incomplete and status = 'PENDING')`
      expect(await count(sql`compared_at > created_at and status = 'PENDING' and placed_at < ${newest}`)).toBe(0)
    }
    simulator.change({ new_orders: 2 })
    expect(await news()).toMatchObject({ status: 'completed', result: { mode: 'incremental', inserted: 2 } })
    made += 2
    await wait(seconds ?? 0)
  }
  expect(made).toBeGreaterThan(2)
  expect(searches() - begun).toBeLessThanOrEqual(made / 2 + 1)
  expect(await count(sql`not incomplete and items -> 0 ->> 'remote_id' is not null`)).toBe(1403 + made)
})

test('orders that a comparison misses by the hundred are read when the limits allow it, and new ones come in between', async () => {
  const { context, simulator, integration, count, news, compare, complete, turnOf, wait } = await connect(20)
  const { new_orders: recent } = simulator.change({ new_orders: 180 })
  await news()
  const [lost, old] = [recent.slice(0, 100), recent.slice(100, 130)]
  await sql`delete from orders where integration_id = ${integration.id} and remote_id = any(${lost}::text[])`.execute(
    context.db,
  )
  await sql`update orders set remote_version = '2', shipping_method = 'old'
    where integration_id = ${integration.id} and remote_id = any(${old}::text[])`.execute(context.db)
  const { id: runId } = await compare()
  for (let seconds: number | null = 0; seconds !== null; ) {
    seconds = await turnOf(runId)
    await wait(seconds ?? 0)
  }
  const { result } = await findRun(context.db, integration.id, runId)
  expect(result).toMatchObject({ missing: 100, stale: 30, healed: 130, resources: { orders: { compared: 200 } } })
  expect(await count(sql`incomplete`)).toBe(130)
  simulator.weather({ limit_scale: 1 })
  let waits = 0
  for (let seconds: number | null = 0; seconds !== null; ) {
    seconds = await complete()
    if (seconds !== null && seconds > 0 && waits++ === 0) {
      simulator.change({ new_orders: 1 })
      expect(await news()).toMatchObject({ status: 'completed', result: { inserted: 1 } })
    }
    await wait(seconds ?? 0)
  }
  expect(waits).toBeGreaterThanOrEqual(1)
  expect(await count(sql`not incomplete and shipping_method is distinct from 'old'`)).toBe(201)
})
