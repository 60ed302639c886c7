import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { countRows, lockCounted } from '../../../runtime/db/lists/row-counters.ts'
import { countOrder, type OrderPlace } from '../order-counts.ts'
import { allShipments } from '../parcels/parcel.ts'

/**
 * Deletes orders that were placed so many days ago, deleted ones too, with their history and parcels. Which: fewer than the
 * limit when none is left. Part of a transaction.
 */
export async function deleteExpiredOrders(
  trx: Db,
  integrationId: number,
  { days, limit }: { days: number; limit: number },
): Promise<number[]> {
  if ((await lockCounted(trx, integrationId)) === null) return []
  const { rows } = await sql<{ id: number }>`
    (select id from orders
      where integration_id = ${integrationId} and placed_at < now() - make_interval(days => ${days}) limit ${limit})
    union all
    (select id from orders where integration_id = ${integrationId} and placed_at is null
      and created_at < now() - make_interval(days => ${days}) limit ${limit})
    limit ${limit}`.execute(trx)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const shipments = await sql<{ id: number }>`
    delete from shipments where integration_id = ${integrationId} and order_id = any(${ids}::bigint[])
    returning id`.execute(trx)
  await sql`
    delete from order_history where integration_id = ${integrationId} and order_id = any(${ids}::bigint[])`.execute(trx)
  const orders = await sql<OrderPlace>`
    delete from orders where integration_id = ${integrationId} and id = any(${ids}::bigint[])
    returning id, status, acknowledged_at is not null as acknowledged, sandbox, deleted_at is not null as deleted`.execute(
    trx,
  )
  await countRows(trx, integrationId, [
    ...shipments.rows.map(({ id }) => ({ kind: allShipments, id, by: -1 as const })),
    ...orders.rows.flatMap((place) => countOrder(place, { ...place, deleted: true })),
  ])
  return ids
}
