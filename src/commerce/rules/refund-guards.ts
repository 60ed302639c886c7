import type { FieldErrors } from '../../lib/fault.ts'
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
import { exactQuantity, sumQuantities } from './quantities.ts'

/** What speaks against paying money back, and against calling off single lines, as the shop shows the order at this moment. */

const anyway = 'Set force to do it anyway.'
const withoutMoney: readonly RemoteOrder['payment_status'][] = ['pending', 'authorized', 'failed', 'voided']

/** Why no money should go back; null where nothing speaks against it. That nothing is left cannot be forced. */
export function whyNotRefund(
  order: RemoteOrder,
  means: Pick<Means, 'left'>,
  { force }: { force: boolean },
): string | null {
  const isPaid = !withoutMoney.includes(order.payment_status)
  if (isPaid && leftToRefund(order, means) === '0') return 'The order has already been refunded in full.'
  if (force || isPaid) return null
  return `The order has not been paid: there is nothing to refund. ${anyway}`
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
): { wanted: WantedRefund; errors: FieldErrors } {
  const { currency } = order
  const digits = digitsOf(currency)
  const parts = draft.lines ?? []
  const errors: FieldErrors = { ...meansErrors(draft, means) }
  const count = (id: string) => sumQuantities(parts.filter((one) => one.order_line_remote_id === id))
  for (const [index, { order_line_remote_id: id }] of parts.entries()) {
    const line = order.lines.find((one) => one.remote_id === id)
    const left = line ? exactQuantity(line.quantity - line.quantity_refunded) : 0
    if (!line) {
      const field = `lines.${index}.order_line_remote_id`
      errors[field] = [`The selected ${field} is not in the order.`]
    } else if (count(id) > left) {
      const field = `lines.${index}.quantity`
      errors[field] = [`The ${field} field is more than is left to refund: ${left === 0 ? 'none' : `only ${left}`}.`]
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
    if (compareDecimals(amount, '0') <= 0) errors[given] = ['There is nothing to refund.']
    else if ((amount.split('.')[1]?.length ?? 0) > digits)
      errors[given] = [`The ${given} field has more places than ${currency}.`]
    else if (compareDecimals(amount, left) > 0)
      errors[given] = [`The ${given} field is more than is left to refund: ${left} ${currency}.`]
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
function meansErrors({ amount, lines, restock }: RefundDraft, means: Means): FieldErrors {
  const byLines = lines != null && lines.length > 0
  if (amount != null && byLines) return { amount: ['The amount field cannot be given together with lines.'] }
  if (amount == null && !byLines) return { amount: ['The amount field is required when lines is not present.'] }
  if (amount != null && !means.by.includes('amount'))
    return { amount: ['This platform refunds lines of an order: say which.'] }
  if (byLines && !means.by.includes('lines')) return { lines: ['This platform refunds amounts, not lines.'] }
  if (!restock) return {}
  if (!means.restock) return { restock: ['This platform does not put goods back into stock with a refund.'] }
  return byLines ? {} : { restock: ['Which goods go back into stock is said by lines.'] }
}

/** Why single lines should not be called off. */
export function whyNotCancelLines(order: RemoteOrder): string | null {
  const status = orderStatusOf(order)
  if (status === 'CANCELLED') return 'The order has been cancelled in the shop.'
  if (status === 'SHIPPED' || status === 'DELIVERED') return 'The order has already been shipped.'
  return status === 'REFUNDED' ? `The order has been refunded in the shop. ${anyway}` : null
}

export function reckonLineCancellation(
  order: RemoteOrder,
  { lines, reason = null, notify_customer: notify }: LineCancellationDraft,
): { wanted: WantedLineCancellation; errors: FieldErrors } {
  const errors: FieldErrors = {}
  const wanted = new Map<string, { quantity: number; before: number }>()
  for (const [index, { order_line_remote_id: id, quantity }] of lines.entries()) {
    const line = order.lines.find((one) => one.remote_id === id)
    const field = `lines.${index}`
    if (!line) {
      errors[`${field}.order_line_remote_id`] = [`The selected ${field}.order_line_remote_id is not in the order.`]
      continue
    }
    const all = exactQuantity((wanted.get(id)?.quantity ?? 0) + quantity)
    const left = Math.max(0, exactQuantity(line.quantity - line.quantity_cancelled - line.quantity_fulfilled))
    if (all > left) {
      const rest = left === 0 ? 'none' : `only ${left}`
      errors[`${field}.quantity`] = [`The ${field}.quantity field is more than is left to cancel: ${rest}.`]
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
