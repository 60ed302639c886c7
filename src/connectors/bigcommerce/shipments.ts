import type { Shipments } from '../../commerce/connector/parts.ts'
import { type Fields, numberIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { isAmended, type RemoteShipment, type ShipmentAmendment, type ShipmentDraft } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { ask } from './ask.ts'
import { getOrder } from './orders.ts'
import { carrierOf } from './parcels/carriers.ts'
import type { BigShop, Credentials, Settings } from './settings.ts'
import { linesIn, toShipment } from './translate-order.ts'

export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: { repeatable: false, send, confirm },
  amend: { repeatable: true, send: amend },
}

/** The platform moves the order on by itself. A parcel goes to one address: for several there are as many parcels. */
async function send(shop: BigShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const { sent, wanted } = await standing(shop, draft)
  if (wanted.length === 0 && sent.length === 0) throw refused(say('nothing_to_ship'))
  const made: RemoteShipment[] = []
  for (const [place, items] of Map.groupBy(wanted, (one) => one.place)) {
    const body = {
      order_address_id: place,
      tracking_number: draft.tracking_number,
      ...carrierOf(draft.carrier),
      ...(draft.tracking_url ? { tracking_link: draft.tracking_url } : {}),
      items: items.map(({ line, quantity }) => ({ order_product_id: line, quantity })),
    }
    const path = `/v2/orders/${draft.order_remote_id}/shipments`
    made.push(toShipment(await ask(shop, { method: 'POST', path, body })))
  }
  return asOne([...sent, ...made])
}

/** There is no key for it: a parcel with the same tracking number is the same parcel, and whole if nothing is missing. */
async function confirm(shop: BigShop, draft: ShipmentDraft): Promise<RemoteShipment | null> {
  const { sent, wanted } = await standing(shop, draft)
  return sent.length > 0 && wanted.length === 0 ? asOne(sent) : null
}

/** Several parcels with one tracking number are corrected together. */
async function amend(shop: BigShop, amendment: ShipmentAmendment): Promise<RemoteShipment> {
  const order = await getOrder(shop, amendment.order_remote_id)
  if (order === null) throw refused(say('no_such_order'))
  const parcels = (order['shipments'] as readonly Fields[]).map(toShipment)
  const meant = parcels.find((one) => isAmended(amendment, one))
  if (!meant) throw refused(say('no_such_shipment'))
  const body = {
    tracking_number: amendment.tracking_number,
    ...carrierOf(amendment.carrier),
    tracking_link: amendment.tracking_url ?? '',
  }
  const amended: RemoteShipment[] = []
  for (const one of parcels.filter((other) => other.tracking_number === meant.tracking_number)) {
    const path = `/v2/orders/${amendment.order_remote_id}/shipments/${one.remote_id}`
    amended.push(toShipment(await ask(shop, { method: 'PUT', path, body, repeatable: true })))
  }
  return asOne(amended)
}

interface Wanted {
  line: number
  place: number
  quantity: number
}

/** What has gone with this tracking number, and what is still to go. None named: all that can be sent. */
async function standing(shop: BigShop, draft: ShipmentDraft): Promise<{ sent: RemoteShipment[]; wanted: Wanted[] }> {
  const order = await getOrder(shop, draft.order_remote_id)
  if (order === null) throw refused(say('no_such_order'))
  const parcels = order['shipments'] as readonly Fields[]
  const sent = parcels.map(toShipment).filter((one) => one.tracking_number === draft.tracking_number)
  const left = linesIn(order)
    .filter((line) => line['type'] === 'physical')
    .map((line) => ({
      line: numberIn(line, 'id'),
      place: numberIn(line, 'order_address_id'),
      quantity: numberIn(line, 'quantity') - numberIn(line, 'quantity_shipped'),
      paidBack: numberIn(line, 'quantity_refunded'),
    }))
  const { lines } = draft
  if (!lines || lines.length === 0) {
    const due = left.map((line) => ({ ...line, quantity: line.quantity - line.paidBack }))
    return { sent, wanted: due.filter(({ quantity }) => quantity > 0) }
  }
  const wanted = lines.flatMap(({ order_line_remote_id: id, quantity }) => {
    const missing = quantity - countIn(sent, id)
    if (missing <= 0) return []
    const line = left.find((one) => String(one.line) === id)
    if (!line || line.quantity < missing) throw refused(say('fewer_left', { quantity: missing, line: id }))
    return [{ ...line, quantity: missing }]
  })
  return { sent, wanted }
}

const countIn = (parcels: readonly RemoteShipment[], line: string): number =>
  parcels
    .flatMap(({ lines }) => lines)
    .filter((one) => one.order_line_remote_id === line)
    .reduce((count, one) => count + one.quantity, 0)

/** Several parcels with one tracking number, reported as the one that they are for whoever sent it. */
function asOne(parcels: readonly RemoteShipment[]): RemoteShipment {
  const [first] = parcels
  if (!first) throw new TypeError('There is no shipment.')
  return { ...first, lines: parcels.flatMap(({ lines }) => lines) }
}
