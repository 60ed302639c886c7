import { sql } from 'kysely'
import type { Db } from '../runtime/db/connection.ts'
import { announce } from './announce-store.ts'

/** Ends every token of a user, client or account, and a user's sessions. Part of the transaction that gives the reason. */
export async function revokeTokens(db: Db, holder: 'user' | 'client' | 'account', id: number): Promise<void> {
  const column = `${holder}_id` as const
  await db
    .updateTable('access_tokens')
    .set({ revoked_at: sql<string>`now()` })
    .where(column, '=', id)
    .where('revoked_at', 'is', null)
    .execute()
  if (holder !== 'account') {
    await db
      .updateTable('refresh_tokens')
      .set({ revoked_at: sql<string>`now()` })
      .where(`${holder}_id`, '=', id)
      .where('revoked_at', 'is', null)
      .execute()
  }
  if (holder === 'user') await db.deleteFrom('console_sessions').where('user_id', '=', id).execute()
  await announce(db, holder, id)
}
