import type { Shipments } from '../../../commerce/connector/parts.ts'
import { fieldsOf, numberIn, recordsIn, textIn, timeOf } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import type { RemoteShipment, ShipmentDraft } from '../../../commerce/shipment.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask, fulfillment } from '../ask.ts'
import { getOrder, parcelsOf } from '../orders.ts'
import type { Credentials, EbayShop, Settings } from '../settings.ts'
import { toOrder } from '../translate-order.ts'
import { carrierCodeOf } from './carriers.ts'
import { countIn, toShipments } from './translate-shipment.ts'

export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: {
    // Sent twice, eBay creates two parcels.
    repeatable: false,
    send,
    confirm: async (shop, draft) => await findParcel(shop, draft),
  },
}

/** Only letters and digits are taken, whatever stands on the label. */
const trackingOf = ({ tracking_number: number }: ShipmentDraft): string => number.replace(/[^A-Za-z0-9]/g, '')

async function send(shop: EbayShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const raw = await getOrder(shop, draft.order_remote_id)
  if (raw === null) throw refused(say('no_such_order'))
  const tracking = trackingOf(draft)
  if (tracking === '') throw refused(say('bad_tracking_number'))
  const { shipments: sent } = toOrder(raw)
  const same = sent.find((parcel) => parcel.tracking_number === tracking)
  if (same) return same
  const lineItems = linesOf(draft, leftIn(raw, sent))
  const shippedDate = draft.shipped_at ? { shippedDate: `${timeOf(draft.shipped_at).slice(0, 23)}Z` } : {}
  await ask(shop, {
    method: 'POST',
    path: `${fulfillment}/order/${draft.order_remote_id}/shipping_fulfillment`,
    body: { lineItems, ...shippedDate, shippingCarrierCode: carrierCodeOf(draft.carrier), trackingNumber: tracking },
  })
  const made = await findParcel(shop, draft)
  if (made === null) throw refused(say('not_stored_shipment', { platform: 'eBay' }))
  return made
}

/** The tracking number is the parcel's name. */
async function findParcel(shop: EbayShop, draft: ShipmentDraft): Promise<RemoteShipment | null> {
  const order = await getOrder(shop, draft.order_remote_id)
  if (order === null) return null
  const parcels = toShipments(await parcelsOf(shop, draft.order_remote_id))
  return parcels.find((parcel) => parcel.tracking_number === trackingOf(draft)) ?? null
}

type Left = ReadonlyMap<string, number>

function leftIn(raw: unknown, sent: readonly RemoteShipment[]): Left {
  const lines = recordsIn(fieldsOf(raw), 'lineItems').filter(
    (line) => line['lineItemFulfillmentStatus'] !== 'FULFILLED',
  )
  return new Map(
    lines.map((line) => {
      const id = textIn(line, 'lineItemId')
      return [id, numberIn(line, 'quantity') - countIn(sent, id)]
    }),
  )
}

function linesOf({ lines }: ShipmentDraft, left: Left): { lineItemId: string; quantity: number }[] {
  if (!lines || lines.length === 0) {
    const all = [...left].flatMap(([lineItemId, quantity]) => (quantity > 0 ? [{ lineItemId, quantity }] : []))
    if (all.length === 0) throw refused(say('nothing_to_ship'))
    return all
  }
  return lines.map(({ order_line_remote_id: lineItemId, quantity }) => {
    if ((left.get(lineItemId) ?? 0) < quantity) {
      throw refused(say('fewer_left', { quantity, line: lineItemId }))
    }
    return { lineItemId, quantity }
  })
}
