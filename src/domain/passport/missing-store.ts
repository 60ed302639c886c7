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

export interface QuarantinedRow {
  integration_id: number
  remote_id: string
  run_id: number
  reason: string
  payload: string | null
  updated_at: string
}

const maxScanned = 500

/** Orders that could not be stored and have this text somewhere in them, of the newest few hundred. */
export async function quarantinedWith(
  db: Db,
  integrationIds: readonly number[],
  text: string,
): Promise<QuarantinedRow[]> {
  const { rows } = await sql<QuarantinedRow>`
    select * from (
      select integration_id, remote_id, run_id, reason, payload, updated_at from quarantine
      where integration_id = any(${[...integrationIds]}::bigint[]) and kind = 'orders'
      order by updated_at desc limit ${maxScanned}
    ) newest
    where remote_id = ${text} or strpos(payload, ${text}) > 0`.execute(db)
  return rows
}
