import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

export interface StoredState {
  id: number
  integration_id: number
  /** The type of the service, by the word of version 1.0. */
  channel: string
  shop: string
  return_url: string | null
  sealed: Buffer | null
}

export async function insertState(
  db: Db,
  state: Omit<StoredState, 'id'> & { state_hash: Buffer; minutes: number },
): Promise<void> {
  const { minutes, ...row } = state
  await db
    .insertInto('install_states')
    .values({ ...row, expires_at: sql<string>`now() + make_interval(mins => ${minutes}::int)` })
    .execute()
}

/** Uses the state up. Of two that bring the same one, one gets it. */
export async function takeState(db: Db, stateHash: Buffer, type: string): Promise<StoredState | null> {
  const taken = await db
    .updateTable('install_states')
    .set({ used_at: sql<string>`now()` })
    .where('state_hash', '=', stateHash)
    .where('channel', '=', type)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .returning(['id', 'integration_id', 'channel', 'shop', 'return_url', 'sealed'])
    .executeTakeFirst()
  return taken ?? null
}

/** Which trip ended with it, a short while ago: it opens nothing any more, but says where its browser wants to go. */
export async function findUsedState(db: Db, stateHash: Buffer, type: string): Promise<StoredState | null> {
  const used = await db
    .selectFrom('install_states')
    .select(['id', 'integration_id', 'channel', 'shop', 'return_url', 'sealed'])
    .where('state_hash', '=', stateHash)
    .where('channel', '=', type)
    .where('used_at', '>', sql<string>`now() - interval '10 minutes'`)
    .executeTakeFirst()
  return used ?? null
}

/** A new trip ends the ones before it. */
export async function destroyStates(db: Db, integrationId: number): Promise<void> {
  await db
    .deleteFrom('install_states')
    .where('integration_id', '=', integrationId)
    .where('used_at', 'is', null)
    .execute()
}

export async function deleteSpentStates(db: Db): Promise<void> {
  await db.deleteFrom('install_states').where('expires_at', '<', sql<string>`now() - interval '1 day'`).execute()
}
