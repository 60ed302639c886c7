import type { Refunds } from '../../commerce/connector/parts.ts'
import { compareDecimals, minus, sum } from '../../commerce/decimal.ts'
import { digitsOf } from '../../commerce/money.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { bodyOf, type Fields, fieldsOf, idIn, recordsIn } from '../../commerce/reading.ts'
import { paidFor, type WantedRefund } from '../../commerce/refund.ts'
import { refused } from '../../commerce/remote.ts'
import { refundOnce } from '../../commerce/wire/refund-once.ts'
import { say } from '../../commerce/words/say.ts'
import { rounded } from './amounts.ts'
import { getOrder } from './orders.ts'
import type { Credentials, MedusaShop, Settings } from './settings.ts'
import { toOrder } from './translate-order.ts'

/** Payments are refunded there, not goods: those come back by a return of their own. */
export const refunds: Refunds<Settings, Credentials> = {
  by: ['amount'],
  restock: false,
  paidFor,
  // What was refunded is taken off the total as well, so that the total does not say what is left.
  left: ({ raw, currency }: RemoteOrder) =>
    sum(
      paymentsIn(fieldsOf(raw)).map((payment) => leftOf(payment, currency)),
      digitsOf(currency),
    ),
  create: refundOnce({ get: getOrder, translate: toOrder }, pay),
}

const rowsIn = (fields: Fields, name: string): readonly Fields[] => recordsIn({ rows: fields[name] ?? [] }, 'rows')

const paymentsIn = (order: Fields): readonly Fields[] =>
  rowsIn(order, 'payment_collections').flatMap((collection) => rowsIn(collection, 'payments'))

/** What has not gone back of a payment that was captured. */
function leftOf(payment: Fields, currency: string): string {
  const digits = digitsOf(currency)
  if (payment['captured_at'] == null) return '0'
  const back = rowsIn(payment, 'refunds').map(({ amount }) => rounded(amount, digits, digits))
  return minus(rounded(payment['amount'], digits, digits), sum(back, digits), digits)
}

async function pay(shop: MedusaShop, refund: WantedRefund): Promise<void> {
  const { order_remote_id: id, amount, currency, reason } = refund
  const order = await getOrder(shop, id)
  if (order === null) throw refused(say('no_such_order'))
  const payment = paymentsIn(order).find((one) => compareDecimals(leftOf(one, currency), amount) >= 0)
  if (!payment) throw refused(say('refund_in_parts'))
  const path = `/admin/payments/${idIn(payment, 'id')}/refund`
  const body = { amount: Number(amount), ...(reason === null ? {} : { note: reason }) }
  bodyOf(await shop.remote.request({ method: 'POST', path, body }))
}
