import { sql } from 'kysely'
import { digest, randomSecret } from '../../../lib/secret.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { isAnsweredFor } from '../../token-revocation-store.ts'

export interface NewIntent {
  appId: number
  accountId: number
  clientId: number
  scopes: readonly string[]
  lifetimeSeconds: number
}

/** Returns the token itself; only its digest is stored. */
export async function insertIntent(db: Db, intent: NewIntent): Promise<{ token: string; expiresAt: string }> {
  const token = randomSecret()
  const row = await db
    .insertInto('intent_tokens')
    .values({
      token_hash: digest(token),
      app_id: intent.appId,
      account_id: intent.accountId,
      client_id: intent.clientId,
      scopes: [...intent.scopes],
      expires_at: sql<string>`now() + make_interval(secs => ${intent.lifetimeSeconds})`,
    })
    .returning('expires_at as expiresAt')
    .executeTakeFirstOrThrow()
  return { token, expiresAt: row.expiresAt }
}

export interface Intent {
  id: number
  appId: number
  accountId: number
  clientId: number
  scopes: string[]
  /** The client's ceiling today. */
  ceiling: string[] | null
  expired: boolean
  used: boolean
  /** Client, app and account are all still there and active. */
  live: boolean
}

export async function findIntent(db: Db, token: string): Promise<Intent | undefined> {
  return await db
    .selectFrom('intent_tokens as intent')
    .innerJoin('oauth_clients as client', 'client.id', 'intent.client_id')
    .innerJoin('apps as app', 'app.id', 'intent.app_id')
    .innerJoin('accounts as account', 'account.id', 'intent.account_id')
    .select([
      'intent.id',
      'intent.app_id as appId',
      'intent.account_id as accountId',
      'intent.client_id as clientId',
      'intent.scopes',
      'client.scopes as ceiling',
      sql<boolean>`intent.expires_at <= now()`.as('expired'),
      sql<boolean>`intent.used_at is not null`.as('used'),
      sql<boolean>`client.revoked_at is null and ${sql.raw(isAnsweredFor('client'))} and app.active and app.deleted_at is null
        and account.active and account.deleted_at is null`.as('live'),
    ])
    .where('intent.token_hash', '=', digest(token))
    .executeTakeFirst()
}

/** True for exactly one caller. */
export async function useIntent(db: Db, id: number): Promise<boolean> {
  const result = await db
    .updateTable('intent_tokens')
    .set({ used_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
