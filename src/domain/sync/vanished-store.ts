import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { comparedFrom, type Pass, type SyncKind } from './sync.ts'

/** What a run has come across in the shop, and what of ours it has not. Only reads the tables of the records. */

export async function markSeen(
  trx: Db,
  { integrationId, kind, runId }: { integrationId: number; kind: SyncKind; runId: number },
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  await sql`
    insert into sync_seen (integration_id, run_id, kind, remote_id)
    select s.integration_id, ${runId}, ${kind}, r.key
    from integration_state s cross join unnest(${[...new Set(keys)]}::text[]) r(key)
    where s.integration_id = ${integrationId}
    on conflict do nothing`.execute(trx)
}

/** Of this run and of those that ended before they could; a comparison that goes on beside it still needs its own. */
export async function forgetSeen(trx: Db, integrationId: number): Promise<void> {
  await sql`
    delete from sync_seen where integration_id = ${integrationId} and run_id <> all(array(
      select id from runs where integration_id = ${integrationId} and status in ('queued', 'running')))`.execute(trx)
}

interface Copy {
  table: string
  key: string
  /** Rows that came from the shop. */
  fromShop: string
  /** Those that are still there. */
  present: string
  /** Whether a row must show up among what changed since; null where that cannot be said. */
  within: string | null
}

const copies: Readonly<Record<SyncKind, Copy>> = {
  orders: {
    table: 'orders',
    key: 'c.remote_id',
    fromShop: 'c.remote_version is not null and c.vanished_at is null',
    present: 'c.deleted_at is null',
    // What was placed since has changed since.
    within: 'c.placed_at',
  },
  products: {
    table: 'products',
    key: 'c.remote_id',
    fromShop: 'c.remote_version is not null and c.vanished_at is null',
    present: 'c.deleted_at is null',
    within: null,
  },
  inventory: {
    table: 'inventory',
    key: 'c.location || chr(10) || c.remote_id || chr(10) || c.sku',
    fromShop: `c.remote_id <> '' and c.deleted_at is null`,
    present: 'c.deleted_at is null',
    within: null,
  },
}

/** Whether a pass over this part of the shop can show what is gone. */
export const detectsVanished = (kind: SyncKind, { since }: Pass): boolean =>
  since === null || copies[kind].within !== null

/** What of a pass says which rows it should have seen. */
export type Reach = Pick<Pass, 'run' | 'since' | 'oldest' | 'startedAt'>

/** The rows that a pass should have seen: what has come since it began, it could have missed. */
function expected(integrationId: number, kind: SyncKind, reach: Reach) {
  const { table, fromShop, present, within } = copies[kind]
  const { startedAt } = reach
  const from = comparedFrom(reach)
  const made = kind === 'inventory' ? 'updated_at' : 'created_at'
  return sql`
    from ${sql.table(table)} c
    where c.integration_id = ${integrationId} and ${sql.raw(fromShop)} and ${sql.raw(present)}
      and c.${sql.raw(made)} < ${startedAt}::timestamptz
      ${from === null || within === null ? sql`` : sql`and ${sql.raw(within)} >= ${from}::timestamptz`}`
}

/**
 * The keys of those that it has not. Neither a join nor `not in`: of a table that has just been filled the planner knows
 * nothing or too much, and would walk it once for each row. This is a sort or a hash, whatever it believes.
 */
const unseen = (integrationId: number, kind: SyncKind, pass: Reach) => sql`
  select ${sql.raw(copies[kind].key)} as key ${expected(integrationId, kind, pass)} and ${sql.raw(copies[kind].key)} is not null
  except select remote_id from sync_seen
  where integration_id = ${integrationId} and run_id = ${pass.run} and kind = ${kind}`

export async function countUnseen(
  db: Db,
  integrationId: number,
  { kind, pass }: { kind: SyncKind; pass: Reach },
): Promise<{ held: number; unseen: number }> {
  const { rows } = await sql<{ held: number; unseen: number }>`
    select (select count(*) ${expected(integrationId, kind, pass)}) as held,
      (select count(*) from (${unseen(integrationId, kind, pass)}) u) as unseen`.execute(db)
  return rows[0] ?? { held: 0, unseen: 0 }
}

export async function unseenKeys(
  db: Db,
  integrationId: number,
  { kind, pass, limit }: { kind: SyncKind; pass: Reach; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    ${unseen(integrationId, kind, pass)} order by 1 limit ${limit}`.execute(db)
  return rows.map(({ key }) => key)
}

/** Some of those that the pass has seen. */
export async function seenKeys(
  db: Db,
  integrationId: number,
  { kind, pass, limit }: { kind: SyncKind; pass: Reach; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select remote_id as key from sync_seen
    where integration_id = ${integrationId} and run_id = ${pass.run} and kind = ${kind}
    order by remote_id limit ${limit}`.execute(db)
  return rows.map(({ key }) => key)
}

/** How many records of the shop we know of after a pass over all of it: held, or quarantined by this run. */
export async function countCovered(
  db: Db,
  integrationId: number,
  { kind, runId }: { kind: SyncKind; runId: number },
): Promise<number> {
  const { table, fromShop } = copies[kind]
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from ${sql.table(table)} c where c.integration_id = ${integrationId} and ${sql.raw(fromShop)})
      + (select count(*) from quarantine where integration_id = ${integrationId} and kind = ${kind} and run_id = ${runId})
      as n`.execute(db)
  return rows[0]?.n ?? 0
}

export async function countSeen(
  db: Db,
  integrationId: number,
  { kind, runId }: { kind: SyncKind; runId: number },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from sync_seen
    where integration_id = ${integrationId} and run_id = ${runId} and kind = ${kind}`.execute(db)
  return rows[0]?.n ?? 0
}

/** The versions that we hold of these; those not named are missing. Without levels, which have no index. */
export async function heldVersions(
  db: Db,
  integrationId: number,
  { kind, keys }: { kind: 'orders' | 'products'; keys: readonly string[] },
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ key: string; version: string | null }>`
    select remote_id as key, remote_version as version from ${sql.table(kind)}
    where integration_id = ${integrationId} and remote_id = any(${[...keys]}::text[]) and vanished_at is null`.execute(
    db,
  )
  return new Map(rows.map(({ key, version }) => [key, version]))
}
