import { compareDecimals } from '../../commerce/decimal.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, maybeText, textIn } from '../../commerce/reading.ts'
import { shopStatuses } from '../../commerce/rules/order-words.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'

export type Words = Pick<
  RemoteOrder,
  'status' | 'hold_reason' | 'payment_status' | 'fulfillment_status' | 'remote_status'
>

type Payment = RemoteOrder['payment_status']

/** The platform's words for the money; what is not asked for with all of these is left out of its lists. */
const payments: Readonly<Record<string, Payment>> = {
  PAID: 'paid',
  AUTHORIZED: 'authorized',
  NOT_CHARGED: 'pending',
  PENDING: 'pending',
  PARTIALLY_PAID: 'partially_paid',
  FAILED: 'failed',
  REFUNDED: 'refunded',
  // The money has not gone back yet, or did not.
  REFUND_PENDING: 'paid',
  REFUND_FAILED: 'paid',
}

export const paymentStates = Object.keys(payments)

/** Of an order that has neither left nor been called off, the money decides what it is. */
export const statuses = shopStatuses({
  FULFILLED: 'completed',
  CANCELED: 'cancelled',
  ...Object.fromEntries(paymentStates.map((word) => [word, null])),
})

/** What the platform may be asked for in the place of these; null where no one word of its says it. */
export function fulfillmentFor(wanted: readonly RemoteOrder['status'][]): string | null {
  const words = new Set(wanted.map((status) => narrow[status] ?? null))
  const [only = null] = words
  return words.size === 1 ? only : null
}

const narrow: Readonly<Partial<Record<RemoteOrder['status'], string>>> = {
  open: 'PENDING',
  pending: 'PENDING',
  completed: 'FULFILLED',
  cancelled: 'CANCELED',
}

const unpaid: readonly Payment[] = ['pending', 'partially_paid', 'failed']

interface Standing {
  total: string
  refunded: string
  /** Whether anything in it has to be sent. */
  isSent: boolean
}

/** One word for the goods, and beside it one for the money, which orders of long ago may lack. */
export function wordsOf(order: Fields, { total, refunded, isSent }: Standing): Words {
  const goods = textIn(order, 'fulfillmentStatus')
  const money = maybeText(order, 'paymentState')
  const remote_status = money === null ? goods : `${goods}/${money}`
  const payment_status = paymentOf(money, { total, refunded })
  const known = (status: Words['status'], fulfillment: Words['fulfillment_status']): Words => ({
    ...{ status, hold_reason: null, payment_status, fulfillment_status: fulfillment, remote_status },
  })
  const waiting = isSent ? 'unfulfilled' : 'not_required'
  if (goods === 'FULFILLED') return known('completed', isSent ? 'fulfilled' : 'not_required')
  if (goods === 'CANCELED') return known('cancelled', waiting)
  const isKnown = goods === 'PENDING' && (money === null || Object.hasOwn(payments, money))
  if (!isKnown) return { ...known('on_hold', waiting), ...unknownStatus(remote_status, null) }
  return known(unpaid.includes(payment_status) ? 'pending' : 'open', waiting)
}

function paymentOf(word: string | null, { total, refunded }: Pick<Standing, 'total' | 'refunded'>): Payment {
  const payment = word !== null && Object.hasOwn(payments, word) ? payments[word] : undefined
  const isBack = compareDecimals(refunded, '0') > 0
  const isAllBack = isBack && compareDecimals(refunded, total) >= 0
  if (payment === 'refunded') return isBack && !isAllBack ? 'partially_refunded' : 'refunded'
  if (payment === 'paid' && isBack) return isAllBack ? 'refunded' : 'partially_refunded'
  // Nothing is charged for what costs nothing.
  if (word === 'NOT_CHARGED' && compareDecimals(total, '0') === 0) return 'paid'
  return payment ?? 'unknown'
}
