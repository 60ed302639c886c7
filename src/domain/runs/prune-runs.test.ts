import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { makeApp } from '../../../test/support/identity.ts'
import { pruneRuns } from './prune-runs.ts'
import { insertRun } from './run-store.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const running = { attempt: 1, signal: new AbortController().signal }

test('runs go ninety days after their end; those under way and the latest of a kind stay', async () => {
  const { context } = tested
  const { integration } = await makeIntegration(context, { appId: await makeApp(context) })
  const make = async (resource: string, status: string, daysAgo: number | null) => {
    const { id } = await insertRun(context.db, integration.id, { resource, input: {} })
    await sql`update runs set status = ${status}, finished_at = now() - make_interval(days => ${daysAgo})
      where integration_id = ${integration.id} and id = ${id}`.execute(context.db)
    return id
  }
  await make('sync_orders', 'completed', 200)
  await make('sync_orders', 'failed', 91)
  const stay = [
    await make('sync_orders', 'running', null),
    await make('sync_orders', 'completed', 89),
    await make('sync_products', 'completed', 200),
  ]
  await pruneRuns.run(context, {}, running)
  const left = await context.db
    .selectFrom('runs')
    .select('id')
    .where('integration_id', '=', integration.id)
    .orderBy('id')
    .execute()
  expect(left.map(({ id }) => id)).toEqual(stay)
})

test('more than a batch of them go at once', async () => {
  const { context } = tested
  const { integration } = await makeIntegration(context, { appId: await makeApp(context) })
  await sql`insert into runs (integration_id, resource, status, finished_at)
    select ${integration.id}, 'sync_orders', 'completed', now() - interval '100 days' from generate_series(1, 2500)`.execute(
    context.db,
  )
  await pruneRuns.run(context, {}, running)
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from runs where integration_id = ${integration.id}`.execute(context.db)
  expect(rows[0]?.n).toBe(1)
})
