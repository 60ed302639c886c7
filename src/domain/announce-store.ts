import { sql } from 'kysely'
import { afterCommit } from '../runtime/db/commit/around-commit.ts'
import type { Db } from '../runtime/db/connection.ts'

/** What changed. Every process that remembers callers, or where webhooks go, listens and forgets what it concerns. */
export type Holder = 'user' | 'client' | 'app' | 'account' | 'token' | 'webhook' | 'agent'

export const identityChannel = 'entrepot_identity'

type Listener = (whose: string) => void

const listeners = new WeakMap<Db, Listener[]>()

/** Called at once for what this process changes itself through `db`; the others are notified on the channel. */
export function onAnnounce(db: Db, listener: Listener): void {
  listeners.set(db, [...(listeners.get(db) ?? []), listener])
}

/** Belongs into the transaction of the change: it is announced when, and only when, that commits. */
export async function announce(db: Db, holder: Holder, ...ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`select pg_notify(${identityChannel}, ${holder} || ':' || id) from unnest(${ids}::bigint[]) id`.execute(db)
  afterCommit(db, (database) => {
    for (const listener of listeners.get(database) ?? []) for (const id of ids) listener(`${holder}:${id}`)
  })
}
