import type { Shipments } from '../../../commerce/connector/parts.ts'
import { type Fields, fieldsIn, maybeFields, numberIn, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import {
  isAmended,
  type RemoteShipment,
  type ShipmentAmendment,
  type ShipmentDraft,
} from '../../../commerce/shipment.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask, change, isGid, nextIn, nodesIn } from '../ask.ts'
import { completeOrder, rest, wholeParcel } from '../complete-order.ts'
import { amendParcel, createParcel, moreOpenLines, oneOrder, openParts } from '../documents/orders.ts'
import type { Credentials, Settings, ShopifyShop } from '../settings.ts'
import { toShipment } from '../translate-shipment.ts'
import { carrierName } from './carriers.ts'

export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: { repeatable: false, send, confirm },
  amend: { repeatable: true, send: amend },
}

/**
 * Goods are sent out of fulfilment orders, one for each place that has some of them. A parcel comes from one place: what
 * lies in several becomes as many parcels with the same tracking number.
 */
async function send(shop: ShopifyShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const { sent, open } = await standing(shop, draft)
  const wanted = wantedParts(open, sent, draft)
  if (wanted.length === 0 && sent.length === 0) throw refused(say('nothing_to_ship'))
  const made: RemoteShipment[] = []
  for (const parts of byPlace(wanted)) {
    const fulfillment = {
      lineItemsByFulfillmentOrder: parts.map(({ id, lines }) => ({
        fulfillmentOrderId: id,
        fulfillmentOrderLineItems: lines.map(({ id: line, quantity }) => ({ id: line, quantity })),
      })),
      notifyCustomer: draft.notify_customer ?? shop.settings.notify_customers ?? false,
      trackingInfo: trackingOf(draft),
    }
    const parcel = fieldsIn(await change(shop, createParcel, { fulfillment }), 'fulfillment')
    made.push(toShipment(await wholeParcel(shop, parcel)))
  }
  return asOne([...sent, ...made])
}

const trackingOf = ({ carrier, tracking_number: number, tracking_url: url }: ShipmentDraft | ShipmentAmendment) => ({
  company: carrierName(carrier),
  number,
  ...(url ? { url } : {}),
})

/** What lies in several places was sent as several parcels with one tracking number: they are corrected together. */
async function amend(shop: ShopifyShop, amendment: ShipmentAmendment): Promise<RemoteShipment> {
  const { order_remote_id: id, notify_customer: notify } = amendment
  const order = isGid(id, 'Order') ? maybeFields(await ask(shop, oneOrder, { id }), 'order') : null
  if (!order) throw refused(say('no_such_order'))
  const parcels = recordsIn(await completeOrder(shop, order), 'fulfillments')
    .map(toShipment)
    .filter(({ status }) => status !== 'cancelled' && status !== 'failed')
  const meant = parcels.find((one) => isAmended(amendment, one))
  if (!meant) throw refused(say('no_such_shipment'))
  const amended: RemoteShipment[] = []
  for (const one of parcels.filter((other) => other.tracking_number === meant.tracking_number)) {
    const asked = {
      id: one.remote_id,
      tracking: trackingOf(amendment),
      notify: notify ?? shop.settings.notify_customers ?? false,
    }
    const parcel = fieldsIn(await change(shop, amendParcel, asked), 'fulfillment')
    amended.push(toShipment(await wholeParcel(shop, parcel)))
  }
  return asOne(amended)
}

/** There is no key for it: a parcel with the same tracking number is the same parcel, and whole if nothing is missing. */
async function confirm(shop: ShopifyShop, draft: ShipmentDraft): Promise<RemoteShipment | null> {
  const { sent, open } = await standing(shop, draft)
  return sent.length > 0 && wantedParts(open, sent, draft).length === 0 ? asOne(sent) : null
}

interface Part {
  id: string
  place: string
  lines: { id: string; orderLine: string; quantity: number }[]
}

/** What has gone with this tracking number, and what may still go. */
async function standing(shop: ShopifyShop, { order_remote_id: id, tracking_number: number }: ShipmentDraft) {
  const order = isGid(id, 'Order') ? maybeFields(await ask(shop, oneOrder, { id }), 'order') : null
  const held = order && maybeFields(await ask(shop, openParts, { id }), 'order')
  if (!order || !held) throw refused(say('no_such_order'))
  const parcels = recordsIn(await completeOrder(shop, order), 'fulfillments')
  const sent = parcels
    .filter((one) => recordsIn(one, 'trackingInfo').some((info) => info['number'] === number))
    .map(toShipment)
    .filter(({ status }) => status !== 'cancelled' && status !== 'failed')
  if (nextIn(fieldsIn(held, 'fulfillmentOrders')) !== null) throw refused(say('order_divided'))
  const open: Part[] = []
  for (const part of nodesIn(held, 'fulfillmentOrders').filter(maySend)) open.push(await toPart(shop, part))
  return { sent, open }
}

const maySend = (part: Fields): boolean =>
  recordsIn(part, 'supportedActions').some(({ action }) => action === 'CREATE_FULFILLMENT')

async function toPart(shop: ShopifyShop, part: Fields): Promise<Part> {
  const place = maybeFields(fieldsIn(part, 'assignedLocation'), 'location')
  const about = { id: textIn(part, 'id'), in: 'fulfillmentOrder', name: 'lineItems' }
  const lines = await rest(shop, moreOpenLines, fieldsIn(part, 'lineItems'), about)
  return {
    id: about.id,
    place: place ? textIn(place, 'id') : '',
    lines: recordsIn(lines, 'nodes').map((line) => ({
      id: textIn(line, 'id'),
      orderLine: textIn(fieldsIn(line, 'lineItem'), 'id'),
      quantity: numberIn(line, 'remainingQuantity'),
    })),
  }
}

/** None named: all that is left. Of those that are named, what has not gone yet. */
function wantedParts(open: readonly Part[], sent: readonly RemoteShipment[], { lines }: ShipmentDraft): Part[] {
  const missing = lines && lines.length > 0 ? missingOf(lines, sent) : null
  const parts = open.map((part) => ({
    ...part,
    lines: part.lines.map((line) => {
      const quantity = missing ? Math.min(line.quantity, missing.get(line.orderLine) ?? 0) : line.quantity
      missing?.set(line.orderLine, (missing.get(line.orderLine) ?? 0) - quantity)
      return { ...line, quantity }
    }),
  }))
  for (const [line, count] of missing ?? []) {
    if (count > 0) throw refused(say('fewer_left_or_held', { quantity: count, line }))
  }
  return parts
    .map((part) => ({ ...part, lines: part.lines.filter(({ quantity }) => quantity > 0) }))
    .filter((part) => part.lines.length > 0)
}

function missingOf(lines: NonNullable<ShipmentDraft['lines']>, sent: readonly RemoteShipment[]): Map<string, number> {
  const missing = new Map<string, number>()
  const add = (line: string, count: number) => missing.set(line, (missing.get(line) ?? 0) + count)
  for (const { order_line_remote_id: line, quantity } of lines) add(line, quantity)
  for (const { order_line_remote_id: line, quantity } of sent.flatMap((one) => one.lines)) {
    if (missing.has(line)) add(line, -quantity)
  }
  return missing
}

const byPlace = (parts: readonly Part[]): Part[][] => [...Map.groupBy(parts, ({ place }) => place).values()]

/** Several parcels with one tracking number, reported as the one that they are for whoever sent it. */
function asOne(parcels: readonly RemoteShipment[]): RemoteShipment {
  const [first] = parcels
  if (!first) throw new TypeError('There is no shipment.')
  return { ...first, lines: parcels.flatMap(({ lines }) => lines) }
}
