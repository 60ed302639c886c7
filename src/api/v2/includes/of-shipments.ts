import type { Integration } from '../../../domain/integrations/integration.ts'
import type { Shipment } from '../../../domain/shipments/shipment.ts'
import { shipmentRecords } from '../../../domain/shipments/shipment-list-store.ts'
import { pageOrChanges } from '../../../runtime/http/endpoint.ts'
import { readRecords, type ShopRead, shopList } from '../shop-data.ts'
import { shipmentSchema, shipmentView } from '../views/shipment.ts'

export const shipmentList = {
  method: 'GET',
  path: '/shipments',
  right: 'read-order',
  summary: 'List shipments',
  ...shopList({
    filter: ['order_id', 'tracking_number', 'carrier', 'status'],
    sort: ['id', 'shipped_at', 'created_at', 'updated_at'],
  }),
  returns: pageOrChanges(shipmentSchema),
  handle: ({ context, found, query }: ShopRead<Integration>) =>
    readRecords<Shipment, ReturnType<typeof shipmentView>>(context, found.id, query, {
      ...shipmentRecords,
      name: 'shipments',
      view: (shipments) => shipments.map(shipmentView),
    }),
} as const
