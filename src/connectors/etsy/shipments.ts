import type { Shipments } from '../../commerce/connector.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { refused } from '../../commerce/remote.ts'
import type { RemoteShipment, ShipmentDraft } from '../../commerce/shipment.ts'
import { ask } from './ask.ts'
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
  if (receipt === null) throw refused('The shop has no such order.')
  const order = toOrder(receipt)
  const same = parcelIn(order.shipments, draft)
  if (same) return same
  if (!isWhole(draft, order)) throw refused('Etsy knows only orders that are sent as a whole.')
  const form = new URLSearchParams({ tracking_code: draft.tracking_number, carrier_name: draft.carrier })
  const told = await ask(shop, {
    method: 'POST',
    path: `${shopPath(shop)}/receipts/${draft.order_remote_id}/tracking`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
  const made = parcelIn(shipmentsOf(told), draft)
  if (made === null) throw refused('Etsy has not kept the parcel.')
  return made
}

const parcelIn = (parcels: readonly RemoteShipment[], { tracking_number: number }: ShipmentDraft) =>
  parcels.find((parcel) => parcel.tracking_number === number) ?? null

function isWhole({ lines }: ShipmentDraft, order: RemoteOrder): boolean {
  if (!lines || lines.length === 0) return true
  return order.lines.every(({ remote_id: id, quantity }) =>
    lines.some((line) => line.order_line_remote_id === id && line.quantity >= quantity),
  )
}
