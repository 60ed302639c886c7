import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { announce } from '../../announce-store.ts'
import { owns, type UserTenant } from '../../tenant.ts'
import { adminRole } from '../../users/user.ts'
import { givenPermissionsSql } from '../../users/user-store.ts'
import { type UserFacts, userFactsSql } from '../callers/rights-of-user.ts'

export interface LiveSession extends UserFacts {
  id: number
  userId: number
  secondsLeft: number
}

export async function insertSession(
  db: Db,
  input: { secretHash: Buffer; userId: number; lifetimeSeconds: number; address?: string; agent?: string | null },
): Promise<void> {
  await sql`
    insert into console_sessions (secret_hash, user_id, expires_at, address, agent)
    values (${input.secretHash}, ${input.userId}, now() + make_interval(secs => ${input.lifetimeSeconds}),
      ${input.address ?? null}, ${input.agent?.slice(0, 200) ?? null})`.execute(db)
}

/** With everything its rights depend on, as of a token. Null if it, or its user, is no longer valid. */
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
    where s.secret_hash = ${secretHash} and s.expires_at > now()`.execute(db)
  return rows[0] ?? null
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
