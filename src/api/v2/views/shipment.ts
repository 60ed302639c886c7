import { type Static, Type } from 'typebox'
import { quantitySchema } from '../../../commerce/rules/quantities.ts'
import { type Shipment, shipmentStates } from '../../../domain/shipments/shipment.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { idField, nullableText, nullableTimestamp, timestamps } from './record.ts'

export const shipmentSchema = Type.Object({
  id: idField,
  integration_id: idField,
  order_id: idField,
  remote_id: nullableText,
  tracking_number: nullableText,
  carrier: Type.String(),
  tracking_url: nullableText,
  status: choice(shipmentStates),
  items: Type.Array(Type.Object({ sku: nullableText, order_line_remote_id: nullableText, quantity: quantitySchema }), {
    description: 'Contents of the shipment; empty if unknown',
  }),
  shipped_at: nullableTimestamp,
  ...timestamps,
})

export const shipmentView = (shipment: Shipment): Static<typeof shipmentSchema> => ({
  id: shipment.id,
  integration_id: shipment.integration_id,
  order_id: shipment.order_id,
  remote_id: shipment.remote_id,
  tracking_number: shipment.tracking_number,
  carrier: shipment.carrier,
  tracking_url: shipment.tracking_url,
  status: shipment.status,
  items: shipment.items.map(({ sku, order_line_remote_id: line = null, quantity }) => ({
    sku,
    order_line_remote_id: line,
    quantity,
  })),
  shipped_at: shipment.shipped_at,
  created_at: shipment.created_at,
  updated_at: shipment.updated_at,
})
