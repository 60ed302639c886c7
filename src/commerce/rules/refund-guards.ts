import type { FieldWordings } from '../../lib/fault.ts'
import { complaint } from '../../lib/validation/complaints.ts'
import type { Wording } from '../../lib/words/wording.ts'
import type { Refunds } from '../connector/parts.ts'
import { compareDecimals, decimal, minus, sum } from '../decimal.ts'
import { digitsOf } from '../money.ts'
import { orderStatusOf, type RemoteOrder } from '../order.ts'
import {
  type LineCancellationDraft,
  type RefundDraft,
  standingOf,
  type WantedLineCancellation,
  type WantedRefund,
  worthOf,
} from '../refund.ts'
import type { AnyFields } from '../shop.ts'
import { forceable, say, tooMany } from '../words/say.ts'
import { exactQuantity, sumQuantities } from './quantities.ts'

/** What speaks against paying money back, and against calling off single lines, as the shop shows the order at this moment. */

const withoutMoney: readonly RemoteOrder['payment_status'][] = ['pending', 'authorized', 'failed', 'voided']

/** Why no money should go back; null where nothing speaks against it. That nothing is left cannot be forced. */
export function whyNotRefund(
  order: RemoteOrder,
  means: Pick<Means, 'left'>,
  { force }: { force: boolean },
): Wording | null {
  const isPaid = !withoutMoney.includes(order.payment_status)
  if (isPaid && leftToRefund(order, means) === '0') return say('refunded_in_full')
  if (force || isPaid) return null
  return forceable(say('nothing_paid'))
}

/** What of the total has not gone back; `0` where nothing is left. */
function leftToRefund(order: RemoteOrder, means: Pick<Means, 'left'>): string {
  if (order.payment_status === 'refunded') return '0'
  const left =
    means.left?.(order) ?? minus(order.total.amount, order.refunded_total?.amount ?? '0', digitsOf(order.currency))
  return compareDecimals(left, '0') <= 0 ? '0' : left
}

type Means = Pick<Refunds<AnyFields, AnyFields>, 'by' | 'restock' | 'paidFor' | 'left'>

/** The refund in full, or what speaks against it by the fields of the draft. */
export function reckonRefund(
  order: RemoteOrder,
  draft: RefundDraft,
  means: Means,
): { wanted: WantedRefund; errors: FieldWordings } {
  const { currency } = order
  const digits = digitsOf(currency)
  const parts = draft.lines ?? []
  const errors: FieldWordings = { ...meansErrors(draft, means) }
  const count = (id: string) => sumQuantities(parts.filter((one) => one.order_line_remote_id === id))
  for (const [index, { order_line_remote_id: id }] of parts.entries()) {
    const line = order.lines.find((one) => one.remote_id === id)
    const left = line ? exactQuantity(line.quantity - line.quantity_refunded) : 0
    if (!line) {
      const field = `lines.${index}.order_line_remote_id`
      errors[field] = [say('not_in_order', { field })]
    } else if (count(id) > left) {
      const field = `lines.${index}.quantity`
      errors[field] = [tooMany(field, left, 'refund')]
    }
  }
  const lines = order.lines.flatMap((line) => {
    const quantity = count(line.remote_id)
    if (quantity === 0) return []
    const amount = worthOf(line, quantity, { paid: means.paidFor(line, order), currency })
    return [{ order_line_remote_id: line.remote_id, quantity, amount }]
  })
  const amount =
    draft.amount == null
      ? sum(
          lines.map((line) => line.amount),
          digits,
        )
      : decimal(draft.amount, digits)
  const given = draft.amount == null ? 'lines' : 'amount'
  if (Object.keys(errors).length === 0) {
    const left = leftToRefund(order, means)
    if (compareDecimals(amount, '0') <= 0) errors[given] = [say('nothing_to_refund')]
    else if ((amount.split('.')[1]?.length ?? 0) > digits)
      errors[given] = [say('finer_than_currency', { field: given, currency })]
    else if (compareDecimals(amount, left) > 0)
      errors[given] = [say('money_to_refund', { field: given, left, currency })]
  }
  const { restock = false, reason = null, notify_customer: notify } = draft
  const wanted = {
    order_remote_id: order.remote_id,
    ...{ currency, amount, lines, restock, reason },
    ...(notify !== undefined && { notify_customer: notify }),
    before: standingOf(order),
  }
  return { wanted, errors }
}

/** What does not fit together, and what the platform cannot do. */
function meansErrors({ amount, lines, restock }: RefundDraft, means: Means): FieldWordings {
  const byLines = lines != null && lines.length > 0
  if (amount != null && byLines) return { amount: [say('amount_or_lines')] }
  if (amount == null && !byLines)
    return { amount: [complaint('field_required_without', { field: 'amount', other: 'lines' })] }
  if (amount != null && !means.by.includes('amount')) return { amount: [say('refunds_by_lines')] }
  if (byLines && !means.by.includes('lines')) return { lines: [say('refunds_by_amount')] }
  if (!restock) return {}
  if (!means.restock) return { restock: [say('no_restock')] }
  return byLines ? {} : { restock: [say('restock_by_lines')] }
}

/** Why single lines should not be called off. */
export function whyNotCancelLines(order: RemoteOrder): Wording | null {
  const status = orderStatusOf(order)
  if (status === 'CANCELLED') return say('cancelled_in_shop')
  if (status === 'SHIPPED' || status === 'DELIVERED') return say('shipped_already')
  return status === 'REFUNDED' ? forceable(say('refunded_in_shop')) : null
}

export function reckonLineCancellation(
  order: RemoteOrder,
  { lines, reason = null, notify_customer: notify }: LineCancellationDraft,
): { wanted: WantedLineCancellation; errors: FieldWordings } {
  const errors: FieldWordings = {}
  const wanted = new Map<string, { quantity: number; before: number }>()
  for (const [index, { order_line_remote_id: id, quantity }] of lines.entries()) {
    const line = order.lines.find((one) => one.remote_id === id)
    const field = `lines.${index}`
    if (!line) {
      const place = `${field}.order_line_remote_id`
      errors[place] = [say('not_in_order', { field: place })]
      continue
    }
    const all = exactQuantity((wanted.get(id)?.quantity ?? 0) + quantity)
    const left = Math.max(0, exactQuantity(line.quantity - line.quantity_cancelled - line.quantity_fulfilled))
    if (all > left) {
      errors[`${field}.quantity`] = [tooMany(`${field}.quantity`, left, 'cancel')]
    }
    wanted.set(id, { quantity: all, before: line.quantity_cancelled })
  }
  return {
    wanted: {
      order_remote_id: order.remote_id,
      lines: [...wanted].map(([id, part]) => ({ order_line_remote_id: id, ...part })),
      reason,
      ...(notify !== undefined && { notify_customer: notify }),
    },
    errors,
  }
}
