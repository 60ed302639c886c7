import type { Shipments } from '../../commerce/connector/parts.ts'
import { type Fields, idIn, isFields, recordsIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { isAmended, type RemoteShipment, type ShipmentAmendment, type ShipmentDraft } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { bodyIn, isId, searchAny } from './ask.ts'
import { shipItems } from './lines/ship-items.ts'
import { orders } from './orders.ts'
import { type Credentials, type MagentoShop, mails, pathOf, type Settings } from './settings.ts'
import { ofShipment } from './translate-shipment.ts'

export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: { repeatable: false, send: ship, confirm: findShipped },
  amend: { repeatable: true, send: amend },
}

type Found = Pick<ShipmentDraft, 'order_remote_id' | 'tracking_number'>

/** Carriers that the platform itself knows; the others are "custom" and have a name. */
const carriers = ['dhl', 'fedex', 'ups', 'usps']

const carrierCode = (name: string): string => carriers.find((code) => name.toLowerCase().trim() === code) ?? 'custom'

async function ship(shop: MagentoShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const { order_remote_id: orderId, lines, carrier, tracking_number: number } = draft
  const order = await orders.get(shop, orderId)
  if (!isFields(order)) throw refused(say('no_such_order'))
  const known = parcelsOf(order).find((parcel) => parcel.tracking_number === number)
  if (known) return known
  const { source_code: source } = shop.settings
  const body: Fields = {
    // Without items everything that is left goes.
    ...(lines?.length ? { items: await shipItems(shop, recordsIn(order, 'items'), lines) } : {}),
    notify: mails(shop, draft),
    tracks: [trackOf(number, carrier)],
    ...(source ? { arguments: { extension_attributes: { source_code: source } } } : {}),
  }
  bodyIn(await shop.remote.request({ method: 'POST', path: pathOf(shop, `order/${orderId}/ship`), body }))
  const made = await findShipped(shop, draft)
  if (!made) throw refused(say('shipment_not_returned'))
  return made
}

const parcelsOf = (order: Fields): RemoteShipment[] =>
  recordsIn(order, 'shipments').flatMap((shipment) => ofShipment(shipment, recordsIn(order, 'items')))

const trackOf = (number: string, carrier: string) => ({
  track_number: number,
  title: carrier,
  carrier_code: carrierCode(carrier),
})

/** Numbers are added and removed there, never changed: the right one is added before the wrong one goes. */
async function amend(shop: MagentoShop, amendment: ShipmentAmendment): Promise<RemoteShipment> {
  const { order_remote_id: orderId, tracking_number: number, carrier } = amendment
  if (!isId(orderId)) throw refused(say('no_such_order'))
  const there = await searchAny(shop, 'shipments', { field: 'order_id', values: [orderId] })
  const isMeant = (one: Fields) => ofShipment(one, []).some((parcel) => isAmended(amendment, parcel))
  const isDone = (one: Fields) => ofShipment(one, []).some((parcel) => parcel.tracking_number === number)
  const shipment = there.find(isMeant) ?? there.find(isDone)
  if (!shipment) throw refused(say('no_such_shipment'))
  const wanted = trackOf(number, carrier)
  const tracks = recordsIn(shipment, 'tracks')
  const isRight = (track: Fields) => track['track_number'] === number && track['title'] === carrier
  const wrong = tracks.filter((track) => {
    const named = track['track_number'] === (amendment.previous_tracking_number ?? number)
    return (named || track['track_number'] === number) && !isRight(track)
  })
  if (!tracks.some(isRight)) {
    const entity = { ...wanted, order_id: Number(orderId), parent_id: Number(idIn(shipment, 'entity_id')) }
    const body = { entity: { ...entity, description: '', qty: 0, weight: 0 } }
    bodyIn(await shop.remote.request({ method: 'POST', path: pathOf(shop, 'shipment/track'), body }))
  }
  for (const track of wrong) {
    const path = pathOf(shop, `shipment/track/${idIn(track, 'entity_id')}`)
    bodyIn(await shop.remote.request({ method: 'DELETE', path, repeatable: true }))
  }
  const made = await findShipped(shop, amendment)
  if (!made) throw refused(say('shipment_not_returned'))
  return made
}

/** The platform would send the same parcel twice, as long as something is left to send. */
async function findShipped(shop: MagentoShop, draft: Found): Promise<RemoteShipment | null> {
  const order = await orders.get(shop, draft.order_remote_id)
  if (!isFields(order)) return null
  return parcelsOf(order).find((parcel) => parcel.tracking_number === draft.tracking_number) ?? null
}
