import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { makeIntegration } from '../../../../test/support/gateway.ts'
import { openShopify } from '../../../../test/support/shopify-shop.ts'
import { syncedOrders } from '../../../../test/support/synced-orders.ts'
import { saveCredentials } from '../../../domain/integrations/credentials-store.ts'
import { findRun } from '../../../domain/runs/run-store.ts'
import { workRun } from '../../../domain/sync/work-run.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const { queued, present, expectCountersRight, eventsOf } = syncedOrders(() => tested)

test('the first sync of a large shop waits for the platform without holding a worker, then has everything once', async () => {
  const claims: { count: number | null } = { count: 6000 }
  const { transport, facts, credentials, simulator, sentAs, ids } = openShopify({ claims })
  const context = { ...tested.context, transport }
  const options = { type: 'shopify', shop: facts.shop }
  const { integration } = await makeIntegration(context, { appId: null }, options)
  await saveCredentials(context.db, context.keys, integration, { credentials, expiresAt: null })
  const run = await queued(context, integration)
  const going = new AbortController().signal

  // On a busy machine a turn may be over before the platform was asked again: it goes on at once then.
  let seconds: number | null = 0
  while (seconds === 0) seconds = await workRun(context, run, going)
  expect(seconds).toBe(20)
  expect(await findRun(context.db, integration.id, run.runId)).toMatchObject({
    status: 'running',
    done: 0,
    total: 6000,
  })

  // A shop that then turns out to have fewer than it said is read once more, page by page.
  claims.count = null
  simulator.advance(60)
  while ((await workRun(context, run, going)) !== null);
  expect(await findRun(context.db, integration.id, run.runId)).toMatchObject({ status: 'completed' })
  expect(sentAs('mutation Bulk')).toHaveLength(1)
  expect((await present(integration)).sort()).toEqual(ids().sort())
  expect(await eventsOf(integration)).toEqual(['run.waiting', 'run.completed'])
  await expectCountersRight(integration)
})
