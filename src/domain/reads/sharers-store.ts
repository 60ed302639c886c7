import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { type ReadBy, serviceReadMinutes } from '../integrations/reading.ts'
import { sellsNow } from '../stock/pool-store.ts'

/** Shops of a platform that are asked alike. */
export interface Sharers extends ReadBy {
  service_id: number
  /** Null where the app has no registration of its own, and the service's counts. */
  app_id: number | null
  /** Null where they share no stock. */
  selling: boolean | null
  shops: number
}

/** All that the clock asks on these platforms, whoever they belong to: a platform counts them together. */
export async function sharersOf(db: Db, types: readonly string[]): Promise<Sharers[]> {
  const { rows } = await sql<Sharers>`
    select i.service_id, case when a.client is not null then i.app_id end as app_id, i.messages, i.read_every_minutes,
      ${sql.raw(serviceReadMinutes)} as service_read_minutes,
      case when p.id is not null then ${sellsNow} end as selling, count(*)::int as shops
    from integrations i
    join services on services.id = i.service_id
    left join app_services a on a.service_id = i.service_id and a.app_id = i.app_id
    left join stock_shops s on s.integration_id = i.id
    left join stock_pools p on p.id = s.pool_id and p.mode = 'on'
    where i.type = any(${[...types]}::text[]) and i.status = 'ACTIVE' and i.active and i.deleted_at is null
      and i.next_read_at is not null
    group by 1, 2, 3, 4, 5, 6`.execute(db)
  return rows
}
