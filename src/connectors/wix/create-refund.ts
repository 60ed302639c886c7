import type { Refunds } from '../../commerce/connector/parts.ts'
import { compareDecimals, decimal, minus } from '../../commerce/decimal.ts'
import { digitsOf } from '../../commerce/money.ts'
import { type Fields, fieldsIn, maybeFields, recordsIn, textIn } from '../../commerce/reading.ts'
import { paidFor, type WantedRefund } from '../../commerce/refund.ts'
import { refused } from '../../commerce/remote.ts'
import { refundOnce } from '../../commerce/wire/refund-once.ts'
import { say } from '../../commerce/words/say.ts'
import { ask, askList } from './ask.ts'
import { orders } from './orders.ts'
import { type Credentials, isId, type Settings, type WixShop } from './settings.ts'

/** Whether Wix keeps the reason of every refund is not written down: one without it may be ours all the same. */
export const refunds: Refunds<Settings, Credentials> = {
  by: ['amount', 'lines'],
  restock: true,
  paidFor,
  create: refundOnce(orders, pay, 'last reason'),
}

/** Wix takes no longer reasons. */
const longest = 200

/** By the payments that Wix can pay back itself, one after the other until it is all of it. */
async function pay(shop: WixShop, refund: WantedRefund): Promise<void> {
  const { order_remote_id: orderId, lines, reason, restock, notify_customer: isTold = false } = refund
  if (!isId(orderId)) throw refused(say('no_such_order'))
  const lineItems = lines.map(({ order_line_remote_id: lineItemId, quantity }) => ({ lineItemId, quantity }))
  const body = {
    orderId,
    paymentRefunds: await partsOf(shop, refund),
    ...(lineItems.length > 0 ? { refundItems: { lineItems } } : {}),
    sideEffects: {
      ...(restock && lineItems.length > 0 ? { restock: { lineItems } } : {}),
      notifications: { sendCustomerEmail: isTold },
    },
    ...(reason === null ? {} : { customerReason: shortened(reason) }),
  }
  await ask(shop, { method: 'POST', path: '/ecom/v1/order-billing/refund-payments', body })
}

/** The name of the change is at the end of the reason, and stays. */
const shortened = (reason: string): string =>
  reason.length <= longest ? reason : `${reason.slice(0, longest - 12)}…${reason.slice(-11)}`

async function partsOf(shop: WixShop, { order_remote_id: orderId, amount, currency }: WantedRefund): Promise<Fields[]> {
  const digits = digitsOf(currency)
  const body = await askList(shop, '/ecom/v1/order-billing/get-order-refundability', { orderId })
  const payments = recordsIn({ payments: body['payments'] ?? [] }, 'payments').filter(isPayable)
  const parts: Fields[] = []
  let left = amount
  for (const payment of payments.map((one) => fieldsIn(one, 'payment'))) {
    const most = decimal(maybeFields(fieldsIn(payment, 'monetary'), 'maxRefund')?.['amount'] ?? '0', digits)
    const part = compareDecimals(most, left) < 0 ? most : left
    if (compareDecimals(part, '0') <= 0) continue
    parts.push({ paymentId: textIn(payment, 'paymentId'), amount: { amount: part }, externalRefund: false })
    left = minus(left, part, digits)
  }
  if (compareDecimals(left, '0') > 0) throw refused(say('refund_by_provider'))
  return parts
}

/** What was paid by hand, by gift card or by membership has no amount that goes back by itself. */
const isPayable = (one: Fields): boolean =>
  one['refundable'] === true && maybeFields(fieldsIn(one, 'payment'), 'monetary') !== null
