import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, textIn } from '../../commerce/reading.ts'
import { shopStatuses } from '../../commerce/rules/order-words.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'

type Words = Pick<RemoteOrder, 'status' | 'hold_reason' | 'payment_status' | 'fulfillment_status' | 'remote_status'>

/** What waits for its carrier has a parcel with a number already: nothing is left to be done about it here. */
const words: Readonly<Record<string, Pick<Words, 'status' | 'fulfillment_status'>>> = {
  UNPAID: { status: 'pending', fulfillment_status: 'unfulfilled' },
  ON_HOLD: { status: 'on_hold', fulfillment_status: 'unfulfilled' },
  AWAITING_SHIPMENT: { status: 'open', fulfillment_status: 'unfulfilled' },
  PARTIALLY_SHIPPING: { status: 'open', fulfillment_status: 'partial' },
  AWAITING_COLLECTION: { status: 'completed', fulfillment_status: 'fulfilled' },
  IN_TRANSIT: { status: 'completed', fulfillment_status: 'fulfilled' },
  DELIVERED: { status: 'completed', fulfillment_status: 'delivered' },
  COMPLETED: { status: 'completed', fulfillment_status: 'delivered' },
  CANCELLED: { status: 'cancelled', fulfillment_status: 'unfulfilled' },
}

export const statuses = shopStatuses(
  Object.fromEntries(Object.entries(words).map(([word, { status }]) => [word, status])),
)

/** Cash on delivery is paid when the parcel is. What was paid and is called off, TikTok pays back by itself. */
export function wordsOf(order: Fields, isSentInPart: boolean): Words {
  const remote_status = textIn(order, 'status')
  const known = Object.hasOwn(words, remote_status) ? words[remote_status] : undefined
  const isPaid = order['paid_time'] != null && order['paid_time'] !== 0
  const isDelivered = known?.fulfillment_status === 'delivered'
  const paid = isPaid || isDelivered ? 'paid' : 'pending'
  if (!known) {
    const fulfillment_status = isSentInPart ? 'partial' : 'unfulfilled'
    return { ...unknownStatus(remote_status, null), remote_status, fulfillment_status, payment_status: paid }
  }
  const payment_status = known.status === 'cancelled' ? 'voided' : paid
  return { ...known, hold_reason: null, remote_status, payment_status }
}

/** How far a package has come. With TikTok's own labels it has not left before it is collected. */
export function parcelStatus(item: Fields, isByTikTok: boolean): RemoteShipment['status'] {
  switch (item['package_status']) {
    case 'PROCESSING':
      return isByTikTok ? 'pending' : 'shipped'
    case 'FULFILLING':
      return 'in_transit'
    case 'COMPLETED':
      return 'delivered'
    case 'CANCELLED':
      return 'cancelled'
    default:
      return 'shipped'
  }
}
