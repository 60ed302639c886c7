import { sql } from 'kysely'
import type { Db } from '../runtime/db/connection.ts'
import { holdRow } from '../runtime/db/rows/hold-row.ts'
import { announce } from './announce-store.ts'

/** Where a token was used is nobody's business once it has ended. */
export const endedToken = { revoked_at: sql<string>`now()`, address: null, agent: null }

/**
 * Ends every token of a user, client or account, a user's sessions, also those that are half open, and intents of a client that nobody has
 * used yet. Part of the transaction that gives the reason; it holds the client. Whoever is given a token holds whom it is for, so that
 * one which is just being made is waited for, and seen.
 * `except`: the token, or below zero the session, that asked for it.
 */
export async function revokeTokens(
  db: Db,
  holder: 'user' | 'client' | 'account',
  id: number,
  { except = 0 }: { except?: number } = {},
): Promise<void> {
  const column = `${holder}_id` as const
  if (holder === 'user') await holdRow(db, 'users', id)
  // Before the tokens: one that becomes a token meanwhile is found among them.
  if (holder === 'client') await spendIntents(db, id)
  await db
    .updateTable('access_tokens')
    .set(endedToken)
    .where(column, '=', id)
    .where('id', '<>', except)
    .where('revoked_at', 'is', null)
    .execute()
  if (holder !== 'account') {
    await db
      .updateTable('refresh_tokens')
      .set({ revoked_at: sql<string>`now()` })
      .where(`${holder}_id`, '=', id)
      .where(sql<boolean>`access_token_id is distinct from ${except}`)
      .where('revoked_at', 'is', null)
      .execute()
  }
  if (holder === 'user') {
    await db.deleteFrom('console_sessions').where('user_id', '=', id).where('id', '<>', -except).execute()
    await voidResets(db, id)
    await db.deleteFrom('sign_in_steps').where('user_id', '=', id).execute()
    await db.deleteFrom('device_authorizations').where('user_id', '=', id).execute()
    await endAgentsOf(db, id)
  }
  await announce(db, holder, id)
}

async function spendIntents(db: Db, clientId: number): Promise<void> {
  await db
    .updateTable('intent_tokens')
    .set({ used_at: sql<string>`now()` })
    .where('client_id', '=', clientId)
    .where('expires_at', '>', sql<string>`now()`)
    .where('used_at', 'is', null)
    .execute()
}

/** Whoever may no longer come in sends no program either. */
async function endAgentsOf(db: Db, userId: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update agent_grants set ended_at = now() where user_id = ${userId} and ended_at is null returning id`.execute(db)
  await announce(db, 'agent', ...rows.map(({ id }) => id))
}

/** Links to choose a new password are good for the password and the address that there were. */
export async function voidResets(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}

/**
 * A company has begun to demand a second factor of its members: processes that remember who is signed in without one look
 * again, and no longer let them in.
 */
export async function announceUnproved(db: Db, companyId: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select s.id from console_sessions s join users on users.id = s.user_id
    where users.company_id = ${companyId} and s.second_factor is false and s.expires_at > now()`.execute(db)
  await announce(db, 'token', ...rows.map(({ id }) => -id))
}

/** What somebody made opens nothing once that somebody has left: processes that remember its tokens look again. */
export async function announceClientsOf(db: Db, userId: number): Promise<void> {
  const clients = await db
    .selectFrom('oauth_clients')
    .select('id')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
  await announce(db, 'client', ...clients.map(({ id }) => id))
}

/**
 * Of a row of `oauth_clients` under the name of `client`: whoever answers for it is still where it belongs. It may have no
 * maker, as those of the operator and those whose maker had gone before this was looked at.
 */
export const isAnsweredFor = (client: string): string => `not exists (
  select from users maker where maker.id = ${client}.user_id
    and (maker.deleted_at is not null
      or (${client}.company_id is not null and maker.company_id is distinct from ${client}.company_id)))`
