import { sum } from '../../../commerce/decimal.ts'
import { digitsOf } from '../../../commerce/money.ts'
import type { OrderRefund } from '../../../commerce/order.ts'
import { type Fields, maybeFields, maybeText, maybeTime, recordsIn, textIn } from '../../../commerce/reading.ts'
import { amountIn } from '../amounts.ts'

/** Which of them was for which line is said with the lines, by the same id. */
export function refundsIn(order: Fields, currency: string): OrderRefund[] {
  const summary = maybeFields(order, 'paymentSummary')
  const refunds = summary?.['refunds'] == null ? [] : recordsIn(summary, 'refunds')
  // What is pending is on its way: eBay makes refunds by and by.
  const isMade = (refund: Fields) => refund['refundStatus'] !== 'FAILED'
  const parts = recordsIn(order, 'lineItems').flatMap((line) =>
    recordsIn({ refunds: [], ...line }, 'refunds').map((part) => ({ line, part })),
  )
  const named = new Set(refunds.map((refund) => refund['refundId']))
  // Those for single lines may be told with the lines alone.
  const ofLines = Map.groupBy(
    parts.filter(({ part }) => typeof part['refundId'] === 'string' && !named.has(part['refundId'])),
    ({ part }) => part['refundId'],
  )
  const further = [...ofLines].map(([refundId, some]) => ({
    refundId,
    refundDate: some[0]?.part['refundDate'],
    amount: {
      value: sum(
        some.map(({ part }) => amountIn(part, 'amount', currency)),
        digitsOf(currency),
      ),
      currency,
    },
  }))
  return [...refunds.filter(isMade), ...further].map((refund: Fields) => {
    const id = maybeText(refund, 'refundId')
    return {
      remote_id: id,
      amount: { amount: amountIn(refund, 'amount', currency), currency },
      reason: null,
      refunded_at: maybeTime(refund, 'refundDate'),
      lines: parts
        .filter(({ part }) => id !== null && part['refundId'] === id)
        .map(({ line, part }) => ({
          order_line_remote_id: textIn(line, 'lineItemId'),
          // How many pieces it was for is not said.
          quantity: 0,
          amount: { amount: amountIn(part, 'amount', currency), currency },
        })),
    }
  })
}
