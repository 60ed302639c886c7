import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/** What is past its time, found by the index on that time. Children first: a refresh token names its access token. */
const spent = [
  { table: 'intent_tokens', key: 'id', condition: `expires_at < now() - interval '1 day'` },
  { table: 'refresh_tokens', key: 'id', condition: `expires_at < now() - interval '1 day'` },
  { table: 'access_tokens', key: 'id', condition: `expires_at < now() - interval '1 day'` },
  { table: 'device_authorizations', key: 'id', condition: `expires_at < now() - interval '1 day'` },
  { table: 'console_sessions', key: 'id', condition: `expires_at < now() - interval '1 day'` },
  { table: 'password_resets', key: 'id', condition: `expires_at < now() - interval '1 day'` },
  { table: 'passkey_challenges', key: 'id', condition: `expires_at < now() - interval '1 day'` },
  { table: 'single_sign_on_trips', key: 'id', condition: `expires_at < now() - interval '1 day'` },
  { table: 'sign_in_steps', key: 'id', condition: `expires_at < now() - interval '1 day'` },
  { table: 'agent_tokens', key: 'id', condition: `expires_at < now() - interval '1 day'` },
  // What was agreed to and never taken, and programs that nobody let in.
  {
    table: 'agent_grants',
    key: 'id',
    condition: `begun_at is null and created_at < now() - interval '1 day'`,
  },
  {
    table: 'agent_clients',
    key: 'id',
    condition: `used_at is null and created_at < now() - interval '1 day'`,
  },
  { table: 'agent_proposals', key: 'id', condition: `created_at < now() - interval '30 days'` },
  { table: 'login_addresses', key: 'user_id, address_hash', condition: `last_at < now() - interval '180 days'` },
  { table: 'idempotency_keys', key: 'id', condition: `created_at < now() - interval '24 hours'` },
  { table: 'rate_windows', key: 'key', condition: `resets_at < now() - interval '1 hour'` },
] as const

export type SpentRows = (typeof spent)[number]
export const spentRows: readonly SpentRows[] = spent

/** Deletes one batch and returns how many rows that were. */
export async function deleteSpent(db: Db, { table, key, condition }: SpentRows, limit: number): Promise<number> {
  const batch = `(select ${key} from ${table} where ${condition} limit ${limit} for update skip locked)`
  const result = await sql`${sql.raw(`delete from ${table} where (${key}) in ${batch}`)}`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
