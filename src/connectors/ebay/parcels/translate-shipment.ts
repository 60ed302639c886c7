import { type Fields, maybeText, maybeTime, numberIn, recordsIn, textIn } from '../../../commerce/reading.ts'
import type { RemoteShipment } from '../../../commerce/shipment.ts'

export const countIn = (shipments: readonly RemoteShipment[], line: string): number =>
  shipments
    .flatMap(({ lines }) => lines)
    .filter((one) => one.order_line_remote_id === line)
    .reduce((count, one) => count + one.quantity, 0)

/** A parcel's lines may come without their number: then it is one. */
function toShipment(parcel: Fields): RemoteShipment {
  return {
    remote_id: textIn(parcel, 'fulfillmentId'),
    status: 'shipped',
    carrier_code: maybeText(parcel, 'shippingCarrierCode'),
    carrier_name: maybeText(parcel, 'shippingCarrierCode'),
    service: null,
    tracking_number: maybeText(parcel, 'shipmentTrackingNumber'),
    tracking_url: null,
    shipped_at: maybeTime(parcel, 'shippedDate'),
    delivered_at: null,
    location_remote_id: null,
    lines: recordsIn({ lineItems: [], ...parcel }, 'lineItems').map((line) => ({
      order_line_remote_id: textIn(line, 'lineItemId'),
      quantity: line['quantity'] == null ? 1 : numberIn(line, 'quantity'),
    })),
  }
}

/** All that were sent without a number have one and the same id: from the second on they are counted. */
export function toShipments(parcels: readonly Fields[]): RemoteShipment[] {
  const seen = new Map<string | null, number>()
  return parcels.map(toShipment).map((parcel) => {
    const nth = (seen.get(parcel.remote_id) ?? 0) + 1
    seen.set(parcel.remote_id, nth)
    return nth === 1 ? parcel : { ...parcel, remote_id: `${parcel.remote_id}-${nth}` }
  })
}
