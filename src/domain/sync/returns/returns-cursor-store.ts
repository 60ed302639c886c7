import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

/** How far the list of returns has been read. */
export interface ReturnsCursor {
  /** Every change before this time is held; null if nothing has been read to its end. */
  watermark: string | null
  /** When it was last read to its end, or refused. */
  readAt: string | null
  /** The shop does not show the list. */
  isRefused?: boolean
  /** The reading that goes on; null between two. */
  pass: ReturnsPass | null
}

export interface ReturnsPass {
  since: string | null
  startedAt: string
  next: string | null
  newest: string | null
  /** The oldest of those whose order may still come: it is read again then. */
  waitsFrom: string | null
  /** Of orders that are not here and will not come. */
  dropped: number
}

const nothing: ReturnsCursor = { watermark: null, readAt: null, pass: null }

/** Beside the cursors of what is synchronised, in the same document. */
export async function readReturnsCursor(db: Db, integrationId: number): Promise<ReturnsCursor> {
  const { rows } = await sql<{ cursor: ReturnsCursor | null }>`
    select cursor -> 'returns' as cursor from integration_state where integration_id = ${integrationId}`.execute(db)
  return rows[0]?.cursor ?? nothing
}

export async function saveReturnsCursor(trx: Db, integrationId: number, cursor: ReturnsCursor | null): Promise<void> {
  await sql`
    update integration_state set cursor = cursor || jsonb_build_object('returns', ${JSON.stringify(cursor)}::jsonb)
    where integration_id = ${integrationId}`.execute(trx)
}
