import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { digest, randomSecret } from '../../lib/secret.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { announce } from '../announce-store.ts'
import { endedToken } from '../token-revocation-store.ts'
import type { TokenFacts } from './access-token.ts'

export interface NewAccessToken {
  kind: 'user' | 'client' | 'account'
  clientId: number
  userId?: number
  appId?: number
  accountId?: number
  scopes: readonly string[]
  familyId?: string
  lifetimeSeconds: number
}

export interface IssuedAccessToken extends TokenFacts {
  id: number
}

export async function insertAccessToken(db: Db, token: NewAccessToken): Promise<IssuedAccessToken> {
  const jti = randomUUID()
  const row = await db
    .insertInto('access_tokens')
    .values({
      jti,
      kind: token.kind,
      client_id: token.clientId,
      user_id: token.userId ?? null,
      app_id: token.appId ?? null,
      account_id: token.accountId ?? null,
      scopes: [...token.scopes],
      family_id: token.familyId ?? null,
      expires_at: after(token.lifetimeSeconds),
    })
    .returning(['id', sql<number>`floor(extract(epoch from created_at))::bigint`.as('issuedAt')])
    .executeTakeFirstOrThrow()
  return {
    id: row.id,
    jti,
    kind: token.kind,
    clientId: token.clientId,
    holderId: token.userId ?? token.accountId ?? token.clientId,
    scopes: token.scopes,
    issuedAt: row.issuedAt,
    expiresAt: row.issuedAt + token.lifetimeSeconds,
  }
}

const after = (seconds: number) => sql<string>`now() + make_interval(secs => ${seconds})`

export interface NewRefreshToken {
  familyId: string
  parentId: number | null
  accessTokenId: number
  clientId: number
  userId: number
  scopes: readonly string[]
  lifetimeSeconds: number
}

/** Returns the token itself; only its digest is stored. */
export async function insertRefreshToken(db: Db, token: NewRefreshToken): Promise<string> {
  const secret = randomSecret()
  await db
    .insertInto('refresh_tokens')
    .values({
      token_hash: digest(secret),
      family_id: token.familyId,
      parent_id: token.parentId,
      access_token_id: token.accessTokenId,
      client_id: token.clientId,
      user_id: token.userId,
      scopes: [...token.scopes],
      expires_at: after(token.lifetimeSeconds),
    })
    .execute()
  return secret
}

export interface RefreshToken {
  id: number
  familyId: string
  accessTokenId: number | null
  clientId: number
  userId: number
  scopes: string[]
  expired: boolean
  revoked: boolean
  used: boolean
  /** Used so shortly ago that a second request with it may have been on its way already. */
  usedJustNow: boolean
}

export async function findRefreshToken(db: Db, secret: string): Promise<RefreshToken | undefined> {
  return await db
    .selectFrom('refresh_tokens')
    .select([
      'id',
      'family_id as familyId',
      'access_token_id as accessTokenId',
      'client_id as clientId',
      'user_id as userId',
      'scopes',
      sql<boolean>`expires_at <= now()`.as('expired'),
      sql<boolean>`revoked_at is not null`.as('revoked'),
      sql<boolean>`used_at is not null`.as('used'),
      sql<boolean>`coalesce(used_at > now() - interval '10 seconds', false)`.as('usedJustNow'),
    ])
    .where('token_hash', '=', digest(secret))
    .executeTakeFirst()
}

/** Holds the user as they are, or says that there is no such active user any more. */
export async function holdActiveUser(db: Db, userId: number, passwordHash?: string): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .$if(passwordHash !== undefined, (query) => query.where('password_hash', '=', passwordHash ?? ''))
    .forShare()
    .executeTakeFirst()
  return user !== undefined
}

/** One at a time works on a family: a revocation must not miss the token that a rotation is just adding. */
export async function lockFamily(db: Db, familyId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${familyId}, 0))`.execute(db)
}

/** True for exactly one caller. */
export async function useRefreshToken(db: Db, id: number): Promise<boolean> {
  const result = await db
    .updateTable('refresh_tokens')
    .set({ used_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function successorIsUnused(db: Db, id: number): Promise<boolean> {
  const successor = await db
    .selectFrom('refresh_tokens')
    .select('id')
    .where('parent_id', '=', id)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return successor !== undefined
}

export async function revokeFamily(db: Db, familyId: string): Promise<void> {
  await db
    .updateTable('refresh_tokens')
    .set({ revoked_at: sql<string>`now()` })
    .where('family_id', '=', familyId)
    .where('revoked_at', 'is', null)
    .execute()
  const revoked = await db
    .updateTable('access_tokens')
    .set(endedToken)
    .where('family_id', '=', familyId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  await announce(db, 'token', ...revoked.map((token) => token.id))
}

export async function revokeAccessToken(db: Db, id: number): Promise<void> {
  await db.updateTable('access_tokens').set(endedToken).where('id', '=', id).where('revoked_at', 'is', null).execute()
  await announce(db, 'token', id)
}

/** That nobody has closed it since it was shown. */
export async function isTokenOpen(db: Db, id: number): Promise<boolean> {
  const open = await db
    .selectFrom('access_tokens')
    .select('id')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return open !== undefined
}

export async function findAccessToken(db: Db, jti: string): Promise<{ id: number; clientId: number } | undefined> {
  return await db
    .selectFrom('access_tokens')
    .select(['id', 'client_id as clientId'])
    .where('jti', '=', jti)
    .executeTakeFirst()
}
