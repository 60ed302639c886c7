import {
  type Fields,
  fieldsIn,
  fieldsOf,
  maybeFields,
  maybeText,
  maybeTime,
  numberIn,
  recordsIn,
  textIn,
} from '../../commerce/reading.ts'
import type { RemoteShipment, ShipmentStatus } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { nodesIn } from './ask.ts'

const statuses: Readonly<Record<string, ShipmentStatus | undefined>> = {
  SUBMITTED: 'pending',
  CONFIRMED: 'pending',
  LABEL_PURCHASED: 'pending',
  LABEL_PRINTED: 'pending',
  LABEL_VOIDED: 'pending',
  READY_FOR_PICKUP: 'pending',
  FULFILLED: 'shipped',
  MARKED_AS_FULFILLED: 'shipped',
  CARRIER_PICKED_UP: 'in_transit',
  IN_TRANSIT: 'in_transit',
  OUT_FOR_DELIVERY: 'in_transit',
  ATTEMPTED_DELIVERY: 'in_transit',
  DELAYED: 'in_transit',
  DELIVERED: 'delivered',
  PICKED_UP: 'delivered',
  NOT_DELIVERED: 'failed',
  FAILURE: 'failed',
  CANCELED: 'cancelled',
}

/** What became of the record comes before what became of the parcel. */
function statusOf(parcel: Fields): ShipmentStatus {
  const record = textIn(parcel, 'status')
  if (record === 'CANCELLED') return 'cancelled'
  if (record === 'ERROR' || record === 'FAILURE') return 'failed'
  const reported = maybeText(parcel, 'displayStatus') ?? 'FULFILLED'
  const status = statuses[reported]
  if (!status) throw new Unreadable(say('unknown_value', { name: 'status', value: reported }))
  return status
}

export function toShipment(raw: unknown): RemoteShipment {
  const parcel = fieldsOf(raw)
  const [tracking = {}] = recordsIn(parcel, 'trackingInfo')
  const location = maybeFields(parcel, 'location')
  return {
    remote_id: textIn(parcel, 'id'),
    status: statusOf(parcel),
    carrier_code: null,
    carrier_name: maybeText(tracking, 'company'),
    service: null,
    tracking_number: maybeText(tracking, 'number'),
    tracking_url: maybeText(tracking, 'url'),
    shipped_at: maybeTime(parcel, 'createdAt'),
    delivered_at: maybeTime(parcel, 'deliveredAt'),
    location_remote_id: location && textIn(location, 'id'),
    lines: nodesIn(parcel, 'fulfillmentLineItems').map((one) => ({
      order_line_remote_id: textIn(fieldsIn(one, 'lineItem'), 'id'),
      quantity: numberIn(one, 'quantity'),
    })),
  }
}
