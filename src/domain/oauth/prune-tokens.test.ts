import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeUser } from '../../../test/support/identity.ts'
import { pruneTokens } from './prune-tokens.ts'

let it: TestContext
let userId: number
beforeAll(async () => {
  it = await createTestContext()
  userId = (await makeUser(it.context)).id
})
afterAll(() => it.close())

const prune = () => pruneTokens.run(it.context, {}, { signal: new AbortController().signal, attempt: 1 })
const ago = (time: string) => sql<string>`now() - ${time}::interval`

async function left(table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(it.context.db)
  return rows[0]?.n ?? 0
}

/** One row of each table, as if that time had been so long ago. */
const rows = {
  idempotency_keys: (time: string) =>
    it.context.db
      .insertInto('idempotency_keys')
      .values({
        caller: 'user:1',
        key_hash: Buffer.from(time),
        fingerprint: Buffer.alloc(32),
        holder: null,
        locked_until: ago(time),
        created_at: ago(time),
      })
      .execute(),
  login_addresses: (time: string) =>
    it.context.db
      .insertInto('login_addresses')
      .values({ user_id: userId, address_hash: Buffer.from(time), last_at: ago(time) })
      .execute(),
  rate_windows: (time: string) =>
    it.context.db
      .insertInto('rate_windows')
      .values({ key: time, hits: 1, resets_at: ago(time) })
      .execute(),
  console_sessions: (time: string) =>
    it.context.db
      .insertInto('console_sessions')
      .values({ secret_hash: Buffer.from(time), user_id: userId, expires_at: ago(time) })
      .execute(),
}

test.each([
  ['idempotency_keys', '23 hours 59 minutes', '24 hours 1 minute'],
  ['login_addresses', '179 days', '181 days'],
  ['rate_windows', '59 minutes', '61 minutes'],
  ['console_sessions', '23 hours', '25 hours'],
] as const)('%s stay for %s, and are gone after %s', async (table, young, old) => {
  await rows[table](young)
  await prune()
  expect(await left(table)).toBe(1)
  await rows[table](old)
  await prune()
  expect(await left(table)).toBe(1)
})
