import type { Refunds } from '../../../commerce/connector/parts.ts'
import { type Fields, fieldsIn, fieldsOf, isFields } from '../../../commerce/reading.ts'
import { paidFor, type WantedRefund } from '../../../commerce/refund.ts'
import { refused } from '../../../commerce/remote.ts'
import { refundOnce } from '../../../commerce/wire/refund-once.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask, isId } from '../ask.ts'
import { orders } from '../orders.ts'
import type { BigShop, Credentials, Settings } from '../settings.ts'
import { refundsPath } from './read-refunds.ts'

export const refunds: Refunds<Settings, Credentials> = {
  by: ['amount', 'lines'],
  restock: false,
  paidFor,
  create: refundOnce(orders, pay),
}

/** The platform says first what it would pay back, and by which means; the refund has to be that to the cent. */
async function pay(shop: BigShop, refund: WantedRefund): Promise<void> {
  const { order_remote_id: id, amount, lines, reason } = refund
  if (!isId(id)) throw refused(say('no_such_order'))
  const why = reason === null ? {} : { reason }
  const items =
    lines.length > 0
      ? lines.map(({ order_line_remote_id: line, quantity }) => ({
          ...{ item_type: 'PRODUCT', item_id: Number(line), quantity, ...why },
        }))
      : [{ item_type: 'ORDER', item_id: Number(id), amount: Number(amount), ...why }]
  const path = `/v3/orders/${id}/payment_actions/refund_quotes`
  const quoted = await ask(shop, { method: 'POST', path, body: { items }, repeatable: true })
  const payments = methodIn(fieldsIn(fieldsOf(quoted), 'data')).map((option) => ({
    provider_id: option['provider_id'],
    amount: option['amount'],
    offline: option['offline'],
  }))
  await ask(shop, { method: 'POST', path: refundsPath(id), body: { items, payments } })
}

/** By the payment itself where that can be; what is paid back by hand is noted. */
function methodIn(quote: Fields): readonly Fields[] {
  const methods = Array.isArray(quote['refund_methods']) ? quote['refund_methods'] : []
  const known = methods
    .map((method) => (Array.isArray(method) ? method.filter(isFields) : []))
    .filter((one) => one.length > 0)
  const chosen = known.find((method) => method.every(({ offline }) => offline !== true)) ?? known[0]
  if (!chosen) throw refused(say('no_way_to_refund'))
  return chosen
}
