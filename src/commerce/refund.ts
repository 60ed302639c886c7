import type { Static } from 'typebox'
import { flag, list, maybe, object, optional, text } from '../lib/validation/fields.ts'
import { compareDecimals, minus, share, sum, times } from './decimal.ts'
import { digitsOf } from './money.ts'
import type { OrderLine, OrderRefund, RemoteOrder } from './order.ts'
import { exactQuantity, wantedQuantity } from './rules/quantities.ts'
import { notifyCustomer } from './shipment.ts'

const piece = object({ order_line_remote_id: text(), quantity: wantedQuantity })
const maxPieces = 500
const ofOrder = { order_remote_id: text({ description: 'The shop’s id of the order.' }) }

/** What may be said about money that is to go back: how much, or what for. */
export const refundFields = {
  amount: maybe(
    text({
      pattern: '^\\d{1,12}(\\.\\d{1,3})?$',
      description: 'With tax, in the currency of the order. Either this or `lines`.',
    }),
  ),
  lines: maybe(list(piece, { max: maxPieces })),
  restock: optional(flag('Whether the goods of these lines go back into stock; they do not unless this is set.')),
  reason: maybe(text()),
  notify_customer: notifyCustomer,
}
export const refundDraftSchema = object({ ...ofOrder, ...refundFields })
export type RefundDraft = Static<typeof refundDraftSchema>

export const lineCancellationFields = {
  lines: list(piece, { min: 1, max: maxPieces }),
  reason: maybe(text()),
  notify_customer: notifyCustomer,
}
export const lineCancellationSchema = object({ ...ofOrder, ...lineCancellationFields })
export type LineCancellationDraft = Static<typeof lineCancellationSchema>

/** A refund as a connector makes it: reckoned, and with how the order stood before, by which it is found again. */
export interface WantedRefund {
  order_remote_id: string
  currency: string
  amount: string
  /** None where only an amount goes back. Amounts are with tax. */
  lines: readonly { order_line_remote_id: string; quantity: number; amount: string }[]
  restock: boolean
  reason: string | null
  notify_customer?: boolean
  before: { refunds: readonly string[]; refunded: string }
}

export interface WantedLineCancellation {
  order_remote_id: string
  /** With how many of the line had been cancelled before. */
  lines: readonly { order_line_remote_id: string; quantity: number; before: number }[]
  reason: string | null
  notify_customer?: boolean
}

/** What the buyer paid for a whole line, where its total is told as the prices are. */
export const paidFor = ({ total, tax }: OrderLine, { prices_include_tax: included, currency }: RemoteOrder): string =>
  included ? total.amount : sum([total.amount, tax.amount], digitsOf(currency))

/** What so many more pieces of a line are worth: all parts of it together are exactly the line. */
export function worthOf(line: OrderLine, quantity: number, { paid, currency }: { paid: string; currency: string }) {
  const digits = digitsOf(currency)
  const upTo = (count: number) => share(times(paid, count, digits), line.quantity, digits)
  return minus(upTo(exactQuantity(line.quantity_refunded + quantity)), upTo(line.quantity_refunded), digits)
}

export const standingOf = ({ refunds, refunded_total: total, currency }: RemoteOrder): WantedRefund['before'] => ({
  refunds: refunds.flatMap(({ remote_id: id }) => id ?? []),
  refunded: total?.amount ?? times('0', 1, digitsOf(currency)),
})

/** Refunds that were not there before. */
const freshIn = ({ refunds }: RemoteOrder, { before }: WantedRefund): OrderRefund[] =>
  refunds.filter(({ remote_id: id }) => id !== null && !before.refunds.includes(id))

/** How much more has gone back than before. */
const grownBy = ({ refunded_total: total }: RemoteOrder, { before }: WantedRefund): string =>
  minus(total?.amount ?? '0', before.refunded)

/** Whether more has gone back than the refunds that are listed say. */
export const isUnexplained = (order: RemoteOrder, refund: WantedRefund): boolean => {
  const listed = sum(freshIn(order, refund).map(({ amount }) => amount.amount))
  return compareDecimals(minus(grownBy(order, refund), listed), refund.amount) >= 0
}

const nameOf = ({ id }: { id: string }): string => id.slice(-8)

/** The reason as the shop keeps it, with the name of the change in it: by that ours is told from any other of the amount. */
export const signedReason = (reason: string | null, operation: { id: string }): string =>
  reason === null ? `Refund ${nameOf(operation)}` : `${reason} (${nameOf(operation)})`

export const isSigned = ({ reason }: OrderRefund, operation: { id: string }): boolean =>
  reason !== null && [`Refund ${nameOf(operation)}`, `(${nameOf(operation)})`].some((mark) => reason.endsWith(mark))

/** The reason that somebody gave. */
export const givenReason = (reason: string | null): string | null =>
  reason?.replace(/^Refund [0-9a-f]{8}$| \([0-9a-f]{8}\)$/, '') || null

/** Whether the order shows the refund: one that was not there before, of that amount or for those lines. */
export function showsRefund(order: RemoteOrder, wanted: WantedRefund): boolean {
  const { amount, lines } = wanted
  const isForLines = (refund: OrderRefund) =>
    lines.length > 0 &&
    lines.every((line) =>
      refund.lines.some(
        (one) =>
          one.order_line_remote_id === line.order_line_remote_id &&
          (one.quantity === 0 || one.quantity === line.quantity),
      ),
    )
  const isMeant = (refund: OrderRefund) => compareDecimals(refund.amount.amount, amount) === 0 || isForLines(refund)
  const fresh = freshIn(order, wanted)
  // Platforms that do not name each refund only say how much went back in all.
  return fresh.length > 0 ? fresh.some(isMeant) : compareDecimals(grownBy(order, wanted), amount) >= 0
}

/** The order with a refund that was made and that the platform does not show yet. */
export function withRefund(order: RemoteOrder, refund: WantedRefund): RemoteOrder {
  if (showsRefund(order, refund)) return order
  const { currency } = order
  const digits = digitsOf(currency)
  const refunded = sum([order.refunded_total?.amount ?? '0', refund.amount], digits)
  const money = (amount: string) => ({ amount, currency })
  return {
    ...order,
    payment_status: compareDecimals(refunded, order.total.amount) < 0 ? 'partially_refunded' : 'refunded',
    refunded_total: money(refunded),
    lines: order.lines.map((line) => ({
      ...line,
      quantity_refunded: exactQuantity(
        line.quantity_refunded +
          (refund.lines.find((one) => one.order_line_remote_id === line.remote_id)?.quantity ?? 0),
      ),
    })),
    refunds: [
      ...order.refunds,
      {
        remote_id: null,
        amount: money(refund.amount),
        reason: refund.reason,
        refunded_at: null,
        lines: refund.lines.map((line) => ({ ...line, amount: money(line.amount) })),
      },
    ],
  }
}

/** Whether so many more of each line are cancelled than before. Where the line itself is gone, all of it is. */
export const showsCancellation = (order: RemoteOrder, { lines }: WantedLineCancellation): boolean =>
  order.status === 'cancelled' ||
  lines.every(({ order_line_remote_id: id, quantity, before }) => {
    const line = order.lines.find((one) => one.remote_id === id)
    return !line || line.quantity_cancelled >= exactQuantity(before + quantity)
  })
