import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { minute, putOrder, scriptedShop } from '../../../../test/support/order-shop.ts'
import { syncedOrders } from '../../../../test/support/synced-orders.ts'
import { toTimestamp } from '../../../lib/timestamp.ts'
import { findRun } from '../../runs/run-store.ts'
import { syncNow } from '../sync-now.ts'
import { workRun } from '../work-run.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const { connected, queued, present } = syncedOrders(() => tested)

const going = new AbortController().signal

test('what is sold while a long read goes on is stored before its end, and counted', async () => {
  const shop = scriptedShop(3, { pageSize: 1 })
  const { context, integration } = await connected(shop)
  await syncNow(context, integration, 'sync_orders')
  for (let n = 0; n < 250; n++) putOrder(shop, { id: `changed ${n}`, updated: minute(10 + n) })
  const run = await queued(context, integration)
  expect(await workRun(context, run, going)).toBe(0)
  putOrder(shop, { id: 'just sold', updated: toTimestamp(new Date()) })
  expect(await workRun(context, run, going)).toBe(0)
  const held = await present(integration)
  expect([held.includes('just sold'), held.includes('changed 249')]).toEqual([true, false])
  while ((await workRun(context, run, going)) !== null);
  expect(await findRun(context.db, run.integrationId, run.runId)).toMatchObject({
    status: 'completed',
    result: { mode: 'incremental', inserted: 251 },
  })
  expect(await present(integration)).toHaveLength(254)
})
