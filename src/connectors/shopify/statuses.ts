import type { OrderLine, RemoteOrder } from '../../commerce/order.ts'
import { type Fields, maybeText, textIn } from '../../commerce/reading.ts'
import { shopStatuses } from '../../commerce/rules/order-words.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { termsIn } from './customers/companies.ts'
import type { Settings } from './settings.ts'

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

interface Standing {
  shipments: readonly RemoteShipment[]
  lines: readonly OrderLine[]
  settings: Settings
}

/** The two words of the platform, and ours for them. An order that nobody has asked money for has no financial one. */
export function orderWords(order: Fields, { shipments, lines, settings }: Standing): Words {
  const financial = maybeText(order, 'displayFinancialStatus')
  const sent = textIn(order, 'displayFulfillmentStatus')
  const [paid, moved] = [financial === null ? 'unknown' : payments[financial], fulfillments[sent]]
  const [payment, fulfillment] = [paid ?? 'unknown', moved ?? 'unfulfilled']
  const word = `${financial ?? 'NONE'}/${sent}`
  const live = shipments.filter(({ status }) => status !== 'cancelled')
  const arrived = live.length > 0 && live.every(({ status }) => status === 'delivered')
  const cancelled = maybeText(order, 'cancelledAt') !== null
  const status = cancelled || isEmpty(lines) ? 'cancelled' : statusOf(order, { payment, fulfillment, settings })
  return {
    ...(!cancelled && (!paid || !moved)
      ? unknownStatus(word, null)
      : { status, hold_reason: status === 'on_hold' ? (holds.find((one) => one === sent) ?? financial) : null }),
    payment_status: payment,
    fulfillment_status: fulfillment === 'fulfilled' && arrived ? 'delivered' : fulfillment,
    remote_status: cancelled ? 'CANCELLED' : word,
  }
}

/** All of it was refunded or removed before it left. */
const isEmpty = (lines: readonly OrderLine[]): boolean =>
  lines.length > 0 && lines.every(({ quantity, quantity_cancelled: off }) => off === quantity)

const holds = ['ON_HOLD', 'SCHEDULED']
/** There is no money, or none any longer: nothing leaves until somebody has looked. */
const lost: readonly Words['payment_status'][] = ['voided', 'refunded']

function statusOf(
  order: Fields,
  {
    payment,
    fulfillment,
    settings,
  }: { payment: Words['payment_status']; fulfillment: Words['fulfillment_status']; settings: Settings },
): Words['status'] {
  // Shopify closes what is done; a merchant may close the rest by hand.
  if (fulfillment === 'fulfilled' || maybeText(order, 'closedAt') !== null) return 'completed'
  if (fulfillment === 'not_required' && lost.includes(payment)) return 'completed'
  if (holds.includes(textIn(order, 'displayFulfillmentStatus')) || lost.includes(payment)) return 'on_hold'
  if (fulfillment === 'partial') return 'open'
  // Whoever pays later by agreement has not failed to pay.
  if (payment === 'pending' && !settings.send_unpaid && termsIn(order) === null) return 'pending'
  if (payment === 'authorized' && settings.wait_for_capture) return 'pending'
  return fulfillment === 'not_required' ? 'completed' : 'open'
}
