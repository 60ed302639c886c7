import type { Refunds } from '../../../commerce/connector/parts.ts'
import { decimal, minus, share, sum, times } from '../../../commerce/decimal.ts'
import { digitsOf } from '../../../commerce/money.ts'
import { type RemoteOrder, refundedIn } from '../../../commerce/order.ts'
import { bodyOf, type Fields, fieldsOf, idIn, isFields, numberIn, recordsIn } from '../../../commerce/reading.ts'
import type { WantedRefund } from '../../../commerce/refund.ts'
import { refused, refusedAt } from '../../../commerce/remote.ts'
import { shopWords } from '../../../commerce/rules/shop-words.ts'
import { refundOnce } from '../../../commerce/wire/refund-once.ts'
import { say } from '../../../commerce/words/say.ts'
import { refundRefused } from '../auth.ts'
import { orders, ordersPath } from '../orders.ts'
import type { Credentials, Settings, WooShop } from '../settings.ts'
import { refundsOf } from './read-refunds.ts'

/** Totals of lines are without tax there, whatever the prices say. */
export const refunds: Refunds<Settings, Credentials> = {
  by: ['amount', 'lines'],
  restock: true,
  paidFor: ({ total, tax }, { currency }) => sum([total.amount, tax.amount], digitsOf(currency)),
  create: refundOnce(orders, pay, isMarked),
}

/** Buyers read the reason of a refund in their account and in mails; fields of this kind nobody but the shop. */
const markKey = '_entrepot_operation'

function isMarked({ raw }: RemoteOrder, { id }: { id: string }): boolean {
  return recordsIn({ refund_records: [], ...fieldsOf(raw) }, 'refund_records')
    .flatMap((refund) => recordsIn({ meta_data: [], ...refund }, 'meta_data'))
    .some(({ key, value }) => key === markKey && value === id)
}

async function pay(shop: WooShop, refund: WantedRefund, operation: { id: string }): Promise<void> {
  const { order_remote_id: id, amount, lines, reason, restock } = refund
  const order = lines.length > 0 ? await orders.get(shop, id) : {}
  if (order === null) throw refused(say('no_such_order'))
  const body = {
    amount,
    ...(reason === null ? {} : { reason }),
    meta_data: [{ key: markKey, value: operation.id }],
    api_refund: shop.settings.refund_payments ?? true,
    api_restock: restock,
    ...(lines.length > 0 && { line_items: lines.map((line) => toItem(order as Fields, line, refund.currency)) }),
  }
  const answer = await shop.remote.request({ method: 'POST', path: `${ordersPath}/${id}/refunds`, body })
  if (body.api_refund && answer.status === 500 && isFields(answer.body) && answer.body['code'] === refundRefused) {
    const said = shopWords(answer.body) ?? say('gateway_refund')
    throw refusedAt('settings.refund_payments', say('refund_by_hand', { reason: said }))
  }
  bodyOf(answer)
}

/** Orders that were made by hand or from elsewhere have no gateway, and many gateways cannot pay back. */
/** What a line costs without tax, and each of its taxes by its own rate. */
function toItem(order: Fields, part: WantedRefund['lines'][number], currency: string) {
  const digits = digitsOf(currency)
  const line = recordsIn(order, 'line_items').find((one) => idIn(one, 'id') === part.order_line_remote_id)
  if (!line) throw refused(say('no_such_line'))
  const before = refundedIn(refundsOf(order, currency), part.order_line_remote_id)
  const shareOf = (amount: unknown, count: number) =>
    share(times(decimal(amount, digits), count, digits), numberIn(line, 'quantity'), digits)
  const taxes = recordsIn({ taxes: [], ...line }, 'taxes').map((tax) => ({
    id: idIn(tax, 'id'),
    refund_total: minus(
      shareOf(tax['total'] || '0', before + part.quantity),
      shareOf(tax['total'] || '0', before),
      digits,
    ),
  }))
  return {
    id: Number(part.order_line_remote_id),
    quantity: part.quantity,
    refund_total: minus(
      part.amount,
      sum(
        taxes.map((tax) => tax.refund_total),
        digits,
      ),
      digits,
    ),
    refund_tax: taxes.map((tax) => ({ id: Number(tax.id), refund_total: tax.refund_total })),
  }
}
