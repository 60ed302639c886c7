import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { AcrossPlan } from '../../runtime/db/lists/across.ts'
import type { ChangePlan } from '../../runtime/db/lists/changes.ts'
import type { ListPlan, PageOf, PageQuery, Reader } from '../../runtime/db/lists/paginate.ts'
import { paginateBuckets } from '../../runtime/db/lists/paginate-buckets.ts'
import { allShipments } from '../orders/parcels/parcel.ts'
import type { Shipment } from './shipment.ts'
import { shipmentColumns } from './shipment-store.ts'

const shipmentList: ListPlan = {
  name: 'shipments',
  from: 'shipments',
  columns: shipmentColumns.join(', '),
  filters: {
    order_id: { column: 'order_id', type: 'bigint' },
    tracking_number: { column: 'tracking_number', type: 'text' },
    carrier: { column: 'carrier', type: 'text' },
    status: { column: 'status', type: 'text' },
  },
  sorts: { id: 'id', shipped_at: 'shipped_at', created_at: 'created_at', updated_at: 'updated_at' },
}

async function listShipments<Row>(
  reader: Reader,
  integrationId: number,
  query: PageQuery,
  plan: ListPlan,
): Promise<PageOf<Row>> {
  const scope = { key: 'all', sql: 'integration_id = ?', params: [integrationId], integrationId, kind: allShipments }
  return await paginateBuckets(reader, plan, scope, query)
}

/** Over many integrations. */
export const shipmentsAcross: AcrossPlan = {
  name: 'shipments-across',
  from: 'shipments',
  columns: shipmentColumns.join(', '),
  keys: [{ column: 'id', type: 'bigint' }],
  filters: { tracking_number: { column: 'tracking_number', type: 'text' } },
}

const shipmentChanges: ChangePlan = {
  name: 'shipments',
  from: 'shipments',
  columns: shipmentColumns.join(', '),
  keys: [{ column: 'id', type: 'bigint' }],
}

/** How they are listed, and read as they change. */
export const shipmentRecords = { list: listShipments, plan: shipmentList, changes: shipmentChanges }

/** Oldest first. */
export async function shipmentsOfOrders(
  db: Db,
  integrationId: number,
  orderIds: readonly number[],
): Promise<Shipment[]> {
  return await db
    .selectFrom('shipments')
    .select(shipmentColumns)
    .where('integration_id', '=', integrationId)
    .where('order_id', '=', sql<number>`any(${[...orderIds]}::bigint[])`)
    .orderBy('id')
    .$castTo<Shipment>()
    .execute()
}
