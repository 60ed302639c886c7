import { compareDecimals, decimal, sum } from '../../commerce/decimal.ts'
import { digitsOf } from '../../commerce/money.ts'
import type { OrderRefund } from '../../commerce/order.ts'
import { type Fields, maybeFields, maybeText, maybeTime, numberIn, recordsIn, textIn } from '../../commerce/reading.ts'

/**
 * A refund is made up of what goes back by each payment. What has failed did not go back; what is under way will, and counts:
 * else it would be paid once more. Null for one of which nothing goes back.
 */
export function toRefund(refund: Fields, currency: string): OrderRefund | null {
  const digits = digitsOf(currency)
  const parts = recordsIn({ transactions: refund['transactions'] ?? [] }, 'transactions')
  const going = parts.filter(({ refundStatus }) => refundStatus !== 'FAILED')
  const amount = sum(
    going.map((part) => decimal(maybeFields(part, 'amount')?.['amount'] ?? '0', digits)),
    digits,
  )
  if (compareDecimals(amount, '0') <= 0) return null
  const details = maybeFields(refund, 'details') ?? {}
  const items = ['items', 'lineItems'].map((name) => (details[name] == null ? [] : recordsIn(details, name)))
  return {
    remote_id: textIn(refund, 'id'),
    amount: { amount, currency },
    reason: maybeText(details, 'reason'),
    refunded_at: maybeTime(refund, 'createdDate'),
    lines: (items.find((list) => list.length > 0) ?? []).map((item) => ({
      order_line_remote_id: textIn(item, 'lineItemId'),
      quantity: numberIn(item, 'quantity'),
      amount: null,
    })),
  }
}
