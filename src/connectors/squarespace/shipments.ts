import type { Shipments } from '../../commerce/connector/parts.ts'
import { type Fields, textIn, timeOf } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { isAllSent, leftToSend, pack } from '../../commerce/rules/left-to-send.ts'
import type { RemoteShipment, ShipmentDraft } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { tell } from './ask.ts'
import { askOrder, ordersPath } from './orders.ts'
import type { Credentials, Settings, SquareShop } from './settings.ts'
import { shipmentsOf, toOrder } from './translate-order.ts'

export const shipments: Shipments<Settings, Credentials> = {
  partial: false,
  create: {
    // Sent again, it is another parcel, and the buyer gets another letter.
    repeatable: false,
    send,
    confirm: async (shop, draft) => {
      const found = await askOrder(shop, draft.order_remote_id)
      return found && parcelIn(found.order, draft)
    },
  },
}

async function send(shop: SquareShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const found = await askOrder(shop, draft.order_remote_id)
  if (found === null) throw refused(say('no_such_order'))
  const same = parcelIn(found.order, draft)
  if (same) return same
  const { lines, status } = toOrder(found.order, shop)
  if (status === 'cancelled') throw refused(say('order_cancelled'))
  if (draft.lines?.length && !isAllSent(pack(leftToSend(lines, []), draft.lines, 'lines').rest))
    throw refused(say('whole_orders_at', { platform: 'Squarespace' }))
  await tell(shop, { path: `${ordersPath}/${draft.order_remote_id}/fulfillments`, body: bodyFor(shop, draft, found) })
  const after = await askOrder(shop, draft.order_remote_id)
  const made = after && parcelIn(after.order, draft)
  if (!made) throw refused(say('not_stored_shipment', { platform: 'Squarespace' }))
  return made
}

const longest = 100

/** It wants to know when, and by what service: that is the carrier, as far as anybody has said. */
function bodyFor(
  { settings }: SquareShop,
  draft: ShipmentDraft,
  { order, now }: { order: Fields; now: string | null },
): Fields {
  const at = timeOf(draft.shipped_at ?? now ?? textIn(order, 'modifiedOn'))
  const carrier = draft.carrier.slice(0, longest)
  const parcel = {
    shipDate: `${at.slice(0, 23)}Z`,
    carrierName: carrier,
    service: carrier,
    trackingNumber: draft.tracking_number,
    ...(draft.tracking_url ? { trackingUrl: draft.tracking_url } : {}),
  }
  return {
    shouldSendNotification: draft.notify_customer ?? settings.notify_customers ?? false,
    shipments: [parcel],
  }
}

const parcelIn = (order: Fields, { tracking_number: number }: ShipmentDraft): RemoteShipment | null =>
  shipmentsOf(order).find((parcel) => parcel.tracking_number === number) ?? null
