import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

export interface Unreported {
  count: number
  /** When the shop changed the first of them. */
  since: string
}

/** A message may take so long. */
const graceMinutes = 5
/** Clocks may differ by so much. */
const skewMinutes = 2

/** Of these orders, which have just been found to be new or changed: those of which no message has told. */
export async function countUnreported(
  db: Db,
  integrationId: number,
  { orders, since }: { orders: readonly { key: string; at: string }[]; since: string },
): Promise<Unreported | null> {
  const { rows } = await sql<{ count: number; since: string | null }>`
    select count(*) as count, min(r.at) as since
    from unnest(${orders.map(({ key }) => key)}::text[], ${orders.map(({ at }) => at)}::timestamptz[]) r(key, at)
    where r.at > ${since}::timestamptz and r.at < now() - make_interval(mins => ${graceMinutes}::int)
      and not exists (
        select from inbound_deliveries d
        where d.integration_id = ${integrationId} and d.kind = 'order' and d.remote_id = r.key
          and d.received_at > r.at - make_interval(mins => ${skewMinutes}::int))`.execute(db)
  const [found] = rows
  return found?.since ? { count: found.count, since: found.since } : null
}

/** Whether the shop has sent anything at all since. */
export async function hasHeardSince(db: Db, integrationId: number, since: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from inbound_deliveries
      where integration_id = ${integrationId} and received_at > ${since}::timestamptz) as found`.execute(db)
  return rows[0]?.found ?? false
}
