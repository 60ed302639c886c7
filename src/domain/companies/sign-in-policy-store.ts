import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'

/** How members of a company sign in. */
export interface SignInPolicy {
  require_second_factor: boolean
}

export async function readSignInPolicy(db: Db, companyId: number): Promise<SignInPolicy> {
  return await db
    .selectFrom('companies')
    .select('require_second_factor')
    .where('id', '=', companyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow(notFound)
}

export async function changeSignInPolicy(
  db: Db,
  companyId: number,
  changes: Partial<SignInPolicy>,
): Promise<SignInPolicy> {
  const { require_second_factor } = changes
  if (require_second_factor !== undefined) {
    await db.updateTable('companies').set({ require_second_factor }).where('id', '=', companyId).execute()
  }
  return await readSignInPolicy(db, companyId)
}

export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists(select from totp_secrets where user_id = ${userId} and confirmed_at is not null)
      or exists(select from passkeys where user_id = ${userId}) as has`.execute(db)
  return rows[0]?.has ?? false
}
