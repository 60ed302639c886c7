import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import {
  endAttempt,
  type HeldOperation,
  holdOperation,
  markSent,
  settleOperation,
  unconfirmedOperations,
} from './operation-store.ts'

let it: TestContext
let id: number
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())
beforeEach(async () => {
  id = (await makeIntegration(it.context, { appId: null })).integration.id
})

const planned = { kind: 'create_order', key: 'k', input: { a: 1 }, once: false } as const
const hold = (holder: string, more: { once?: boolean } = {}) =>
  holdOperation(it.context.db, id, { ...planned, ...more }, holder)

async function held(holder: string, more: { once?: boolean } = {}): Promise<HeldOperation> {
  const operation = await hold(holder, more)
  if (!operation) throw new Error('Somebody else has it.')
  return operation
}
const row = () =>
  it.context.db.selectFrom('operations').selectAll().where('integration_id', '=', id).executeTakeFirstOrThrow()
const endLease = () =>
  sql`update operations set lease_until = now() - interval '1 second' where integration_id = ${id}`.execute(
    it.context.db,
  )
const rest = () =>
  sql`update operations set updated_at = now() - interval '2 hours' where integration_id = ${id}`.execute(it.context.db)
const doubtful = async () =>
  (await unconfirmedOperations(it.context.db, 100)).filter(({ integration_id: of }) => of === id)

describe('a change that somebody is making', () => {
  test('is nobody else’s until the lease is over', async () => {
    const first = await held('a')
    expect(await hold('b')).toBeNull()
    await endLease()
    expect(await held('b')).toMatchObject({ id: first.id, holder: 'b', generation: first.generation })
  })

  test('is not sent by who was overtaken, nor ended', async () => {
    const first = await held('a')
    await endLease()
    const second = await held('b')
    expect(await markSent(it.context.db, id, first, {})).toBe(false)
    expect((await row()).status).toBe('planned')
    expect(await markSent(it.context.db, id, second, {})).toBe(true)
    await endAttempt(it.context.db, id, first, { status: 'refused', error: 'late' })
    expect(await row()).toMatchObject({ status: 'sent', holder: 'b', error: null })
  })

  test('is not looked at by upkeep', async () => {
    await markSent(it.context.db, id, await held('a'), {})
    await rest()
    expect(await doubtful()).toEqual([])
    await endLease()
    expect(await doubtful()).toMatchObject([{ kind: 'create_order', key: 'k' }])
  })
})

describe('a change that is done', () => {
  const confirm = async (operation: HeldOperation) => {
    await markSent(it.context.db, id, operation, {})
    await endAttempt(it.context.db, id, operation, { status: 'confirmed', result: { number: 1 } })
  }

  test('once is done for good', async () => {
    const first = await held('a', { once: true })
    await confirm(first)
    await settleOperation(it.context.db, id, first)
    expect(await held('b', { once: true })).toMatchObject({ status: 'confirmed', generation: first.generation })
  })

  test('begins anew when it is asked for again, and the one before does not settle it', async () => {
    const first = await held('a')
    await confirm(first)
    await settleOperation(it.context.db, id, first)
    const second = await held('b')
    expect(second).toMatchObject({ status: 'planned', generation: first.generation + 1, result: null })
    await confirm(second)
    await settleOperation(it.context.db, id, first)
    expect((await row()).settled_at).toBeNull()
    await settleOperation(it.context.db, id, second)
    expect((await row()).settled_at).not.toBeNull()
  })

  test('is the answer for who never got it', async () => {
    await confirm(await held('a'))
    expect(await held('b')).toMatchObject({ status: 'confirmed', result: { number: 1 }, generation: 1 })
  })
})
