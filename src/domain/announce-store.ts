import { sql } from 'kysely'
import type { Db } from '../runtime/db/connection.ts'

/** Whose rights changed. Every process that remembers callers listens and forgets the ones it concerns. */
export type Holder = 'user' | 'client' | 'app' | 'account' | 'token'

export const identityChannel = 'entrepot_identity'

/** Belongs into the transaction of the change: it is heard when, and only when, that commits. */
export async function announce(db: Db, holder: Holder, ...ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`select pg_notify(${identityChannel}, ${holder} || ':' || id) from unnest(${ids}::bigint[]) id`.execute(db)
}
