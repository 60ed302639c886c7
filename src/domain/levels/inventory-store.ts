import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { type InventoryItem, type LevelPlace, levelKey, type SyncedLevel } from './inventory.ts'
import { emitLevels, type LevelChange } from './inventory-events.ts'

/**
 * The keys of the levels that changed; a level that says what we hold already is not written, nor one of a SKU that several
 * articles have at the place. One of each, please.
 */
export async function upsertLevels(
  trx: Db,
  integrationId: number,
  items: readonly InventoryItem[],
): Promise<Set<string>> {
  const document = JSON.stringify(
    items.map(({ sku, quantity, location }) => ({ sku, quantity, location: location ?? '' })),
  )
  const { rows } = await sql<LevelChange>`
    insert into inventory as i (integration_id, sku, location, remote_id, quantity)
    select s.integration_id, r.sku, r.location, held.remote_id, r.quantity
    from integration_state s
    cross join jsonb_to_recordset(${document}::jsonb) r(sku text, location text, quantity bigint)
    cross join lateral (
      select coalesce(min(h.remote_id) filter (where h.deleted_at is null), min(h.remote_id), '') as remote_id
      from inventory h where h.integration_id = ${integrationId} and h.sku = r.sku and h.location = r.location
      having count(*) filter (where h.deleted_at is null) <= 1
    ) held
    where s.integration_id = ${integrationId}
    on conflict (integration_id, sku, location, remote_id) do update
    set quantity = excluded.quantity, updated_at = excluded.updated_at, deleted_at = null
    where i.quantity <> excluded.quantity or i.deleted_at is not null
    returning sku, location, remote_id, quantity, updated_at`.execute(trx)
  await emitLevels(trx, integrationId, 'inventory.updated', rows)
  return new Set(rows.map(levelKey))
}

/** Levels from the shop: one of each, not older than what we hold, and neither written nor locked where they say the same. */
export async function upsertSyncedLevels(
  trx: Db,
  integrationId: number,
  levels: readonly SyncedLevel[],
): Promise<{ inserted: number; updated: number }> {
  const document = JSON.stringify(levels)
  // What was set here before the shop had told of it.
  await sql`
    update inventory i set deleted_at = now(), updated_at = now()
    from jsonb_to_recordset(${document}::jsonb) r(sku text, location text)
    where i.integration_id = ${integrationId} and i.sku = r.sku and i.location = r.location and i.remote_id = ''
      and i.deleted_at is null`.execute(trx)
  const { rows } = await sql<LevelChange & { is_new: boolean }>`
    insert into inventory as i (integration_id, sku, location, quantity, remote_id, remote_version)
    select s.integration_id, r.sku, r.location, r.quantity, r.remote_id, r.remote_version
    from integration_state s
    cross join jsonb_to_recordset(${document}::jsonb)
      r(sku text, location text, quantity bigint, remote_id text, remote_version text)
    left join lateral (
      select true as held from inventory h
      where h.integration_id = ${integrationId} and h.sku = r.sku and h.location = r.location and h.remote_id = r.remote_id
        and (h.quantity, h.remote_version, h.deleted_at) is not distinct from (r.quantity, r.remote_version, null) offset 0
    ) same on true
    where s.integration_id = ${integrationId} and same.held is null
    on conflict (integration_id, sku, location, remote_id) do update
    set quantity = excluded.quantity, remote_version = excluded.remote_version, updated_at = excluded.updated_at,
      deleted_at = null
    where (i.quantity, i.remote_version, i.deleted_at)
        is distinct from (excluded.quantity, excluded.remote_version, excluded.deleted_at)
      and not coalesce(excluded.remote_version collate "C" < i.remote_version collate "C", false)
    returning sku, location, remote_id, quantity, updated_at, xmax = 0 as is_new`.execute(trx)
  await emitLevels(trx, integrationId, 'inventory.updated', rows)
  const inserted = rows.filter((row) => row.is_new).length
  return { inserted, updated: rows.length - inserted }
}

/** A level as something else than a list of levels tells it: an article in a message, or a change of our own. */
export interface ToldLevel {
  /** Null where the article was named by its id alone. */
  sku: string | null
  quantity: number
  /** Undefined where it is not known. */
  location?: string | null | undefined
  /** The shop's id of the article; null where that is not known either. */
  remoteId: string | null
}

/**
 * Levels that we hold follow what was told, where there can be no doubt which one is meant. Those not held, and articles
 * at several places, wait for the next read.
 */
export async function followLevels(trx: Db, integrationId: number, told: readonly ToldLevel[]): Promise<void> {
  if (told.length === 0) return
  const document = JSON.stringify(told.map(({ remoteId, ...level }) => ({ ...level, remote_id: remoteId })))
  const { rows } = await sql<LevelChange>`
    update inventory i set quantity = r.quantity, updated_at = now()
    from (
      select min(h.sku) as sku, min(r.quantity) as quantity, min(h.location) as location, min(h.remote_id) as remote_id,
        count(*) over (partition by min(h.sku), min(h.location), min(h.remote_id)) as claims
      from jsonb_to_recordset(${document}::jsonb) r(sku text, quantity bigint, location text, remote_id text)
      cross join lateral (
        select * from inventory where integration_id = ${integrationId} and sku = r.sku
        union all
        select * from inventory where integration_id = ${integrationId} and r.sku is null and remote_id = r.remote_id
      ) h
      where h.deleted_at is null and (r.location is null or h.location = r.location)
        and (r.remote_id is null or h.remote_id in (r.remote_id, r.sku, ''))
      group by r.sku, r.remote_id, r.location having count(*) = 1
    ) r
    where i.integration_id = ${integrationId} and i.sku = r.sku and i.location = r.location
      and i.remote_id = r.remote_id and i.deleted_at is null and r.claims = 1 and i.quantity <> r.quantity
    returning i.sku, i.location, i.remote_id, i.quantity, i.updated_at`.execute(trx)
  await emitLevels(trx, integrationId, 'inventory.updated', rows)
}

/** The shop has these no longer. They leave all lists, and come back if the shop has them again. */
export async function removeVanishedLevels(
  trx: Db,
  integrationId: number,
  levels: readonly LevelPlace[],
): Promise<number> {
  if (levels.length === 0) return 0
  const { rows } = await sql<LevelChange>`
    update inventory i set deleted_at = now(), updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(levels)}::jsonb) 
      r(sku text, location text, remote_id text)
    where i.integration_id = ${integrationId} and i.sku = r.sku and i.location = r.location
      and i.remote_id = r.remote_id and i.deleted_at is null
    returning i.sku, i.location, i.remote_id, i.quantity, i.updated_at`.execute(trx)
  await emitLevels(trx, integrationId, 'inventory.deleted', rows)
  return rows.length
}
