import type { Shipments } from '../../commerce/connector/parts.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsOf } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { RemoteShipment, ShipmentDraft } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { bodyOf, reasonIn } from './ask.ts'
import { getOrder } from './orders.ts'
import { type Credentials, type EtsyShop, type Settings, shopPath } from './settings.ts'
import { shipmentsOf, toOrder } from './translate-order.ts'

export const shipments: Shipments<Settings, Credentials> = {
  partial: false,
  create: {
    // Each time the buyer gets a letter.
    repeatable: false,
    send,
    confirm: async (shop, draft) => {
      const receipt = await getOrder(shop, draft.order_remote_id)
      return receipt === null ? null : parcelIn(shipmentsOf(receipt), draft)
    },
  },
}

async function send(shop: EtsyShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const receipt = await getOrder(shop, draft.order_remote_id)
  if (receipt === null) throw refused(say('no_such_order'))
  const order = toOrder(receipt)
  const same = parcelIn(order.shipments, draft)
  if (same) return same
  if (!isWhole(draft, order)) throw refused(say('whole_orders_at', { platform: 'Etsy' }))
  const updated = await sendTracking(shop, draft)
  const made = parcelIn(shipmentsOf(updated), draft)
  if (made === null) throw refused(say('not_stored_shipment', { platform: 'Etsy' }))
  return made
}

/** Etsy knows some carriers and refuses others: with the word for these it takes the number of any. */
async function sendTracking(shop: EtsyShop, draft: ShipmentDraft): Promise<Fields> {
  const send = (carrier: string) =>
    shop.remote.request({
      method: 'POST',
      path: `${shopPath(shop)}/receipts/${draft.order_remote_id}/tracking`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ tracking_code: draft.tracking_number, carrier_name: carrier }).toString(),
    })
  const first = await send(draft.carrier)
  const isUnknown = first.status === 400 && /carrier/i.test(reasonIn(first.body) ?? '')
  return fieldsOf(bodyOf(isUnknown ? await send('other') : first))
}

const parcelIn = (parcels: readonly RemoteShipment[], { tracking_number: number }: ShipmentDraft) =>
  parcels.find((parcel) => parcel.tracking_number === number) ?? null

function isWhole({ lines }: ShipmentDraft, order: RemoteOrder): boolean {
  if (!lines || lines.length === 0) return true
  return order.lines.every(({ remote_id: id, quantity }) =>
    lines.some((line) => line.order_line_remote_id === id && line.quantity >= quantity),
  )
}
