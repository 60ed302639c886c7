import { afterAll, beforeAll, expect, test } from 'vitest'
import { amazon } from '../src/connectors/amazon/index.ts'
import { ordersPath } from '../src/connectors/amazon/orders.ts'
import { saveCredentials } from '../src/domain/integrations/credentials-store.ts'
import { changeIntegration } from '../src/domain/integrations/integration-store.ts'
import { insertRun } from '../src/domain/runs/run-store.ts'
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

test('on Amazon, which gives a page in three minutes, new orders come while a comparison waits for its report', async () => {
  const imitation = openImitation(amazon, { orders: 1400, settings: { fulfilled_by: 'all' } })
  const { simulator, transport, asked, facts, credentials } = imitation
  simulator.weather({ limit_scale: 1 })
  const context = { ...tested.context, connectors: new Map([['amazon', amazon]]), transport }
  const { shop, settings } = facts
  const { integration: made } = await makeIntegration(context, { appId: null }, { type: 'amazon', shop })
  const integration = await changeIntegration(context.db, made.id, { settings })
  await saveCredentials(context.db, context.keys, integration, { credentials, expiresAt: null })
  const searches = () => asked.filter(({ url }) => url.endsWith(ordersPath)).length
  expect(await syncNow(context, integration, 'sync_orders')).toMatchObject({ status: 'completed' })
  expect(searches()).toBe(14)

  const { id: runId } = await insertRun(context.db, integration.id, {
    resource: 'reconcile',
    input: { resources: ['orders'] },
  })
  const turn = () => workRun(context, { integrationId: integration.id, runId }, new AbortController().signal)
  expect(await turn()).toBeGreaterThan(0)
  for (const _ of [1, 2, 3]) {
    simulator.change({ new_orders: 2 })
    const news = await syncNow(context, integration, 'sync_orders')
    expect(news).toMatchObject({ status: 'completed', result: { mode: 'incremental', inserted: 2 } })
    expect(await turn()).toBeGreaterThan(0)
  }
  // A page for each, and none for the comparison: at 20 at once and one in three minutes they are for what is new.
  expect(searches()).toBe(17)
})
