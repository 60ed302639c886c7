import { sql } from 'kysely'
import { foldEmail } from '../../lib/identity/fold-email.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Actor } from './user.ts'

/** E-mail addresses of users: whose one is, and whether it is known to be theirs. */

/**
 * Whether somebody has the address whom the actor sees there: of strangers nobody learns anything. Without a company that differs
 * from one actor to the next, so that no index can tell: then the address is held until the transaction ends.
 */
export async function emailTaken(
  db: Db,
  actor: Pick<Actor, 'admin' | 'userId'>,
  input: { email: string; companyId: number | null; except?: number },
): Promise<boolean> {
  const folded = foldEmail(input.email)
  if (input.companyId === null) await sql`select pg_advisory_xact_lock(hashtextextended(${folded}, 96))`.execute(db)
  const taken = await db
    .selectFrom('users')
    .select('id')
    .where('email_folded', '=', folded)
    .where('deleted_at', 'is', null)
    .where('id', '<>', input.except ?? 0)
    .where('company_id', 'is not distinct from', input.companyId)
    .$if(input.companyId === null && !actor.admin, (query) =>
      query.where((has) => has.or([has('id', '=', actor.userId ?? 0), has('created_by', '=', actor.userId ?? 0)])),
    )
    .limit(1)
    .executeTakeFirst()
  return taken !== undefined
}

/** That the one before was the person's says nothing of another. */
export const addressColumns = (email: string) => {
  const email_folded = foldEmail(email)
  return {
    email_folded,
    email_verified_at: sql<string | null>`case when email_folded = ${email_folded} then email_verified_at end`,
  }
}

/** Null while nobody has shown that it is theirs. */
export async function verifiedEmail(db: Db, id: number): Promise<string | null> {
  const { rows } = await sql<{ email: string }>`
    select email from users where id = ${id} and email_verified_at is not null and deleted_at is null`.execute(db)
  return rows[0]?.email ?? null
}
