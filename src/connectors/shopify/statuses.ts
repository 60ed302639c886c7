import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, maybeText, textIn } from '../../commerce/reading.ts'
import { shopStatuses } from '../../commerce/rules/order-words.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'

type Words = Pick<RemoteOrder, 'status' | 'hold_reason' | 'payment_status' | 'fulfillment_status' | 'remote_status'>
type Table<T> = Readonly<Record<string, T | undefined>>

const payments: Table<Words['payment_status']> = {
  PENDING: 'pending',
  AUTHORIZED: 'authorized',
  // The time in which the money could have been taken is over.
  EXPIRED: 'voided',
  PARTIALLY_PAID: 'partially_paid',
  PAID: 'paid',
  PARTIALLY_REFUNDED: 'partially_refunded',
  REFUNDED: 'refunded',
  VOIDED: 'voided',
}

const fulfillments: Table<Words['fulfillment_status']> = {
  UNFULFILLED: 'unfulfilled',
  OPEN: 'unfulfilled',
  IN_PROGRESS: 'unfulfilled',
  PENDING_FULFILLMENT: 'unfulfilled',
  REQUEST_DECLINED: 'unfulfilled',
  RESTOCKED: 'unfulfilled',
  ON_HOLD: 'unfulfilled',
  SCHEDULED: 'unfulfilled',
  PARTIALLY_FULFILLED: 'partial',
  FULFILLED: 'fulfilled',
  FULFILLMENT_NOT_REQUIRED: 'not_required',
}

/** Each word of the pair by itself, which says only one half of where an order stands. */
export const statuses = shopStatuses({
  ...Object.fromEntries([...Object.keys(payments), 'NONE', ...Object.keys(fulfillments)].map((word) => [word, null])),
  CANCELLED: 'cancelled',
})

/** The two words of the platform, and ours for them. An order that nobody has asked money for has no financial one. */
export function orderWords(order: Fields, shipments: readonly RemoteShipment[]): Words {
  const financial = maybeText(order, 'displayFinancialStatus')
  const sent = textIn(order, 'displayFulfillmentStatus')
  const [paid, moved] = [financial === null ? 'unknown' : payments[financial], fulfillments[sent]]
  const [payment, fulfillment] = [paid ?? 'unknown', moved ?? 'unfulfilled']
  const word = `${financial ?? 'NONE'}/${sent}`
  const cancelled = maybeText(order, 'cancelledAt') !== null
  const live = shipments.filter(({ status }) => status !== 'cancelled')
  const arrived = live.length > 0 && live.every(({ status }) => status === 'delivered')
  return {
    ...(!cancelled && (!paid || !moved)
      ? unknownStatus(word, null)
      : {
          status: cancelled ? 'cancelled' : statusOf(order, payment, fulfillment),
          hold_reason: sent === 'ON_HOLD' ? sent : null,
        }),
    payment_status: payment,
    fulfillment_status: fulfillment === 'fulfilled' && arrived ? 'delivered' : fulfillment,
    remote_status: cancelled ? 'CANCELLED' : word,
  }
}

const unpaid: readonly Words['payment_status'][] = ['pending', 'authorized']

function statusOf(
  order: Fields,
  payment: Words['payment_status'],
  fulfillment: Words['fulfillment_status'],
): Words['status'] {
  const sent = textIn(order, 'displayFulfillmentStatus')
  // Shopify closes what is done; a merchant may close the rest by hand.
  if (fulfillment === 'fulfilled' || maybeText(order, 'closedAt') !== null) return 'completed'
  if (sent === 'ON_HOLD' || sent === 'SCHEDULED') return 'on_hold'
  if (fulfillment === 'partial') return 'open'
  if (unpaid.includes(payment)) return 'pending'
  return fulfillment === 'not_required' ? 'completed' : 'open'
}
