import {
  type Fields,
  fieldsOf,
  idIn,
  isFields,
  maybeText,
  recordsIn,
  timeOf,
  timeOfUnix,
} from '../../commerce/reading.ts'
import type { RemoteShipment, ShipmentDraft } from '../../commerce/shipment.ts'
import { parseForeignJson } from '../../lib/parse-json.ts'

/** Where we note parcels in shops that have nothing better: a text, the JSON of what we were sent. */
export const parcelsKey = '_entrepot_shipments'

const parcel = (known: Partial<RemoteShipment>): RemoteShipment => ({
  remote_id: null,
  status: 'shipped',
  carrier_code: null,
  carrier_name: null,
  service: null,
  tracking_number: null,
  tracking_url: null,
  shipped_at: null,
  delivered_at: null,
  location_remote_id: null,
  lines: [],
  ...known,
})

/** A fulfilment of WooCommerce 10.1 and later: everything about it is in notes to machines. */
export function ofFulfillment(raw: unknown): RemoteShipment {
  const fulfillment = fieldsOf(raw)
  const meta = new Map(recordsIn(fulfillment, 'meta_data').map(({ key, value }) => [key, value]))
  const text = (key: string) => maybeText({ value: meta.get(key) }, 'value')
  const items = meta.get('_items')
  const hasLeft = isTrue(fulfillment['is_fulfilled'])
  // A correction later on changes the record, and not when the parcel left.
  const left = text('_date_fulfilled') ?? maybeText(fulfillment, 'date_fulfilled')
  const shipped = hasLeft ? (left ?? maybeText(fulfillment, 'date_updated')) : null
  const provider = text('_shipment_provider')
  return parcel({
    remote_id: idIn(fulfillment, 'id'),
    status: hasLeft ? 'shipped' : 'pending',
    // One that is none of the shop's list stands beside it.
    carrier_name: provider === null || provider === 'other' ? text('_provider_name') : provider,
    tracking_number: text('_tracking_number'),
    tracking_url: text('_tracking_url'),
    shipped_at: shipped === null ? null : timeOf(shipped),
    lines: (Array.isArray(items) ? items : []).filter(isFields).map((item) => ({
      order_line_remote_id: idIn(item, 'item_id'),
      quantity: Number(item['qty']),
    })),
  })
}

/** `true` when it has just been made, and the text of a column when it is read. */
const isTrue = (value: unknown): boolean => value === true || value === '1'

/** What the plug-in Shipment Tracking answers: the day it left, as a date. In the order it notes Unix time instead. */
export function ofTracking(raw: unknown): RemoteShipment {
  const tracking = fieldsOf(raw)
  const day = maybeText(tracking, 'date_shipped')
  const custom = maybeText(tracking, 'custom_tracking_provider')
  return parcel({
    remote_id: maybeText(tracking, 'tracking_id'),
    carrier_name: custom ?? maybeText(tracking, 'tracking_provider'),
    tracking_number: maybeText(tracking, 'tracking_number'),
    tracking_url: maybeText(tracking, 'tracking_link') ?? maybeText(tracking, 'custom_tracking_link'),
    shipped_at: day === null ? null : dayOf(day),
  })
}

const dayOf = (day: string): string =>
  /^\d{9,11}$/.test(day) ? timeOfUnix(Number(day)) : timeOf(`${day.slice(0, 10)}T00:00:00Z`)

export const ofDraft = (draft: ShipmentDraft): RemoteShipment =>
  parcel({
    carrier_name: draft.carrier,
    tracking_number: draft.tracking_number,
    tracking_url: draft.tracking_url ?? null,
    shipped_at: draft.shipped_at ? timeOf(draft.shipped_at) : null,
    lines: draft.lines ?? [],
  })

/** The parcels that an order itself knows of. */
export function shipmentsOf(order: Fields): RemoteShipment[] {
  const notes = new Map(recordsIn(order, 'meta_data').map(({ key, value }) => [key, value]))
  const tracked = notes.get('_wc_shipment_tracking_items')
  const kept = order['fulfillments'] == null ? [] : recordsIn(order, 'fulfillments').map(ofFulfillment)
  return [...kept, ...(Array.isArray(tracked) ? tracked.filter(isFields).map(ofTracking) : []), ...ownParcels(order)]
}

export function ownParcels(order: Fields): RemoteShipment[] {
  const noted = recordsIn(order, 'meta_data').find(({ key }) => key === parcelsKey)?.['value']
  if (typeof noted !== 'string') return []
  const parcels = parseForeignJson(noted, 8)
  return Array.isArray(parcels) ? parcels.map((one) => parcel(fieldsOf(one))) : []
}
