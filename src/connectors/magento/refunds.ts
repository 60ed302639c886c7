import type { OrderRefund } from '../../commerce/order.ts'
import { type Fields, idIn, maybeText, recordsIn, timeIn } from '../../commerce/reading.ts'
import { moneyIn } from './amounts.ts'
import { quantityIn } from './lines/quantities.ts'

/** A credit memo as a refund. The article of a configurable product has a row of its own there, which says nothing. */
export function ofCreditMemo(
  memo: Fields,
  { currency, lines }: { currency: string; lines: ReadonlySet<string> },
): OrderRefund {
  const [comment] = recordsIn({ rows: memo['comments'] ?? [] }, 'rows')
  return {
    remote_id: idIn(memo, 'entity_id'),
    amount: moneyIn(memo, 'grand_total', currency),
    reason: comment ? maybeText(comment, 'comment') : null,
    refunded_at: timeIn(memo, 'created_at'),
    lines: recordsIn({ rows: memo['items'] ?? [] }, 'rows').flatMap((item) => {
      const line = idIn(item, 'order_item_id')
      const quantity = quantityIn(item, 'qty')
      if (!lines.has(line) || quantity <= 0) return []
      const amount = item['row_total_incl_tax'] == null ? null : moneyIn(item, 'row_total_incl_tax', currency)
      return [{ order_line_remote_id: line, quantity, amount }]
    }),
  }
}
