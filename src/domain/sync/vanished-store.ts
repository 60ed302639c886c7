import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { firstRows } from '../../runtime/db/rows/first-rows.ts'
import { namedRows } from '../../runtime/db/rows/named-rows.ts'
import type { Context } from '../context.ts'
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

const forgottenAtOnce = 10_000

const seenKey = ['run_id', 'kind', 'remote_id']

/**
 * Of runs that are over; a comparison that goes on beside them still needs its own. A piece at a time: what is left when
 * the worker ends, the next run forgets.
 */
export async function forgetSeen(db: Db, integrationId: number): Promise<void> {
  const open = await sql<{ id: number }>`
    select id from runs where integration_id = ${integrationId} and status in ('queued', 'running')`.execute(db)
  const over = sql`run_id <> all(${open.rows.map(({ id }) => id)}::bigint[])`
  for (let forgotten = forgottenAtOnce; forgotten === forgottenAtOnce; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${firstRows('sync_seen', integrationId, { ...{ key: seenKey, limit: forgottenAtOnce }, which: over })}`.execute(
      db,
    )
    forgotten = Number(numAffectedRows)
  }
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

/** Columns of an index, in the order in which the rows are gone through: those of the window if there is one, else all. */
function orderOf(kind: SyncKind, reach: Reach): readonly (readonly [column: string, type: string])[] {
  if (kind === 'inventory') {
    return [
      ['sku', 'text'],
      ['location', 'text'],
      ['remote_id', 'text'],
    ]
  }
  const isWindow = copies[kind].within !== null && comparedFrom(reach) !== null
  return [...(isWindow ? [['placed_at', 'timestamptz'] as const] : []), ['id', 'bigint']]
}

const rowsAtOnce = 5000

interface Piece {
  /** Rows that the pass should have seen. */
  held: number
  /** Those that it has not, and where each stands. */
  unseen: { key: string; place: Place }[]
  /** Where the piece ends; null after the last one. */
  end: Place | null
}

/** Behind which row the next piece begins: its columns of the index, as text. */
export type Place = string[]

/**
 * The next rows of ours, held against what the pass has seen: each by a look into the index, so that time grows with the
 * rows and memory with the piece. The planner is not asked: of a table that has just been filled it knows nothing or too
 * much, and would walk all of it. What has come since the pass began, it could have missed.
 */
async function comparePiece(
  { transaction }: Transacting,
  integrationId: number,
  { kind, pass, after }: { kind: SyncKind; pass: Reach; after: Place | null },
): Promise<Piece> {
  const { table, key, fromShop, present, within } = copies[kind]
  const from = comparedFrom(pass)
  const order = orderOf(kind, pass)
  const columns = sql.raw(order.map(([column]) => `c.${column}`).join(', '))
  const place = sql.raw(`jsonb_build_array(${order.map(([column]) => `c.${column}::text`).join(', ')})`)
  const start = after?.map((value, index) => sql`${value}::${sql.raw(order[index]?.[1] ?? 'text')}`)
  const made = sql.raw(kind === 'inventory' ? 'c.updated_at' : 'c.created_at')
  return await transaction(async (trx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`.execute(trx)
    const { rows } = await sql<Omit<Piece, 'end'> & { walked: number; last: Place | null }>`
      select count(*)::int as walked, count(*) filter (where expected)::int as held,
        (array_agg(place order by number desc))[1] as last,
        coalesce(jsonb_agg(jsonb_build_object('key', key, 'place', place) order by number)
          filter (where expected and seen is null), '[]') as unseen
      from (
        select walked.*, case when expected then (
          select s.remote_id from sync_seen s where s.integration_id = ${integrationId} and s.run_id = ${pass.run}
            and s.kind = ${kind} and s.remote_id = walked.key) end as seen
        from (
          select ${place} as place, row_number() over (order by ${columns}) as number, ${sql.raw(key)} as key,
            ${sql.raw(fromShop)} and ${sql.raw(present)} and ${made} < ${pass.startedAt}::timestamptz
              and ${sql.raw(key)} is not null as expected
          from ${sql.table(table)} c
          where c.integration_id = ${integrationId}
            ${start ? sql`and (${columns}) > (${sql.join(start)})` : sql``}
            ${from === null || within === null ? sql`` : sql`and ${sql.raw(within)} >= ${from}::timestamptz`}
          order by ${columns} limit ${rowsAtOnce}
        ) walked
      ) compared`.execute(trx)
    const { walked = 0, held = 0, unseen = [], last = null } = rows[0] ?? {}
    return { held, unseen, end: walked < rowsAtOnce ? null : last }
  })
}

type Transacting = Pick<Context, 'transaction'>

/** How many rows the pass should have seen, and how many of them it has not. */
export async function countUnseen(
  context: Transacting,
  integrationId: number,
  { kind, pass, signal }: { kind: SyncKind; pass: Reach; signal?: AbortSignal },
): Promise<{ held: number; unseen: number }> {
  const counts = { held: 0, unseen: 0 }
  let after: Place | null = null
  do {
    signal?.throwIfAborted()
    const piece = await comparePiece(context, integrationId, { kind, pass, after })
    counts.held += piece.held
    counts.unseen += piece.unseen.length
    after = piece.end
  } while (after !== null)
  return counts
}

/** Some of the keys that it has not seen, behind that place. */
export async function unseenKeys(
  context: Transacting,
  integrationId: number,
  { kind, pass, after, limit }: { kind: SyncKind; pass: Reach; after: Place | null; limit: number },
): Promise<{ key: string; place: Place }[]> {
  const found: Piece['unseen'] = []
  let from = after
  do {
    const piece: Piece = await comparePiece(context, integrationId, { kind, pass, after: from })
    found.push(...piece.unseen.slice(0, limit - found.length))
    from = piece.end
  } while (from !== null && found.length < limit)
  return found
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
    select remote_id as key, remote_version as version from ${namedRows(kind, integrationId, keys)}
    where vanished_at is null`.execute(db)
  return new Map(rows.map(({ key, version }) => [key, version]))
}
