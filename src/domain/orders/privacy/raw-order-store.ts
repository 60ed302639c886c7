import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { namedRows } from '../../../runtime/db/rows/named-rows.ts'
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
  remote_version: string | null
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
  const { rows } = await sql<Record<string, unknown> & Sealed>`
    select ${columns} from orders
    where integration_id = ${integrationId} and id < ${before} and deleted_at is null
    order by id desc limit ${limit}`.execute(db)
  const opened = await unsealRemotes(db, integrationId, rows)
  return opened.map(storedOrder)
}

/** Some of them, by the shop's ids. Their records stay sealed: they are not looked at. */
export async function storedOrders(
  db: Db,
  integrationId: number,
  remoteIds: readonly string[],
): Promise<StoredOrder[]> {
  const { rows } = await sql<Record<string, unknown> & Sealed>`
    select ${columns} from ${namedRows('orders', integrationId, remoteIds)} where deleted_at is null`.execute(db)
  return rows.map(storedOrder)
}

const columns = sql.raw(
  ['id', 'remote_id', 'remote_version', 'remote_payload', 'remote_record', ...comparedColumns].join(', '),
)

function storedOrder(found: Record<string, unknown> & Omit<Sealed, 'remote_record'>): StoredOrder {
  const { id, remote_id, remote_version, remote_payload, remote_record: _, ...row } = found
  return { id, remote_id, remote_version, remote_payload, row }
}

interface Sealed {
  id: number
  remote_id: string
  remote_version: string | null
  remote_payload: unknown
  remote_record: Buffer | null
}
