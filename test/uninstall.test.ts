import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../src/domain/context.ts'
import type { Integration } from '../src/domain/integrations/integration.ts'
import { uninstallIntegration } from '../src/domain/integrations/uninstall-integration.ts'
import { findRun, insertRun } from '../src/domain/runs/run-store.ts'
import { workRun } from '../src/domain/sync/work-run.ts'
import { createTestContext, type TestContext } from './support/context.ts'
import { makeIntegration } from './support/gateway.ts'
import { type ScriptedShop, scriptedShop } from './support/order-shop.ts'

let tested: TestContext
let context: Context
let shop: ScriptedShop
let integration: Integration

beforeAll(async () => {
  tested = await createTestContext()
  shop = scriptedShop(500)
  context = { ...tested.context, connectors: new Map([['sandbox', shop.connector]]) }
  integration = (await makeIntegration(context, { appId: null })).integration
})
afterAll(() => tested.close())

const stored = async () => {
  const [row] = await tested.database.query<{ n: number }>(
    'select count(*) as n from orders where integration_id = $1',
    [integration.id],
  )
  return row?.n ?? 0
}

test('a sync that is under way asks the shop nothing more, and stores nothing more', async () => {
  const run = await insertRun(context.db, integration.id, { resource: 'sync_orders', input: {} })
  let after = 0
  let askedWhenLeft = 0
  const left = Promise.withResolvers<void>()
  shop.beforePage = async (_, nth) => {
    if (nth !== 5) return
    await uninstallIntegration(context, integration.id)
    askedWhenLeft = shop.asked.length
    after = await stored()
    left.resolve()
  }
  const place = { integrationId: integration.id, runId: run.id }
  expect(await workRun(context, place, new AbortController().signal)).toBeNull()
  await left.promise
  // The one question that was being asked, and no other.
  expect(shop.asked.length).toBe(askedWhenLeft)
  expect(await stored()).toBe(after)
  expect(await findRun(context.db, integration.id, run.id)).toMatchObject({
    status: 'cancelled',
    error: 'The integration was uninstalled.',
  })
  expect(await workRun(context, place, new AbortController().signal)).toBeNull()
  expect(shop.asked.length).toBe(askedWhenLeft)
})
