import { type Fields, fieldsOf, idIn, maybeText, recordsIn, timeIn } from '../../commerce/reading.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { parcelLines } from './lines/parcel-lines.ts'

/** By the items of its order. A shipment may have several tracking numbers, each of which is a parcel; and it may have none. */
export function ofShipment(raw: unknown, items: readonly Fields[]): RemoteShipment[] {
  const shipment = fieldsOf(raw)
  const tracks = recordsIn(shipment, 'tracks')
  const common = {
    status: 'shipped' as const,
    service: null,
    tracking_url: null,
    shipped_at: timeIn(shipment, 'created_at'),
    delivered_at: null,
    location_remote_id: sourceOf(shipment['extension_attributes']),
    lines: parcelLines(recordsIn(shipment, 'items'), items),
  }
  const remoteId = idIn(shipment, 'entity_id')
  if (tracks.length === 0) {
    return [{ ...common, remote_id: remoteId, carrier_code: null, carrier_name: null, tracking_number: null }]
  }
  return tracks.map((track, n) => ({
    ...common,
    remote_id: n === 0 ? remoteId : `${remoteId}-${idIn(track, 'entity_id')}`,
    carrier_code: maybeText(track, 'carrier_code'),
    carrier_name: maybeText(track, 'title'),
    tracking_number: maybeText(track, 'track_number'),
    // What is in them is reported once.
    lines: n === 0 ? common.lines : [],
  }))
}

const sourceOf = (attributes: unknown): string | null =>
  attributes === undefined || attributes === null ? null : maybeText(fieldsOf(attributes), 'source_code')
