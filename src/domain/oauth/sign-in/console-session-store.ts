import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { announce } from '../../announce-store.ts'
import { owns, type UserTenant } from '../../tenant.ts'
import { adminRole } from '../../users/user.ts'
import { givenPermissionsSql } from '../../users/user-store.ts'
import { type UserFacts, userFactsSql } from '../callers/rights-of-user.ts'
import { secondFactorSql } from '../second-factor/second-factor-store.ts'
import { singleSignOnSql } from '../single-sign-on/single-sign-on-store.ts'

/** As a column of a statement that has a row of `users`. */
export const demandsSecondFactor = `(${secondFactorSql.isRequired} or ${singleSignOnSql.needsSecondFactor})`

export interface LiveSession extends UserFacts {
  id: number
  userId: number
  secondsLeft: number
}

/** Where somebody signed in elsewhere: whose provider it was, and what it calls the session, if it says so. */
export interface AtProvider {
  companyId: number
  session: string | null
}

export interface NewSession {
  secretHash: Buffer
  userId: number
  lifetimeSeconds: number
  /** Whether one was proved, here or at the provider. */
  secondFactor: boolean
  provider?: AtProvider | null
  address?: string
  agent?: string | null
}

export async function insertSession(db: Db, input: NewSession): Promise<void> {
  const { provider = null } = input
  await sql`
    insert into console_sessions
      (secret_hash, user_id, expires_at, address, agent, second_factor, provider_company_id, provider_session)
    values (${input.secretHash}, ${input.userId}, now() + make_interval(secs => ${input.lifetimeSeconds}),
      ${input.address ?? null}, ${input.agent?.slice(0, 200) ?? null}, ${input.secondFactor},
      ${provider?.companyId ?? null}, ${provider?.session ?? null})`.execute(db)
}

/**
 * With everything its rights depend on, as of a token. Null if it, or its user, is no longer valid, and where a second factor is
 * demanded by now that it began without: signing in again asks for it.
 */
export async function readLiveSession(db: Db, secretHash: Buffer): Promise<LiveSession | null> {
  const { rows } = await sql<LiveSession>`
    select s.id, s.user_id as "userId", ${sql.raw(userFactsSql)},
      exists(
        select from user_roles join roles on roles.id = user_roles.role_id
        where user_roles.user_id = users.id and roles.name = ${adminRole}) as admin,
      ${sql.raw(givenPermissionsSql)} as permissions,
      extract(epoch from s.expires_at - now())::float8 as "secondsLeft"
    from console_sessions s
    join users on users.id = s.user_id and users.active and users.deleted_at is null
    where s.secret_hash = ${secretHash} and s.expires_at > now()
      and (s.second_factor is not false or not ${sql.raw(demandsSecondFactor)})`.execute(db)
  return rows[0] ?? null
}

/** Somebody who is signed in has shown a second factor: this session has it from now on. `id` as of a caller, below zero. */
export async function markSecondFactor(db: Db, tokenId: number): Promise<void> {
  await db.updateTable('console_sessions').set({ second_factor: true }).where('id', '=', -tokenId).execute()
}

/**
 * What a provider says has ended: the session of that name, or whatever the user has there. Where it tells neither apart
 * from the others, because none was named when it began, it is ended too. Says whose they were.
 */
export async function endSessionsOfProvider(
  db: Db,
  input: { companyId: number; session: string | null; userId: number | null },
): Promise<number[]> {
  const { companyId, session, userId } = input
  const ended = sql`provider_company_id = ${companyId} and (provider_session = ${session}::text
    or (user_id = ${userId}::bigint and (${session}::text is null or provider_session is null)))`
  await sql`delete from sign_in_steps where ${ended}`.execute(db)
  const { rows } = await sql<{ id: number; user_id: number }>`
    delete from console_sessions where ${ended} returning id, user_id`.execute(db)
  await announce(db, 'token', ...rows.map(({ id }) => -id))
  return rows.map((row) => row.user_id)
}

export async function endSession(db: Db, id: number): Promise<void> {
  await db.deleteFrom('console_sessions').where('id', '=', id).execute()
  await announce(db, 'token', -id)
}

/** The id if the app is there, active and the user's. */
export async function readOwnedApp(db: Db, tenant: UserTenant, id: number): Promise<number | null> {
  const app = await db
    .selectFrom('apps')
    .select(['id', 'user_id', 'company_id'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('active', '=', true)
    .executeTakeFirst()
  return app && owns(tenant, app, app.id) ? app.id : null
}

export async function readAccountOf(db: Db, appId: number, id: number): Promise<number | null> {
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('app_id', '=', appId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('active', '=', true)
    .executeTakeFirst()
  return account?.id ?? null
}
