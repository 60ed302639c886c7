import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { makeIntegration } from '../../../../test/support/gateway.ts'
import { dropOldQuarantined, quarantine } from '../quarantine/quarantine-store.ts'
import { countSeen, markSeen } from '../vanished-store.ts'

/** Several runs leave marks on the same integration; each is judged by its own. */

let tested: TestContext
let integrationId: number
beforeAll(async () => {
  tested = await createTestContext()
  integrationId = (await makeIntegration(tested.context, { appId: null })).integration.id
})
afterAll(() => tested.close())

test('what an earlier run has seen is not counted', async () => {
  const { db } = tested.context
  await markSeen(db, { integrationId, kind: 'orders', runId: 1 }, ['a', 'b', 'c'])
  await markSeen(db, { integrationId, kind: 'orders', runId: 2 }, ['a'])
  expect(await countSeen(db, integrationId, { kind: 'orders', runId: 2 })).toBe(1)
})

test('what was quarantined by this run stays, however long ago that was', async () => {
  const { db } = tested.context
  const bad = (key: string) => [{ key, reason: 'odd', payload: '{}' }]
  await quarantine(db, { integrationId, kind: 'orders', runId: 1 }, bad('before'))
  await quarantine(db, { integrationId, kind: 'orders', runId: 2 }, bad('now'))
  await sql`update quarantine set updated_at = now() - interval '1 hour' where integration_id = ${integrationId}`.execute(
    db,
  )
  const startedAt = new Date().toISOString()
  await dropOldQuarantined(db, integrationId, { kind: 'orders', runId: 2, startedAt })
  const { rows } = await sql`select remote_id from quarantine where integration_id = ${integrationId}`.execute(db)
  expect(rows).toEqual([{ remote_id: 'now' }])
})
