import { type Static, Type } from 'typebox'
import { choice, flag, list, maybe, nullable, object, optional, text } from '../lib/validation/fields.ts'
import { quantitySchema, wantedQuantity } from './rules/quantities.ts'

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
  lines: Type.Array(Type.Object({ order_line_remote_id: Type.String(), quantity: quantitySchema })),
})
export type RemoteShipment = Static<typeof remoteShipmentSchema>

export const notifyCustomer = optional(
  flag(
    'Whether the platform writes to the customer, where that can be chosen; by default as the integration is set up.',
  ),
)

const parcelLine = object({
  order_line_remote_id: text(),
  quantity: wantedQuantity,
  transparency_codes: maybe(
    list(text({ max: 100 }), {
      max: 1000,
      description: 'Codes that prove the pieces genuine, where the platform asks for them (Transparency on Amazon).',
    }),
  ),
})

/** Who carries what, and how that is followed. */
const parcel = {
  tracking_number: text(),
  carrier: text(),
  tracking_url: maybe(text({ max: 2000, format: 'url' })),
  shipped_at: maybe(text({ format: 'date-time' })),
  lines: maybe(list(parcelLine)),
  notify_customer: notifyCustomer,
}

/** A parcel to be sent to a platform. No lines: everything that is still to be sent. */
export const shipmentDraftSchema = object({
  order_remote_id: text({ description: 'The shop’s id of the order.' }),
  ...parcel,
})
export type ShipmentDraft = Static<typeof shipmentDraftSchema>

/** What becomes of a parcel that the shop has: who carries it, its number and link are to be these. */
export const shipmentAmendmentSchema = object({
  order_remote_id: text({ description: 'The shop’s id of the order.' }),
  remote_id: maybe(text({ description: 'The shop’s id of the shipment, where it has one.' })),
  previous_tracking_number: maybe(
    text({ description: 'The number that it has in the shop; if left out, the new one.' }),
  ),
  ...parcel,
})
export type ShipmentAmendment = Static<typeof shipmentAmendmentSchema>

/** Whether it is the parcel that is to be corrected: by the shop’s own id, else by the number. */
export const isAmended = (
  { remote_id, previous_tracking_number, tracking_number }: ShipmentAmendment,
  parcel: Pick<RemoteShipment, 'remote_id' | 'tracking_number' | 'status'>,
): boolean => {
  if (remote_id != null && parcel.remote_id !== null) return parcel.remote_id === remote_id
  return parcel.tracking_number === (previous_tracking_number ?? tracking_number)
}
