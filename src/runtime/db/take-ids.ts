import { sql } from 'kysely'
import type { Db } from './connection.ts'

/**
 * Ids for rows of the data plane, taken in a statement of its own before the transaction that uses them: the batch then
 * stays one statement within one shard, and an id is never handed out twice after a crash.
 */
export async function takeIds(
  db: Db,
  table: 'orders' | 'order_history' | 'products' | 'shipments' | 'integration_logs',
  count: number,
): Promise<number[]> {
  if (count === 0) return []
  // As one array: twice as fast as so many rows.
  const { rows } = await sql<{ ids: number[] }>`
    select array_agg(nextval(${`${table}_id_seq`}::regclass)) as ids from generate_series(1, ${count})`.execute(db)
  return rows[0]?.ids ?? []
}
