import type { Context } from '../../../domain/context.ts'
import type { Shipment } from '../../../domain/shipments/shipment.ts'
import { listShipments, shipmentChanges } from '../../../domain/shipments/shipment-list-store.ts'
import { type ListQuery, listQuery } from '../../../runtime/http/list-query.ts'
import { ofOneIntegration, readShop } from '../shop-data.ts'
import { shipmentView } from '../views/shipment.ts'

export const shipmentListQuery = listQuery({
  required: ofOneIntegration,
  changes: true,
  filter: ['order_id', 'tracking_number', 'carrier', 'status'],
  sort: ['id', 'shipped_at', 'created_at', 'updated_at'],
})

export const shipmentPage = (context: Context, integrationId: number, query: ListQuery) =>
  readShop<Shipment, ReturnType<typeof shipmentView>>(context, integrationId, query, {
    page: ({ reader }, id, asked) => listShipments(reader, id, asked),
    changes: shipmentChanges,
    view: (shipments) => shipments.map(shipmentView),
  })
