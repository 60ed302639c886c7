import { sql } from 'kysely'
import { foldEmail } from '../../../lib/identity/fold-email.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { adminRole } from '../../users/user.ts'
import { secondFactorSql } from '../second-factor/second-factor-store.ts'

/** Who it is by what the provider calls them; whether they may come in is seen later. */
export async function findUserOfSubject(db: Db, input: { companyId: number; subject: string }): Promise<number | null> {
  const row = await db
    .selectFrom('single_sign_on_subjects')
    .select('user_id')
    .where('company_id', '=', input.companyId)
    .where('subject', '=', input.subject)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/** Of this company: what others with the address are elsewhere is not the provider's to say. */
export async function findMemberOfEmail(db: Db, input: { companyId: number; email: string }): Promise<number | null> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('email_folded', '=', foldEmail(input.email))
    .where('company_id', '=', input.companyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
}

/** One user has one name there, and one name is one user: false where either is taken by another. */
export async function keepSubject(
  db: Db,
  input: { companyId: number; subject: string; userId: number },
): Promise<boolean> {
  const { companyId, subject, userId } = input
  await db
    .insertInto('single_sign_on_subjects')
    .values({ company_id: companyId, subject, user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const result = await db
    .updateTable('single_sign_on_subjects')
    .set({ last_at: sql<string>`now()` })
    .where('company_id', '=', companyId)
    .where('subject', '=', subject)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function forgetSubject(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('single_sign_on_subjects').where('user_id', '=', userId).execute()
}

export interface Member {
  id: number
  hasSecondFactor: boolean
  hasPasskey: boolean
  needsSecondFactor: boolean
}

/**
 * An active member of the company, as they are until the transaction ends. Whoever administers the whole instance is none:
 * a company must not decide who that is.
 */
export async function holdMember(db: Db, input: { companyId: number; userId: number }): Promise<Member | null> {
  const { rows } = await sql<Member>`
    select id, ${sql.raw(secondFactorSql.has)} as "hasSecondFactor", ${sql.raw(secondFactorSql.hasPasskey)} as "hasPasskey",
      ${sql.raw(secondFactorSql.isRequired)} as "needsSecondFactor"
    from users
    where id = ${input.userId} and company_id = ${input.companyId} and active and deleted_at is null
      and not exists(
        select from user_roles join roles on roles.id = user_roles.role_id
        where user_roles.user_id = users.id and roles.name = ${adminRole})
    for share of users`.execute(db)
  return rows[0] ?? null
}
