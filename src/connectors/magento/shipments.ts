import type { Shipments } from '../../commerce/connector.ts'
import type { Fields } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { RemoteShipment, ShipmentDraft } from '../../commerce/shipment.ts'
import { bodyIn, isId, searchAny } from './ask.ts'
import { type Credentials, type MagentoShop, pathOf, type Settings } from './settings.ts'
import { ofShipment } from './translate-shipment.ts'

export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: { repeatable: false, send: ship, confirm: findShipped },
}

/** Carriers that the platform itself knows; the others are "custom" and have a name. */
const carriers = ['dhl', 'fedex', 'ups', 'usps']

const carrierCode = (name: string): string => carriers.find((code) => name.toLowerCase().trim() === code) ?? 'custom'

async function ship(shop: MagentoShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const known = await findShipped(shop, draft)
  if (known) return known
  const { order_remote_id: orderId, lines, carrier, tracking_number: number } = draft
  if (!isId(orderId)) throw refused('The shop has no such order.')
  const { source_code: source } = shop.settings
  const body: Fields = {
    // Without items everything that is left goes.
    ...(lines?.length
      ? { items: lines.map((line) => ({ order_item_id: Number(line.order_line_remote_id), qty: line.quantity })) }
      : {}),
    notify: true,
    tracks: [{ track_number: number, title: carrier, carrier_code: carrierCode(carrier) }],
    ...(source ? { arguments: { extension_attributes: { source_code: source } } } : {}),
  }
  bodyIn(await shop.remote.request({ method: 'POST', path: pathOf(shop, `order/${orderId}/ship`), body }))
  const made = await findShipped(shop, draft)
  if (!made) throw refused('The shop accepted the shipment but does not return it.')
  return made
}

/** The platform would send the same parcel twice, as long as something is left to send. */
async function findShipped(shop: MagentoShop, draft: ShipmentDraft): Promise<RemoteShipment | null> {
  const { order_remote_id: orderId, tracking_number: number } = draft
  if (!isId(orderId)) return null
  const there = await searchAny(shop, 'shipments', { field: 'order_id', values: [orderId] })
  return there.flatMap(ofShipment).find((parcel) => parcel.tracking_number === number) ?? null
}
