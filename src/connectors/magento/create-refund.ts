import type { Refunds } from '../../commerce/connector/parts.ts'
import { compareDecimals, rounded, share, sum, times } from '../../commerce/decimal.ts'
import { digitsOf } from '../../commerce/money.ts'
import { type Fields, idIn, maybeText, recordsIn } from '../../commerce/reading.ts'
import type { WantedRefund } from '../../commerce/refund.ts'
import { refused } from '../../commerce/remote.ts'
import { refundOnce } from '../../commerce/wire/refund-once.ts'
import { say } from '../../commerce/words/say.ts'
import { bodyIn, searchAny } from './ask.ts'
import { orders } from './orders.ts'
import { type Credentials, type MagentoShop, mails, pathOf, type Settings } from './settings.ts'

/** Credit memos. Totals of lines are without tax there. */
export const refunds: Refunds<Settings, Credentials> = {
  by: ['amount', 'lines'],
  restock: true,
  paidFor: ({ total, tax }, { currency }) => sum([total.amount, tax.amount], digitsOf(currency)),
  create: refundOnce(orders, pay),
}

async function pay(shop: MagentoShop, refund: WantedRefund): Promise<void> {
  const { order_remote_id: id, lines, reason, restock } = refund
  const order = await orders.get(shop, id)
  if (order === null || typeof order !== 'object') throw refused(say('no_such_order'))
  const known = { ...order }
  const items = lines.map((line) => ({ order_item_id: Number(line.order_line_remote_id), qty: line.quantity }))
  // Without items everything that is left would go back.
  const none = recordsIn(known, 'items')
    .slice(0, 1)
    .map((item) => ({ order_item_id: Number(idIn(item, 'item_id')), qty: 0 }))
  const body = {
    items: items.length > 0 ? items : none,
    notify: mails(shop, refund),
    ...(reason === null ? {} : { appendComment: true, comment: { comment: reason, is_visible_on_front: 0 } }),
    arguments: {
      shipping_amount: 0,
      adjustment_positive: items.length > 0 ? 0 : Number(baseAmount(known, refund)),
      adjustment_negative: 0,
      ...(restock && { extension_attributes: { return_to_stock_items: items.map((item) => item.order_item_id) } }),
    },
  }
  // What was paid online is paid back by the gateway; the rest is noted, and paid back by hand.
  const invoices = await searchAny(shop, 'invoices', { field: 'order_id', values: [id] })
  const paid = invoices.find((invoice) => maybeText(invoice, 'transaction_id') !== null)
  const path = paid ? `invoice/${idIn(paid, 'entity_id')}/refund` : `order/${id}/refund`
  const sent = paid ? { ...body, isOnline: true } : body
  bodyIn(await shop.remote.request({ method: 'POST', path: pathOf(shop, path), body: sent }))
}

/** The platform takes amounts in the currency of its books, and turns them into that of the order; always to two places. */
function baseAmount(order: Fields, { amount, currency }: WantedRefund): string {
  const base = maybeText(order, 'base_currency_code') ?? currency
  const rate = Number(order['base_to_order_rate'])
  if (base === currency || !(rate > 0)) return amount
  const told = share(amount, rate)
  const becomes = rounded(times(told, rate))
  if (compareDecimals(becomes, amount) === 0) return told
  throw refused(say('refund_in_base', { base, possible: becomes, currency, amount }))
}
