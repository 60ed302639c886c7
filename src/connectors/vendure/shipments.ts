import type { Shipments } from '../../commerce/connector/parts.ts'
import { type Fields, idIn, numberIn, recordsIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { RemoteShipment, ShipmentDraft } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { change } from './ask.ts'
import { fulfilMutation, moveMutation, settleMutation } from './documents/orders.ts'
import { getOrder } from './orders.ts'
import type { Credentials, Settings, VendureShop } from './settings.ts'
import { quantityIn, toShipment } from './translate-order.ts'

export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: { repeatable: false, send: createShipment, confirm: findShipment },
}

const parcelsOf = (order: Fields): readonly Fields[] => recordsIn({ rows: order['fulfillments'] ?? [] }, 'rows')

/** The server has no key for it: a parcel with the same tracking number is the same parcel. */
const parcelIn = (order: Fields, { tracking_number: number }: ShipmentDraft): Fields | null =>
  parcelsOf(order).find((one) => one['trackingCode'] === number && one['state'] !== 'Cancelled') ?? null

const isSent = ({ state }: Fields): boolean => state === 'Shipped' || state === 'Delivered'

export async function findShipment(shop: VendureShop, draft: ShipmentDraft): Promise<RemoteShipment | null> {
  const order = await getOrder(shop, draft.order_remote_id)
  const parcel = order && parcelIn(order, draft)
  return parcel && isSent(parcel) ? toShipment(parcel) : null
}

/**
 * Three steps, each of which may have been the last one of an earlier attempt: the payment is settled, or the order would
 * never follow its parcels; the fulfilment is made; the fulfilment goes.
 */
export async function createShipment(shop: VendureShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const order = await getOrder(shop, draft.order_remote_id)
  if (order === null) throw refused(say('no_such_order'))
  const known = parcelIn(order, draft)
  if (known && isSent(known)) return toShipment(known)
  const lines = known ? [] : linesOf(order, draft)
  if (shop.settings.settle_on_shipping !== false) await settlePayments(shop, order)
  const parcel =
    known ?? (await change(shop, 'addFulfillmentToOrder', fulfilMutation, { input: inputOf(shop, draft, lines) }))
  const id = idIn(parcel, 'id')
  await change(shop, 'transitionFulfillmentToState', moveMutation, { id, state: 'Shipped' })
  const after = await getOrder(shop, draft.order_remote_id)
  const sent = after && parcelsOf(after).find((one) => idIn(one, 'id') === id)
  if (!sent) throw refused(say('parcel_gone'))
  return toShipment(sent)
}

async function settlePayments(shop: VendureShop, order: Fields): Promise<void> {
  const payments = recordsIn({ rows: order['payments'] ?? [] }, 'rows')
  for (const payment of payments.filter(({ state }) => state === 'Authorized')) {
    await change(shop, 'settlePayment', settleMutation, { id: idIn(payment, 'id') })
  }
}

const inputOf = ({ settings }: VendureShop, draft: ShipmentDraft, lines: readonly Fields[]): Fields => ({
  lines,
  handler: {
    code: settings.fulfillment_handler ?? 'manual-fulfillment',
    arguments: [
      { name: 'method', value: draft.carrier },
      { name: 'trackingCode', value: draft.tracking_number },
    ],
  },
})

/** None named: all that is left. */
function linesOf(order: Fields, { lines }: ShipmentDraft): readonly Fields[] {
  const known = recordsIn(order, 'lines')
  const parcels = parcelsOf(order).filter(({ state }) => state !== 'Cancelled')
  if (!lines || lines.length === 0) {
    const left = known.map((line) => {
      const id = idIn(line, 'id')
      return { orderLineId: id, quantity: numberIn(line, 'quantity') - quantityIn(parcels, id) }
    })
    const some = left.filter(({ quantity }) => quantity > 0)
    if (some.length === 0) throw refused(say('nothing_to_ship'))
    return some
  }
  return lines.map(({ order_line_remote_id: id, quantity }) => {
    if (!known.some((line) => idIn(line, 'id') === id)) throw refused(say('no_line', { line: id }))
    return { orderLineId: id, quantity }
  })
}
