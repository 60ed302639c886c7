import { type Static, Type } from 'typebox'
import { choice, integer, list, maybe, nullable, object, text } from '../lib/validation/fields.ts'

export const shipmentStatuses = ['pending', 'shipped', 'in_transit', 'delivered', 'failed', 'cancelled'] as const
export type ShipmentStatus = (typeof shipmentStatuses)[number]

/** A parcel as the platform reports it. */
export const remoteShipmentSchema = Type.Object({
  remote_id: nullable(Type.String()),
  status: choice(shipmentStatuses),
  carrier_code: nullable(Type.String()),
  carrier_name: nullable(Type.String()),
  service: nullable(Type.String()),
  tracking_number: nullable(Type.String()),
  tracking_url: nullable(Type.String()),
  shipped_at: nullable(Type.String()),
  delivered_at: nullable(Type.String()),
  location_remote_id: nullable(Type.String()),
  lines: Type.Array(Type.Object({ order_line_remote_id: Type.String(), quantity: Type.Integer() })),
})
export type RemoteShipment = Static<typeof remoteShipmentSchema>

/** A parcel to be sent to a platform. No lines: everything that is still to be sent. */
export const shipmentDraftSchema = object({
  order_remote_id: text({ description: 'The shop’s id of the order.' }),
  tracking_number: text(),
  carrier: text(),
  tracking_url: maybe(text({ max: 2000, format: 'url' })),
  shipped_at: maybe(text({ format: 'date-time' })),
  lines: maybe(list(object({ order_line_remote_id: text(), quantity: integer({ minimum: 1, maximum: 1_000_000 }) }))),
})
export type ShipmentDraft = Static<typeof shipmentDraftSchema>
