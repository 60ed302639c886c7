import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { countRows } from '../../../runtime/db/lists/row-counters.ts'
import { rowsOfOrders } from '../../../runtime/db/rows/named-rows.ts'
import { takeIds } from '../../../runtime/db/take-ids.ts'
import { allShipments, compareParcels, type HeldParcel, type SyncedParcel } from './parcel.ts'
import { emitParcels, type ParcelChange } from './parcel-events.ts'

/** An order that was written just now, with what the shop says about its parcels. */
export interface OrderParcels {
  orderId: number
  parcels: readonly SyncedParcel[]
}

/**
 * Parcels of a page of orders, in the transaction that writes the page and under its lock: those that we know, also
 * because we have sent them to the shop, are brought up to date; the others are added and counted. What is new is emitted,
 * and nothing else is. A few statements for all of them, and none where the page has none; `at` is the transaction's time.
 */
export async function storeParcels(
  trx: Db,
  integrationId: number,
  { at, orders }: { at: string; orders: readonly OrderParcels[] },
): Promise<void> {
  if (orders.length === 0) return
  const held = await heldParcels(
    trx,
    integrationId,
    orders.map(({ orderId }) => orderId),
  )
  const news = orders.map(({ orderId, parcels }) => ({
    orderId,
    ...compareParcels(held.get(orderId) ?? [], parcels),
  }))
  const changed = news.flatMap(({ orderId, changed: those }) => those.map((change) => ({ ...change, orderId })))
  const fresh = news.flatMap(({ orderId, fresh: those }) =>
    those.map((parcel) => ({ ...parcel, carrier: parcel.carrier ?? '', order_id: orderId })),
  )
  await updateParcels(
    trx,
    integrationId,
    changed.map(({ after }) => after),
  )
  const added = await insertParcels(trx, integrationId, fresh)
  const common = { integration_id: integrationId, updated_at: at }
  const changes: ParcelChange[] = [
    ...changed.map(({ orderId, before, after }) => ({
      parcel: { ...after, ...common, order_id: orderId },
      was: before.status,
    })),
    ...added.map((parcel) => ({ parcel: { ...parcel, ...common }, was: null })),
  ]
  await emitParcels(trx, integrationId, changes)
}

async function heldParcels(
  trx: Db,
  integrationId: number,
  orderIds: readonly number[],
): Promise<Map<number, HeldParcel[]>> {
  const { rows } = await sql<HeldParcel & { order_id: number }>`
    select order_id, id, remote_id, tracking_number, carrier, tracking_url, status, items, shipped_at
    from ${rowsOfOrders('shipments', integrationId, orderIds)}
    order by id`.execute(trx)
  return Map.groupBy(rows, ({ order_id: orderId }) => orderId)
}

const columns = sql`id bigint, order_id bigint, remote_id text, tracking_number text, carrier text, tracking_url text,
  status text, items jsonb, shipped_at timestamptz`

type NewParcel = Omit<HeldParcel, 'id'> & { order_id: number }

/** Those that were added, with their ids. */
async function insertParcels(
  trx: Db,
  integrationId: number,
  parcels: readonly NewParcel[],
): Promise<(NewParcel & { id: number })[]> {
  if (parcels.length === 0) return []
  const ids = (await takeIds(trx, 'shipments', parcels.length)).values()
  const rows = parcels.map((parcel) => ({ ...parcel, id: ids.next().value ?? 0 }))
  const { rows: added } = await sql<{ id: number }>`
    insert into shipments (integration_id, id, order_id, remote_id, tracking_number, carrier, tracking_url, status, items,
      shipped_at)
    select s.integration_id, r.id, r.order_id, r.remote_id, r.tracking_number, r.carrier, r.tracking_url, r.status, r.items,
      r.shipped_at
    from integration_state s cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r(${columns})
    where s.integration_id = ${integrationId}
    on conflict do nothing
    returning id`.execute(trx)
  await countRows(
    trx,
    integrationId,
    added.map(({ id }) => ({ kind: allShipments, id, by: 1 })),
  )
  const addedIds = new Set(added.map(({ id }) => id))
  return rows.filter(({ id }) => addedIds.has(id))
}

async function updateParcels(trx: Db, integrationId: number, parcels: readonly HeldParcel[]): Promise<void> {
  if (parcels.length === 0) return
  await sql`
    update shipments h set remote_id = r.remote_id, tracking_number = r.tracking_number, carrier = r.carrier,
      tracking_url = r.tracking_url, status = r.status, items = r.items, shipped_at = r.shipped_at, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(parcels)}::jsonb) r(${columns})
    where h.integration_id = ${integrationId} and h.id = r.id`.execute(trx)
}
