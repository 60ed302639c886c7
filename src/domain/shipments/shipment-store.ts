import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { countRows } from '../../runtime/db/lists/row-counters.ts'
import { sayNews } from '../news-store.ts'
import { allShipments, type ParcelItem } from '../orders/parcels/parcel.ts'
import type { Shipment, ShipmentInput } from './shipment.ts'

export const shipmentColumns = [
  'integration_id',
  'id',
  'order_id',
  'remote_id',
  'tracking_number',
  'carrier',
  'tracking_url',
  'status',
  'items',
  'shipped_at',
  'created_at',
  'updated_at',
] as const

/**
 * A parcel is known by its order and tracking number: reported again, it is changed, and what the second report leaves out
 * stays. The transaction's time stands in for a missing `shipped_at` of a new parcel. The caller holds the counted rows
 * (`lockOrders`).
 */
export async function upsertShipment(
  trx: Db,
  integrationId: number,
  input: Omit<ShipmentInput, 'items'> & { id: number; at: string; items?: readonly ParcelItem[] },
): Promise<{ shipment: Shipment; isNew: boolean }> {
  const { id, at, items, ...reported } = input
  const changes = {
    carrier: reported.carrier,
    ...(reported.tracking_url !== undefined && { tracking_url: reported.tracking_url }),
    ...(reported.status !== undefined && { status: reported.status }),
    ...(reported.shipped_at !== undefined && { shipped_at: reported.shipped_at }),
    ...(items !== undefined && { items: JSON.stringify(items) }),
  }
  const { is_new: isNew, ...shipment } = await trx
    .insertInto('shipments')
    .values({
      status: 'SHIPPED',
      shipped_at: at,
      ...changes,
      integration_id: integrationId,
      id,
      order_id: reported.order_id,
      tracking_number: reported.tracking_number,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['integration_id', 'order_id', 'tracking_number'])
        .doUpdateSet({ ...changes, updated_at: sql<string>`excluded.updated_at` }),
    )
    .returning(shipmentColumns)
    .returning(sql<boolean>`xmax = 0`.as('is_new'))
    .$castTo<Shipment & { is_new: boolean }>()
    .executeTakeFirstOrThrow()
  sayNews(trx, 'steps', integrationId)
  if (isNew) await countRows(trx, integrationId, [{ kind: allShipments, id: shipment.id, by: 1 }])
  return { shipment, isNew }
}

/** The shop's own id of a parcel that we have sent it. */
export async function setShipmentRemoteId(
  db: Db,
  integrationId: number,
  input: { id: number; remoteId: string },
): Promise<void> {
  await db
    .updateTable('shipments')
    .set({ remote_id: input.remoteId, updated_at: sql<string>`now()` })
    .where('integration_id', '=', integrationId)
    .where('id', '=', input.id)
    .execute()
}

/** Gives the number to the parcel of this id that we hold without one, unless another parcel of the order has it. */
export async function numberShipment(
  trx: Db,
  integrationId: number,
  parcel: { order_id: number; tracking_number: string; remoteId: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update shipments h set tracking_number = ${parcel.tracking_number}, updated_at = now()
    where h.integration_id = ${integrationId} and h.order_id = ${parcel.order_id} and h.remote_id = ${parcel.remoteId}
      and h.tracking_number is null and not exists (
        select from shipments other where other.integration_id = ${integrationId}
          and other.order_id = ${parcel.order_id} and other.tracking_number = ${parcel.tracking_number})`.execute(trx)
  return numAffectedRows === 1n
}

/** Another number for a parcel, which the caller has made sure that no other parcel of the order has. */
export async function renumberShipment(
  trx: Db,
  integrationId: number,
  input: { id: number; trackingNumber: string },
): Promise<void> {
  await trx
    .updateTable('shipments')
    .set({ tracking_number: input.trackingNumber, updated_at: sql<string>`now()` })
    .where('integration_id', '=', integrationId)
    .where('id', '=', input.id)
    .execute()
}

export async function findShipment(
  db: Db,
  integrationId: number,
  parcel: { order_id: number; tracking_number: string },
): Promise<Shipment | null> {
  const shipment = await db
    .selectFrom('shipments')
    .select(shipmentColumns)
    .where('integration_id', '=', integrationId)
    .where('order_id', '=', parcel.order_id)
    .where('tracking_number', '=', parcel.tracking_number)
    .$castTo<Shipment>()
    .executeTakeFirst()
  return shipment ?? null
}
