import { compareDecimals, decimal } from '../../../commerce/decimal.ts'
import { digitsOf } from '../../../commerce/money.ts'
import type { OrderRefund } from '../../../commerce/order.ts'
import { type Fields, idIn, maybeText, maybeTime, numberIn, recordsIn } from '../../../commerce/reading.ts'
import { askPage } from '../ask.ts'
import type { BigShop } from '../settings.ts'

export const refundsPath = (id: string): string => `/v3/orders/${id}/payment_actions/refunds`

/** How much went back is said with the order; in which parts, and what for, costs a question of its own. */
export async function refundsOf(shop: BigShop, order: Fields): Promise<readonly Fields[]> {
  const refunded = decimal(order['refunded_amount'] ?? '0')
  if (compareDecimals(refunded, '0') <= 0) return []
  return (await askPage(shop, refundsPath(idIn(order, 'id')), {})).rows
}

export function toRefund(refund: Fields, currency: string): OrderRefund {
  const items = recordsIn({ rows: refund['items'] ?? [] }, 'rows')
  return {
    remote_id: idIn(refund, 'id'),
    amount: { amount: decimal(refund['total_amount'], digitsOf(currency)), currency },
    reason: maybeText(refund, 'reason') ?? items.map((item) => maybeText(item, 'reason')).find(Boolean) ?? null,
    refunded_at: maybeTime(refund, 'created'),
    lines: items
      .filter((item) => item['item_type'] === 'PRODUCT')
      .map((item) => ({
        order_line_remote_id: idIn(item, 'item_id'),
        quantity: numberIn(item, 'quantity'),
        amount: null,
      })),
  }
}
