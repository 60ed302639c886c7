import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { secondFactorSql } from '../second-factor/second-factor-store.ts'
import type { AtProvider } from './console-session-store.ts'

/** A sign-in that has begun: the password was right. Ends with the user's sessions. */
export interface SignInStep {
  id: number
  userId: number
  email: string
  companyId: number | null
  /** There is no second factor yet: it is set up before going on. */
  enrols: boolean
  /** The first step was made there. */
  provider: AtProvider | null
}

export async function insertSignInStep(
  db: Db,
  input: { secretHash: Buffer; userId: number; lifetimeSeconds: number; provider?: AtProvider | null },
): Promise<void> {
  await sql`
    insert into sign_in_steps (secret_hash, user_id, expires_at, provider_company_id, provider_session)
    values (${input.secretHash}, ${input.userId}, now() + make_interval(secs => ${input.lifetimeSeconds}),
      ${input.provider?.companyId ?? null}, ${input.provider?.session ?? null})`.execute(db)
}

export async function readSignInStep(db: Db, secretHash: Buffer): Promise<SignInStep | null> {
  const { rows } = await sql<SignInStep>`
    select s.id, s.user_id as "userId", users.email, users.company_id as "companyId", not ${sql.raw(secondFactorSql.has)} as enrols,
      case when s.provider_company_id is not null
        then json_build_object('companyId', s.provider_company_id, 'session', s.provider_session) end as provider
    from sign_in_steps s
    join users on users.id = s.user_id and users.active and users.deleted_at is null
    where s.secret_hash = ${secretHash} and s.expires_at > now()`.execute(db)
  return rows[0] ?? null
}

/** True for one caller. */
export async function spendSignInStep(db: Db, id: number): Promise<boolean> {
  const result = await db.deleteFrom('sign_in_steps').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows === 1n
}
