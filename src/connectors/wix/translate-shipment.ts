import { type Fields, maybeFields, maybeText, maybeTime, numberIn, recordsIn, textIn } from '../../commerce/reading.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { nameOfCarrier } from './carriers.ts'

/** A fulfilment. What its status says of the way is only for people: the quantities count. */
export function toShipment(parcel: Fields, lines: readonly Fields[]): RemoteShipment {
  const tracking = maybeFields(parcel, 'trackingInfo') ?? {}
  const carrier = maybeText(tracking, 'shippingProvider')
  return {
    remote_id: textIn(parcel, 'id'),
    status: parcel['status'] === 'In_Delivery' ? 'in_transit' : 'shipped',
    carrier_code: carrier,
    carrier_name: carrier === null ? null : nameOfCarrier(carrier),
    service: null,
    tracking_number: maybeText(tracking, 'trackingNumber'),
    tracking_url: maybeText(tracking, 'trackingLink'),
    shipped_at: maybeTime(parcel, 'createdDate'),
    delivered_at: null,
    location_remote_id: null,
    lines: lines
      .map((line) => ({ order_line_remote_id: textIn(line, 'id'), quantity: countIn(parcel, line) }))
      .filter(({ quantity }) => quantity > 0),
  }
}

/** A line without a quantity is in it as a whole. */
const countIn = (parcel: Fields, line: Fields): number =>
  recordsIn({ lineItems: parcel['lineItems'] ?? [] }, 'lineItems')
    .filter(({ id }) => id === line['id'])
    .reduce((sum, one) => sum + numberIn(one['quantity'] == null ? line : one, 'quantity'), 0)

/** How many of a line have left. */
export const sentOf = (parcels: readonly Fields[], line: Fields): number =>
  Math.min(
    numberIn(line, 'quantity'),
    parcels.reduce((sum, parcel) => sum + countIn(parcel, line), 0),
  )
