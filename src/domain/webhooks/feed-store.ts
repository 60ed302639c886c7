import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/** The events of a webhook, for polling. */
export interface FedEvent {
  event_id: number
  type: string
  data: string
  created_at: string
}

/** Behind the last that was read. Transactions are numbered when they begin to write, and events within them. */
export interface FeedPlace {
  xid: string
  id: number
}

export const feedStart: FeedPlace = { xid: '0', id: 0 }

/**
 * Ordered by transaction, and only as far as no transaction is open that could still put something in between: whoever
 * goes on behind the last event misses none, however late it was committed. A place from another cluster, whose
 * transactions had larger numbers, begins anew: some events come twice rather than not at all.
 */
export async function readFeed(
  db: Db,
  webhookId: number,
  { after, limit }: { after: FeedPlace; limit: number },
): Promise<{ events: FedEvent[]; last: FeedPlace | null }> {
  const { rows } = await sql<FedEvent & { xid: string; id: number }>`
    select d.event_id, d.type, e.data, e.created_at, d.xid::text as xid, d.id
    from webhook_deliveries d join webhook_events e on e.id = d.event_id
    where d.webhook_id = ${webhookId} and d.xid < pg_snapshot_xmin(pg_current_snapshot())
      and (d.xid, d.id) > (
        case when ${after.xid}::xid8 >= pg_snapshot_xmax(pg_current_snapshot()) then '0'::xid8 else ${after.xid}::xid8 end,
        ${after.id}::bigint)
    order by d.xid, d.id limit ${limit}`.execute(db)
  const last = rows.at(-1)
  return { events: rows, last: last ? { xid: last.xid, id: last.id } : null }
}

/**
 * After a dump was restored into another cluster, events may carry numbers of transactions that are still to come there,
 * and would be shown only then. They go to the beginning.
 */
export async function rebaseFeed(db: Db): Promise<void> {
  await sql`
    update webhook_deliveries set xid = '3'::xid8
    where xid >= pg_snapshot_xmax(pg_current_snapshot()) and (
      select xid >= pg_snapshot_xmax(pg_current_snapshot()) from webhook_deliveries order by id desc limit 1)`.execute(
    db,
  )
}
