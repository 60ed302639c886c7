import type { Shipments } from '../../commerce/connector/parts.ts'
import { type Fields, fieldsIn, numberIn, recordsIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { isAmended, type RemoteShipment, type ShipmentAmendment, type ShipmentDraft } from '../../commerce/shipment.ts'
import { cancelShipmentOnce } from '../../commerce/wire/change-once.ts'
import { say } from '../../commerce/words/say.ts'
import { ask } from './ask.ts'
import { providerOf } from './carriers.ts'
import { getOrder, orders } from './orders.ts'
import type { Credentials, Settings, WixShop } from './settings.ts'
import { isSendable } from './translate-order.ts'
import { sentOf, toShipment } from './translate-shipment.ts'

const base = '/ecom/v1/fulfillments'

export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: { repeatable: false, send, confirm },
  amend: { repeatable: true, send: amend },
  cancel: cancelShipmentOnce(orders, (shop: WixShop, { remote_id: id }, { remote_id: order }) =>
    ask(shop, { method: 'DELETE', path: `${base}/${id}/orders/${order}` }),
  ),
}

/** The order moves on by itself. A parcel that is there already with this number is the one that was meant. */
async function send(shop: WixShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const order = await orderOf(shop, draft.order_remote_id)
  const known = parcelIn(order, draft)
  if (known) return known
  const body = { fulfillment: { lineItems: wantedOf(order, draft), trackingInfo: trackingOf(draft) } }
  const path = `${base}/orders/${draft.order_remote_id}/create-fulfillment`
  const made = await ask(shop, { method: 'POST', path, body })
  const parcels = recordsIn(fieldsIn(made, 'orderWithFulfillments'), 'fulfillments')
  const parcel = parcels.find(({ id }) => id === textIn(made, 'fulfillmentId'))
  if (!parcel) throw refused(say('shipment_not_shown', { platform: 'Wix' }))
  return toShipment(parcel, recordsIn(order, 'lineItems'))
}

/** There is no key for it: a parcel with the same tracking number is the same parcel. */
async function confirm(shop: WixShop, draft: ShipmentDraft): Promise<RemoteShipment | null> {
  return parcelIn(await orderOf(shop, draft.order_remote_id), draft)
}

async function amend(shop: WixShop, amendment: ShipmentAmendment): Promise<RemoteShipment> {
  const order = await orderOf(shop, amendment.order_remote_id)
  const meant = shipmentsIn(order).find((one) => isAmended(amendment, one))
  if (!meant) throw refused(say('no_such_shipment'))
  const fulfillment = { id: meant.remote_id, trackingInfo: trackingOf(amendment) }
  const path = `${base}/${meant.remote_id}/orders/${amendment.order_remote_id}`
  await ask(shop, { method: 'PATCH', path, body: { fulfillment }, repeatable: true })
  const after = shipmentsIn(await orderOf(shop, amendment.order_remote_id))
  return after.find(({ remote_id: id }) => id === meant.remote_id) ?? meant
}

async function orderOf(shop: WixShop, id: string): Promise<Fields> {
  const order = await getOrder(shop, id)
  if (order === null) throw refused(say('no_such_order'))
  return order
}

const shipmentsIn = (order: Fields): RemoteShipment[] =>
  recordsIn(order, 'fulfillments').map((parcel) => toShipment(parcel, recordsIn(order, 'lineItems')))

const parcelIn = (order: Fields, { tracking_number: number }: ShipmentDraft): RemoteShipment | null =>
  shipmentsIn(order).find((one) => one.tracking_number === number) ?? null

const trackingOf = (draft: Pick<ShipmentDraft, 'tracking_number' | 'carrier' | 'tracking_url'>): Fields => ({
  ...{ trackingNumber: draft.tracking_number, shippingProvider: providerOf(draft.carrier) },
  ...(draft.tracking_url ? { trackingLink: draft.tracking_url } : {}),
})

/** None named: all that is left, but for what is downloaded or was paid back. */
function wantedOf(order: Fields, { lines }: ShipmentDraft): Fields[] {
  const parcels = recordsIn(order, 'fulfillments')
  const left = recordsIn(order, 'lineItems').map((line) => ({
    id: textIn(line, 'id'),
    quantity: numberIn(line, 'quantity') - sentOf(parcels, line),
    paidBack: line['refundQuantity'] == null ? 0 : numberIn(line, 'refundQuantity'),
    isGoods: isSendable(line) !== false,
  }))
  if (lines && lines.length > 0) {
    return lines.map(({ order_line_remote_id: id, quantity }) => {
      const line = left.find((one) => one.id === id)
      if (!line || line.quantity < quantity) throw refused(say('fewer_left', { quantity, line: id }))
      return { id, quantity }
    })
  }
  const due = left
    .map((line) => ({ ...line, quantity: line.quantity - line.paidBack }))
    .filter((one) => one.quantity > 0)
  const goods = due.some(({ isGoods }) => isGoods) ? due.filter(({ isGoods }) => isGoods) : due
  if (goods.length === 0) throw refused(say('nothing_to_ship'))
  return goods.map(({ id, quantity }) => ({ id, quantity }))
}
