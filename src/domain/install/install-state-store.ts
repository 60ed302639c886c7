import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

export interface StoredState {
  integration_id: number
  /** The type of the service, by the word of version 1.0. */
  channel: string
  shop: string
  return_url: string | null
  sealed: Buffer
}

const columns = ['integration_id', 'channel', 'shop', 'return_url', 'sealed'] as const

export async function insertState(db: Db, state: StoredState & { state_hash: Buffer; minutes: number }): Promise<void> {
  const { minutes, ...row } = state
  await db
    .insertInto('install_states')
    .values({ ...row, expires_at: sql<string>`now() + make_interval(mins => ${minutes}::int)` })
    .execute()
}

export async function findState(db: Db, stateHash: Buffer): Promise<(StoredState & { departed: boolean }) | null> {
  const found = await db
    .selectFrom('install_states')
    .select(columns)
    .select(sql<boolean>`browser_hash is not null`.as('departed'))
    .where('state_hash', '=', stateHash)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirst()
  return found ?? null
}

/** From now on the trip ends in this browser; whoever presses the button once more in another one goes on there. */
export async function bindState(db: Db, stateHash: Buffer, browserHash: Buffer): Promise<void> {
  await db
    .updateTable('install_states')
    .set({ browser_hash: browserHash })
    .where('state_hash', '=', stateHash)
    .execute()
}

/** False if somebody has changed or taken it meanwhile. */
export async function resealState(
  db: Db,
  stateHash: Buffer,
  { was, sealed }: { was: Buffer; sealed: Buffer },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('install_states')
    .set({ sealed })
    .where('state_hash', '=', stateHash)
    .where('sealed', '=', was)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whose trip it is: of the browser that set out, or of whoever may speak for the integration. */
export type StateHolder = { browserHash: Buffer } | { integrationId: number }

/** Uses the state up. Of two that bring the same one, one gets it. */
export async function takeState(
  db: Db,
  stateHash: Buffer,
  { type, holder }: { type: string; holder: StateHolder },
): Promise<StoredState | null> {
  const state = db
    .deleteFrom('install_states')
    .where('state_hash', '=', stateHash)
    .where('channel', '=', type)
    .where('expires_at', '>', sql<string>`now()`)
    .returning(columns)
  const held =
    'browserHash' in holder
      ? state.where('browser_hash', '=', holder.browserHash)
      : state.where('integration_id', '=', holder.integrationId)
  return (await held.executeTakeFirst()) ?? null
}

export async function deleteState(db: Db, stateHash: Buffer, type: string): Promise<number | null> {
  const gone = await db
    .deleteFrom('install_states')
    .where('state_hash', '=', stateHash)
    .where('channel', '=', type)
    .returning('integration_id')
    .executeTakeFirst()
  return gone?.integration_id ?? null
}

/** A new trip ends the ones before it. */
export async function destroyStates(db: Db, integrationId: number): Promise<void> {
  await db.deleteFrom('install_states').where('integration_id', '=', integrationId).execute()
}

export async function deleteSpentStates(db: Db): Promise<void> {
  await db.deleteFrom('install_states').where('expires_at', '<=', sql<string>`now()`).execute()
}
