import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { enterRun, findRun, insertRun, postponeRun, queuedResources, takeRun, yieldRun } from './run-store.ts'

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

async function takenRun() {
  const { context } = tested
  const { integration } = await makeIntegration(context, { appId: null })
  const { id } = await insertRun(context.db, integration.id, {
    resource: 'sync_orders',
    input: {},
    estimatedSeconds: 5,
  })
  const take = async (runId: number) => {
    const taken = await context.transaction((trx) => takeRun(trx, integration.id, runId))
    if (!taken) throw new Error('The run was not taken.')
    return taken
  }
  const taken = await take(id)
  const enter = () => context.transaction((trx) => enterRun(trx, taken.claim, { done: 1, total: 2 }))
  return { context, integration, id, taken, take, enter }
}

test('a worker that another one has overtaken writes nothing more', async () => {
  const { context, integration, enter } = await takenRun()
  expect(await enter()).not.toBeNull()
  // Somebody has taken up another run of the same integration.
  await sql`update integration_state set fence = fence + 1 where integration_id = ${integration.id}`.execute(context.db)
  expect(await enter()).toBeNull()
})

test('progress puts the counts of vain attempts and waits back', async () => {
  const { context, id, enter } = await takenRun()
  await sql`update runs set attempts = 4, waits = 7 where id = ${id}`.execute(context.db)
  await enter()
  const { rows } = await sql`select attempts, waits from runs where id = ${id}`.execute(context.db)
  expect(rows).toEqual([{ attempts: 0, waits: 0 }])
})

test('a run is waited for by whoever wants the same before it is worked on, and not once it has read that nothing is new', async () => {
  const { context, integration, id, taken, take } = await takenRun()
  const waiting = () => queuedResources(context.db, integration.id)
  expect(await waiting()).toEqual(new Set())
  await context.transaction((trx) => enterRun(trx, taken.claim, { done: 0, total: 0 }))
  expect(await waiting()).toEqual(new Set())
  for (const giveBack of [yieldRun, postponeRun]) {
    const { claim } = await take(id)
    expect(await waiting()).toEqual(new Set())
    expect(await giveBack(context.db, claim)).toBe(true)
    expect(await waiting()).toEqual(new Set(['sync_orders']))
    // Whoever has given it back writes nothing for it any more.
    expect(await context.transaction((trx) => enterRun(trx, claim, { done: 1, total: 1 }))).toBeNull()
  }
})
