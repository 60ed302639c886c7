import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/** What is known of orders that are not there. */

export interface SyncState {
  integration_id: number
  /** Up to which change of the shop its orders have been read. */
  watermark: string | null
  last_run_id: number | null
  last_completed_at: string | null
}

/** How far the orders of these integrations have been read. */
export async function orderSyncStates(db: Db, integrationIds: readonly number[]): Promise<SyncState[]> {
  const ids = sql`any(${[...integrationIds]}::bigint[])`
  const { rows } = await sql<SyncState>`
    select s.integration_id, s.cursor #>> '{orders,watermark}' as watermark, r.id as last_run_id,
      r.finished_at as last_completed_at
    from integration_state s
    left join (
      select distinct on (integration_id) integration_id, id, finished_at from runs
      where integration_id = ${ids} and resource in ('sync_orders', 'reconcile') and status = 'completed'
      order by integration_id, id desc
    ) r on r.integration_id = s.integration_id
    where s.integration_id = ${ids}`.execute(db)
  return rows
}
