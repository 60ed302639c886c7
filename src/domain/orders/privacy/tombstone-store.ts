import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { namedRows } from '../../../runtime/db/rows/named-rows.ts'
import { rememberPool } from '../../levels/stock-mark-store.ts'

/**
 * Orders whose buyers were erased. Their copies stay without the buyer although the shop goes on telling of them, also when
 * the copy itself was deleted in between: they are known by a keyed hash of the shop's id. The key is the integration's own.
 */
const hashOf = (key: Buffer, remoteId: string): Buffer => createHmac('sha256', key).update(remoteId).digest()

/** As `lockCounted`, with the key of the tombstones; null for that where nobody was ever erased. */
export async function lockStored(
  trx: Db,
  integrationId: number,
): Promise<{ at: string; tombstones: Buffer | null } | null> {
  const { rows } = await sql<{ at: string; tombstones: Buffer | null; in_pool: boolean }>`
    select now() as at, tombstone_key as tombstones, in_pool from integration_state
    where integration_id = ${integrationId} for no key update`.execute(trx)
  const [found] = rows
  if (!found) return null
  rememberPool(trx, integrationId, found.in_pool)
  return { at: found.at, tombstones: found.tombstones }
}

/** From now on whatever the shop says of these is stored without the buyer. */
export async function buryOrders(trx: Db, integrationId: number, remoteIds: readonly string[]): Promise<void> {
  if (remoteIds.length === 0) return
  const { rows } = await sql<{ key: Buffer }>`
    update integration_state set tombstone_key = coalesce(tombstone_key, ${randomBytes(32)})
    where integration_id = ${integrationId} returning tombstone_key as key`.execute(trx)
  const [found] = rows
  if (!found) return
  const hashes = [...new Set(remoteIds)].sort().map((id) => hashOf(found.key, id))
  await sql`
    insert into erased_orders (integration_id, remote_hash)
    select s.integration_id, r.hash from integration_state s cross join unnest(${hashes}::bytea[]) r(hash)
    where s.integration_id = ${integrationId}
    on conflict (integration_id, remote_hash) do nothing`.execute(trx)
}

/** Those of the orders that have a tombstone. */
export async function buriedAmong(
  db: Db,
  integrationId: number,
  key: Buffer | null,
  remoteIds: readonly string[],
): Promise<Set<string>> {
  if (key === null || remoteIds.length === 0) return new Set()
  const byHash = new Map(remoteIds.map((id) => [hashOf(key, id).toString('hex'), id]))
  const hashes = [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex'))
  const { rows } = await sql<{ hash: Buffer }>`
    select remote_hash as hash from erased_orders
    where integration_id = ${integrationId} and remote_hash = any(${hashes}::bytea[])`.execute(db)
  return new Set(rows.flatMap(({ hash }) => byHash.get(hash.toString('hex')) ?? []))
}

/** Those whose buyer is not to be known any longer, whether we hold them or not. */
export async function erasedAmong(db: Db, integrationId: number, remoteIds: readonly string[]): Promise<Set<string>> {
  if (remoteIds.length === 0) return new Set()
  const { rows } = await sql<{ key: Buffer | null; redacted: string[] }>`
    select tombstone_key as key, array(
      select remote_id from ${namedRows('orders', integrationId, remoteIds)} where redacted_at is not null) as redacted
    from integration_state where integration_id = ${integrationId}`.execute(db)
  const [found] = rows
  if (!found) return new Set()
  return new Set([...found.redacted, ...(await buriedAmong(db, integrationId, found.key, remoteIds))])
}
