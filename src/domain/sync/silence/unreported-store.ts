import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

export interface Unreported {
  count: number
  /** When the shop changed the first of them. */
  since: string
}

/** A message may take so long. */
export const graceMinutes = 5
/** Clocks may differ by so much. */
const skewMinutes = 2

/**
 * Of these orders, which have just been found to be new or changed: those of which no message has told; and whether there
 * are some whose message may still be under way.
 */
export async function countUnreported(
  db: Db,
  integrationId: number,
  { orders, since }: { orders: readonly { key: string; at: string }[]; since: string },
): Promise<{ found: Unreported | null; undecided: boolean }> {
  const { rows } = await sql<{ count: number; since: string | null; undecided: boolean }>`
    select count(*) filter (where r.old) as count, min(r.at) filter (where r.old) as since,
      coalesce(bool_or(not r.old), false) as undecided
    from (
      select key, at, at < now() - make_interval(mins => ${graceMinutes}::int) as old
      from unnest(${orders.map(({ key }) => key)}::text[], ${orders.map(({ at }) => at)}::timestamptz[]) o(key, at)
    ) r
    where r.at > ${since}::timestamptz
      and not exists (
        select from shop_messages d
        where d.integration_id = ${integrationId} and d.kind = 'order' and d.remote_id = r.key
          and d.received_at > r.at - make_interval(mins => ${skewMinutes}::int))`.execute(db)
  const [row] = rows
  return {
    found: row?.since ? { count: row.count, since: row.since } : null,
    undecided: row?.undecided ?? false,
  }
}

const lookBackHours = 1

/**
 * Orders that were found by asking while their message might still have been under way, which it was not. A shop that is asked every few seconds has all its
 * new orders found so, and nobody would notice that it has fallen silent. Those from before its webhooks were last looked at have had their answer.
 */
export async function unreportedBefore(db: Db, integrationId: number, since: string): Promise<Unreported | null> {
  const checked = await sql<{ at: string | null }>`
    select checked_at as at from shop_webhooks where integration_id = ${integrationId}`.execute(db)
  const from = sql`greatest(${since}::timestamptz, ${checked.rows[0]?.at ?? null}::timestamptz,
    now() - make_interval(hours => ${lookBackHours}))`
  const { rows } = await sql<{ count: number; since: string | null }>`
    select count(*)::int as count, min(o.created_at) as since from orders o
    where o.integration_id = ${integrationId} and o.created_at > ${from} and o.placed_at > ${from}
      and o.created_at < now() - make_interval(mins => ${graceMinutes}::int)
      and not exists (
        select from shop_messages d
        where d.integration_id = ${integrationId} and d.kind = 'order' and d.remote_id = o.remote_id)`.execute(db)
  const [row] = rows
  return row?.since ? { count: row.count, since: row.since } : null
}

/** Whether the shop has sent anything at all since. */
export async function hasHeardSince(db: Db, integrationId: number, since: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from shop_messages
      where integration_id = ${integrationId} and received_at > ${since}::timestamptz) as found`.execute(db)
  return rows[0]?.found ?? false
}
