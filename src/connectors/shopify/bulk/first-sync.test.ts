import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { makeIntegration } from '../../../../test/support/gateway.ts'
import { syncedOrders } from '../../../../test/support/synced-orders.ts'
import { saveCredentials } from '../../../domain/integrations/credentials-store.ts'
import { findRun } from '../../../domain/runs/run-store.ts'
import { workRun } from '../../../domain/sync/work-run.ts'
import { makeShop } from '../stand.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const { queued, present, expectCountersRight, eventsOf } = syncedOrders(() => tested)

test('the first sync of a large shop waits for the platform without holding a worker, then has everything once', async () => {
  const stand = makeShop({ claims: 6000 })
  const context = {
    ...tested.context,
    transport: async (call: Parameters<typeof stand.answer>[0]) => stand.answer(call),
  }
  const options = { type: 'shopify', shop: stand.facts.shop }
  const { integration } = await makeIntegration(context, { appId: null }, options)
  const { credentials } = stand
  await saveCredentials(context.db, context.keys, integration, { credentials, expiresAt: null })
  const run = await queued(context, integration)
  const going = new AbortController().signal

  expect(await workRun(context, run, going)).toBe(20)
  expect(await findRun(context.db, integration.id, run.runId)).toMatchObject({
    status: 'running',
    done: 0,
    total: 6000,
  })

  // A shop that then turns out to have fewer than it said is read once more, page by page.
  Object.assign(stand, { claims: undefined })
  stand.bulk.status = 'COMPLETED'
  while ((await workRun(context, run, going)) !== null);
  expect(await findRun(context.db, integration.id, run.runId)).toMatchObject({ status: 'completed' })
  expect(stand.bulk.begun).toBe(1)
  expect((await present(integration)).sort()).toEqual(stand.books.orders.map(({ id }) => id).sort())
  expect(await eventsOf(integration)).toEqual(['run.waiting', 'run.completed'])
  await expectCountersRight(integration)
})
