import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Caller } from '../../tenant.ts'
import { isAnsweredFor } from '../../token-revocation-store.ts'
import { adminRole } from '../../users/user.ts'
import { givenPermissionsSql } from '../../users/user-store.ts'
import { underCeiling } from '../clients/client.ts'
import { actFor } from './act-for.ts'
import { rightsOfUser, type UserFacts, userFactsSql } from './rights-of-user.ts'

interface Row extends UserFacts {
  id: number
  kind: 'user' | 'client' | 'account'
  client_id: number
  client_app_id: number | null
  ceiling: string[] | null
  scopes: string[]
  user_id: number | null
  app_id: number | null
  account_id: number | null
  user_live: boolean
  app_live: boolean
  account_live: boolean
  seconds_left: number
}

export interface LiveToken {
  caller: Caller
  /** By the database's clock. */
  secondsLeft: number
}

/**
 * The token's row with everything its rights depend on, in one query. The kind stands in the row: ids of users,
 * clients and accounts overlap. Null if the token, or whoever it acts for, is no longer valid. `app`: which of their apps
 * a user speaks for.
 */
export async function readLiveToken(db: Db, jti: string, app?: string): Promise<LiveToken | null> {
  const { rows } = await sql<Row>`
    select t.id, t.kind, t.client_id, c.app_id as client_app_id, c.scopes as ceiling, t.scopes, t.user_id,
      ${sql.raw(userFactsSql)}, t.app_id, t.account_id,
      coalesce(users.active and users.deleted_at is null, false) as user_live,
      coalesce(a.active and a.deleted_at is null, false) as app_live,
      coalesce(ac.active and ac.deleted_at is null, false) as account_live,
      t.user_id is not null and exists(
        select from user_roles join roles on roles.id = user_roles.role_id
        where user_roles.user_id = t.user_id and roles.name = ${adminRole}) as admin,
      case when t.user_id is null then '{}' else ${sql.raw(givenPermissionsSql)} end as permissions,
      extract(epoch from t.expires_at - now())::float8 as seconds_left
    from access_tokens t
    join oauth_clients c on c.id = t.client_id and c.revoked_at is null and ${sql.raw(isAnsweredFor('c'))}
    left join users on users.id = t.user_id
    left join apps a on a.id = coalesce(t.app_id, c.app_id)
    left join accounts ac on ac.id = t.account_id
    where t.jti = ${jti} and t.revoked_at is null and t.expires_at > now()`.execute(db)
  const [row] = rows
  const caller = row && toCaller(row)
  if (!caller) return null
  // Only people speak for apps: whoever is one says nothing new by naming one.
  const speaks = app !== undefined && caller.kind === 'user'
  return {
    caller: speaks ? await actFor(db, { user: caller, facts: row }, { app }) : caller,
    secondsLeft: row.seconds_left,
  }
}

/** Apps and accounts speak for themselves; what they may is in the scopes of their tokens. */
const ofNoUser = { permissions: new Set<never>(), rights: null }

function toCaller(row: Row): Caller | null {
  const facts = {
    tokenId: row.id,
    clientId: row.client_id,
    // The ceiling of today: lowering it takes effect on tokens that are out already.
    scopes: underCeiling(row.scopes, row.ceiling),
  }
  if (row.kind === 'user') {
    if (row.user_id === null || !row.user_live) return null
    const { user_id: userId } = row
    return { kind: 'user', ...facts, subject: `user:${userId}`, userId, ...rightsOfUser(row) }
  }
  if (row.kind === 'client') {
    const appId = row.client_app_id
    if (appId !== null && !row.app_live) return null
    const subject = `client:${row.client_id}`
    const shared = appId === null ? {} : { sharesWith: `app:${appId}` }
    return { kind: 'client', ...facts, ...ofNoUser, ...shared, subject, appId }
  }
  if (row.app_id === null || row.account_id === null || !row.app_live || !row.account_live) return null
  return {
    kind: 'account',
    ...facts,
    ...ofNoUser,
    subject: `account:${row.account_id}`,
    appId: row.app_id,
    accountId: row.account_id,
  }
}
