import { hash } from 'node:crypto'
import type { Operation, Shipments } from '../../commerce/connector/parts.ts'
import { type Fields, fieldsIn, fieldsOf, maybeText, numberIn, recordsIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { isAmended, type RemoteShipment, type ShipmentAmendment, type ShipmentDraft } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { bodyOf } from './ask.ts'
import { askOrder, getOrder } from './get-order.ts'
import { type AmazonShop, type Credentials, homeOf, type Settings } from './settings.ts'
import { isSentByAmazon, toShipment } from './translate-order.ts'

export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: { repeatable: false, send, confirm },
  amend: { repeatable: true, send: amend },
}

/** Amazon takes numbers alone. The same operation has the same one: sent again, the parcel is changed and not doubled. */
const referenceOf = ({ id }: Operation): string => String(Number.parseInt(hash('sha256', id).slice(0, 11), 16) + 1)

async function send(shop: AmazonShop, draft: ShipmentDraft, operation: Operation): Promise<RemoteShipment> {
  const found = await askOrder(shop, draft.order_remote_id)
  if (found === null) throw refused(say('no_such_order_at', { platform: 'Amazon' }))
  const { order, now } = found
  if (isSentByAmazon(order)) throw refused(say('own_warehouse', { platform: 'Amazon' }))
  const reference = referenceOf(operation)
  const known = parcelIn(order, reference)
  const items = itemsFor(order, draft)
  if (items.length === 0) {
    if (known) return toShipment(known)
    throw refused(say('nothing_to_ship'))
  }
  const parcel = { ...draft, reference, items, shipDate: draft.shipped_at ?? now ?? textIn(order, 'lastUpdatedTime') }
  return await tell(shop, order, parcel)
}

/** A package that is told again under its reference is changed. */
async function amend(shop: AmazonShop, amendment: ShipmentAmendment): Promise<RemoteShipment> {
  const order = await getOrder(shop, amendment.order_remote_id)
  if (order === null) throw refused(say('no_such_order_at', { platform: 'Amazon' }))
  const known = packagesIn(order).find((one) => isAmended(amendment, toShipment(one)))
  const before = known && toShipment(known)
  const reference = before?.remote_id ?? amendment.remote_id
  const lines = before && before.lines.length > 0 ? before.lines : (amendment.lines ?? [])
  if (reference == null || lines.length === 0) throw refused(say('no_such_shipment'))
  const items = lines.map(({ order_line_remote_id: orderItemId, quantity }) => ({ orderItemId, quantity }))
  const shipDate = before?.shipped_at ?? amendment.shipped_at ?? textIn(order, 'lastUpdatedTime')
  return await tell(shop, order, { ...amendment, reference, items, shipDate })
}

interface Package extends Pick<ShipmentDraft, 'order_remote_id' | 'carrier' | 'tracking_number'> {
  reference: string
  items: Item[]
  shipDate: string
}

async function tell(shop: AmazonShop, order: Fields, parcel: Package): Promise<RemoteShipment> {
  const { reference, items, shipDate, tracking_number: trackingNumber } = parcel
  const { carrierCode, carrierName } = carrierOf(parcel.carrier)
  const answer = await shop.remote.request({
    method: 'POST',
    path: `/orders/v0/orders/${parcel.order_remote_id}/shipmentConfirmation`,
    body: {
      marketplaceId: maybeText(fieldsIn(order, 'salesChannel'), 'marketplaceId') ?? homeOf(shop).id,
      packageDetail: {
        packageReferenceId: reference,
        carrierCode,
        ...(carrierName === null ? {} : { carrierName }),
        trackingNumber,
        shipDate,
        orderItems: items,
      },
    },
    repeatable: true,
    budget: 'confirm_shipment',
  })
  bodyOf(answer)
  // It takes Amazon a while to show the parcel with the order.
  return toShipment({
    packageReferenceId: reference,
    carrier: carrierName ?? carrierCode,
    shipTime: shipDate,
    trackingNumber,
    packageItems: items,
  })
}

async function confirm(shop: AmazonShop, draft: ShipmentDraft, operation: Operation): Promise<RemoteShipment | null> {
  const order = await getOrder(shop, draft.order_remote_id)
  const known = order && parcelIn(order, referenceOf(operation))
  return known ? toShipment(known) : null
}

const packagesIn = (order: Fields): readonly Fields[] => (order['packages'] == null ? [] : recordsIn(order, 'packages'))

const parcelIn = (order: Fields, reference: string): Fields | undefined =>
  packagesIn(order).find((one) => one['packageReferenceId'] === reference)

interface Item {
  orderItemId: string
  quantity: number
  /** Proofs of genuineness, for articles of that programme. */
  transparencyCodes?: readonly string[]
}

/** None named: all that is still to be sent. */
function itemsFor(order: Fields, { lines }: ShipmentDraft): Item[] {
  if (lines && lines.length > 0) {
    const known = recordsIn(order, 'orderItems').map((item) => textIn(item, 'orderItemId'))
    const unknown = lines.find(({ order_line_remote_id: id }) => !known.includes(id))
    if (unknown) throw refused(say('no_line', { line: unknown.order_line_remote_id }))
    return lines.map(({ order_line_remote_id: orderItemId, quantity, transparency_codes: codes }) => ({
      orderItemId,
      quantity,
      ...(codes ? { transparencyCodes: codes } : {}),
    }))
  }
  return recordsIn(order, 'orderItems')
    .map((item) => ({ orderItemId: textIn(item, 'orderItemId'), quantity: leftOf(item) }))
    .filter(({ quantity }) => quantity > 0)
}

function leftOf(item: Fields): number {
  const sent = item['fulfillment'] == null ? {} : fieldsOf(item['fulfillment'])
  return sent['quantityUnfulfilled'] == null
    ? numberIn(item, 'quantityOrdered')
    : numberIn(fieldsOf(sent), 'quantityUnfulfilled')
}

/** Carriers that Amazon follows parcels of; any other goes by its name. */
const carriers = [
  'UPS',
  'USPS',
  'FedEx',
  'DHL',
  'DHL eCommerce',
  'DPD',
  'GLS',
  'TNT',
  'OnTrac',
  'Royal Mail',
  'Hermes',
  'Yodel',
  'Canada Post',
  'Australia Post',
  'Deutsche Post',
  'La Poste',
  'Chronopost',
  'Colissimo',
  'Correos',
  'Poste Italiane',
  'BRT',
  'PostNL',
]

function carrierOf(carrier: string): { carrierCode: string; carrierName: string | null } {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')
  const known = carriers.find((name) => plain(name) === plain(carrier))
  return known ? { carrierCode: known, carrierName: null } : { carrierCode: 'Other', carrierName: carrier }
}
