import type { Shipments } from '../../commerce/connector/parts.ts'
import { type Fields, fieldsIn, fieldsOf, maybeText, numberIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { RemoteShipment, ShipmentDraft } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { acknowledge } from './acknowledge-orders.ts'
import { bodyOf } from './ask.ts'
import { carrierOf } from './carriers.ts'
import { askOrder } from './get-order.ts'
import type { Credentials, Settings, WalmartShop } from './settings.ts'
import { countOf, partsOf } from './statuses.ts'
import { isSentByWalmart, isUnwanted, linesIn, parcelsIn, toParcel } from './translate-order.ts'

export const shipments: Shipments<Settings, Credentials> = {
  partial: true,
  create: { repeatable: false, send, confirm },
}

/** Lines become sent one by one, each with how it travels; only what has been acknowledged may be. */
async function send(shop: WalmartShop, draft: ShipmentDraft): Promise<RemoteShipment> {
  const { order, now, wanted } = await standing(shop, draft)
  const known = parcelIn(order, draft)
  if (wanted.length === 0) {
    if (known) return known
    throw refused(say('nothing_to_ship'))
  }
  const carrier = carrierOf(draft, shop)
  const refusal = await acknowledge(shop, draft.order_remote_id)
  if (refusal !== null) throw refused(refusal)
  const trackingInfo = {
    shipDateTime: draft.shipped_at ? Date.parse(draft.shipped_at) : (now ?? latestIn(order)),
    ...carrier,
    methodCode: maybeText(fieldsIn(order, 'shippingInfo'), 'methodCode') ?? 'Standard',
    trackingNumber: draft.tracking_number,
  }
  const orderLine = wanted.map(({ line, quantity, unwanted }) => ({
    lineNumber: line,
    sellerOrderId: draft.order_remote_id,
    // The order has been looked at: whoever sends it now knows what the buyer wants.
    intentToCancelOverride: unwanted,
    orderLineStatuses: {
      orderLineStatus: [
        {
          status: 'Shipped',
          statusQuantity: { unitOfMeasurement: 'EACH', amount: String(quantity) },
          trackingInfo,
        },
      ],
    },
  }))
  const answer = await shop.remote.request({
    method: 'POST',
    path: `/v3/orders/${draft.order_remote_id}/shipping`,
    body: { orderShipment: { orderLines: { orderLine } } },
    budget: 'ship',
  })
  const after = fieldsIn(fieldsOf(bodyOf(answer)), 'order')
  const lines = wanted.map(({ line, quantity }) => ({ order_line_remote_id: line, quantity }))
  return parcelIn(after, draft) ?? toParcel(trackingInfo, lines)
}

/** A parcel with the same tracking number is the same parcel, and whole if nothing is missing. */
async function confirm(shop: WalmartShop, draft: ShipmentDraft): Promise<RemoteShipment | null> {
  const { order, wanted } = await standing(shop, draft)
  return wanted.length === 0 ? parcelIn(order, draft) : null
}

const parcelIn = (order: Fields, { tracking_number: number }: ShipmentDraft): RemoteShipment | null =>
  parcelsIn(order).find((one) => one.tracking_number === number) ?? null

/** When the order last moved: a parcel of it cannot have left earlier. */
const latestIn = (order: Fields): number => Math.max(...linesIn(order).map((line) => numberIn(line, 'statusDate')))

interface Wanted {
  line: string
  quantity: number
  unwanted: boolean
}

interface Standing {
  order: Fields
  now: number | null
  wanted: Wanted[]
}

/** What is still to go with this parcel. None named: all that is left. */
async function standing(shop: WalmartShop, draft: ShipmentDraft): Promise<Standing> {
  const found = await askOrder(shop, draft.order_remote_id)
  if (found === null) throw refused(say('no_such_order_at', { platform: 'Walmart' }))
  const { order, now } = found
  if (isSentByWalmart(order)) throw refused(say('own_warehouse', { platform: 'Walmart' }))
  const left = linesIn(order).map((line) => ({
    line: textIn(line, 'lineNumber'),
    quantity: countOf(partsOf(line), 'Created', 'Acknowledged'),
    unwanted: isUnwanted(line),
  }))
  if (!draft.lines || draft.lines.length === 0) return { ...found, wanted: left.filter(({ quantity }) => quantity > 0) }
  const gone = parcelIn(order, draft)?.lines ?? []
  const wanted = draft.lines.flatMap(({ order_line_remote_id: id, quantity }) => {
    const sent = gone.filter((one) => one.order_line_remote_id === id).reduce((sum, one) => sum + one.quantity, 0)
    const missing = quantity - sent
    if (missing <= 0) return []
    const line = left.find((one) => one.line === id)
    if (!line || line.quantity < missing) throw refused(say('fewer_left', { quantity: missing, line: id }))
    return [{ ...line, quantity: missing }]
  })
  return { order, now, wanted }
}
