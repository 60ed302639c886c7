import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { enterRun, findRun, insertRun, takeRun } from './run-store.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

test('the estimate of a run follows its progress', async () => {
  const { context } = tested
  const { integration } = await makeIntegration(context, { appId: null })
  const wanted = { resource: 'sync_orders', input: {}, estimatedSeconds: 500 }
  const { id } = await insertRun(context.db, integration.id, wanted)
  const taken = await context.transaction((trx) => takeRun(trx, integration.id, id))
  if (!taken) throw new Error('The run was not taken.')
  await sql`update runs set started_at = now() - interval '10 seconds' where id = ${id}`.execute(context.db)
  const estimateAt = async (progress: { done: number; total: number | null }) => {
    await context.transaction((trx) => enterRun(trx, taken.claim, progress))
    return (await findRun(context.db, integration.id, id)).estimated_seconds
  }
  expect(await estimateAt({ done: 0, total: 1000 })).toBe(500)
  expect(await estimateAt({ done: 100, total: null })).toBe(500)
  const tenth = await estimateAt({ done: 100, total: 1000 })
  expect(tenth).toBeGreaterThanOrEqual(90)
  expect(tenth).toBeLessThan(120)
  expect(await estimateAt({ done: 1000, total: 1000 })).toBe(0)
})
