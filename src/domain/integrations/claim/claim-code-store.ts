import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

/** The one before it is no longer worth anything. */
export async function saveClaimCode(
  trx: Db,
  integrationId: number,
  { codeHash, minutes }: { codeHash: Buffer; minutes: number },
): Promise<string> {
  const { rows } = await sql<{ expires_at: string }>`
    insert into claim_codes (integration_id, code_hash, expires_at)
    values (${integrationId}, ${codeHash}, now() + make_interval(mins => ${minutes}::int))
    on conflict (integration_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at
    returning expires_at`.execute(trx)
  return rows[0]?.expires_at ?? ''
}

/** Uses the code up; false for one that is wrong, used or too old. */
export async function takeClaimCode(trx: Db, integrationId: number, codeHash: Buffer): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from claim_codes
    where integration_id = ${integrationId} and code_hash = ${codeHash} and expires_at > now()`.execute(trx)
  return numAffectedRows > 0n
}

export async function deleteExpiredClaimCodes(db: Db): Promise<void> {
  await sql`delete from claim_codes where expires_at <= now()`.execute(db)
}
