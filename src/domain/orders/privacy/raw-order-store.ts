import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { unsealRemotes } from './private-part.ts'

/** What follows from the shop's record alone, and stands in the row in the clear. */
export const comparedColumns = [
  ...(['number', 'currency', 'total', 'items', 'payment_status', 'fulfillment_status', 'subtotal'] as const),
  ...(['discount_total', 'shipping_total', 'tax_total', 'fee_total', 'refunded_total', 'prices_include_tax'] as const),
  ...(['shipping_method', 'remote_status'] as const),
]

export interface StoredOrder {
  id: number
  remote_id: string
  /** The shop's own record; null where it is not kept. */
  remote_payload: unknown
  row: Record<string, unknown>
}

/** Newest first. Those whose record was not kept, or erased with its customer, are left out. */
export async function rawOrdersBefore(
  db: Db,
  integrationId: number,
  { before, limit }: { before: number; limit: number },
): Promise<StoredOrder[]> {
  const columns = sql.raw(comparedColumns.join(', '))
  const { rows } = await sql<Record<string, unknown> & Sealed>`
    select id, remote_id, remote_payload, remote_record, ${columns} from orders
    where integration_id = ${integrationId} and id < ${before} and deleted_at is null
    order by id desc limit ${limit}`.execute(db)
  const opened = await unsealRemotes(db, integrationId, rows)
  return opened.map(({ id, remote_id, remote_payload, ...row }) => {
    return { id, remote_id, remote_payload, row: { ...row } }
  })
}

interface Sealed {
  id: number
  remote_id: string
  remote_payload: unknown
  remote_record: Buffer | null
}
