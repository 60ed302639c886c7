import type { Refunds } from '../../commerce/connector/parts.ts'
import { share, times } from '../../commerce/decimal.ts'
import { digitsOf } from '../../commerce/money.ts'
import type { OrderLine, RemoteOrder } from '../../commerce/order.ts'
import { type Fields, idIn, numberIn, recordsIn } from '../../commerce/reading.ts'
import type { WantedLineCancellation, WantedRefund } from '../../commerce/refund.ts'
import { refused } from '../../commerce/remote.ts'
import { cancelLinesOnce, refundOnce } from '../../commerce/wire/refund-once.ts'
import { say } from '../../commerce/words/say.ts'
import { unitsOf } from './amounts.ts'
import { change } from './ask.ts'
import { cancelMutation, refundMutation } from './documents/orders.ts'
import { getOrder } from './orders.ts'
import type { Credentials, Settings, VendureShop } from './settings.ts'
import { toOrder } from './translate-order.ts'

const reading = { get: getOrder, translate: toOrder }

/** Goods go back into stock when they are cancelled, not when they are paid back. */
export const refunds: Refunds<Settings, Credentials> = {
  by: ['amount', 'lines'],
  restock: false,
  paidFor,
  create: refundOnce(reading, pay),
}

export const cancelLines = cancelLinesOnce(reading, callOff)

/** A line is told as what is left of it after cancellations; of what has been cancelled altogether only the price is known. */
function paidFor(line: OrderLine, { currency }: RemoteOrder): string {
  const { quantity, total, unit_price: price } = line
  const digits = digitsOf(currency)
  const left = quantity - line.quantity_cancelled
  return left === 0 ? times(price.amount, quantity, digits) : share(times(total.amount, quantity, digits), left, digits)
}

async function pay(shop: VendureShop, { order_remote_id: id, amount, lines, reason }: WantedRefund): Promise<void> {
  const order = await getOrder(shop, id)
  if (order === null) throw refused(say('no_such_order'))
  const units = unitsOf(amount, shop)
  if (units === null) throw refused(say('amount_too_fine'))
  const payment = recordsIn({ rows: order['payments'] ?? [] }, 'rows').find((one) => leftOf(one) >= units)
  if (!payment) throw refused(say('refund_in_parts'))
  const input = {
    paymentId: idIn(payment, 'id'),
    amount: units,
    lines: lines.map(toInput),
    ...{ shipping: 0, adjustment: 0 },
    ...(reason === null ? {} : { reason }),
  }
  await change(shop, 'refundOrder', refundMutation, { input })
}

/** What has not gone back of a payment that was made. */
function leftOf(payment: Fields): number {
  if (payment['state'] !== 'Settled') return 0
  const refunds = recordsIn({ rows: payment['refunds'] ?? [] }, 'rows').filter(({ state }) => state !== 'Failed')
  return refunds.reduce((left, refund) => left - numberIn(refund, 'total'), numberIn(payment, 'amount'))
}

async function callOff(shop: VendureShop, cancellation: WantedLineCancellation): Promise<void> {
  const { order_remote_id: orderId, lines, reason } = cancellation
  const input = { orderId, lines: lines.map(toInput), ...(reason === null ? {} : { reason }) }
  await change(shop, 'cancelOrder', cancelMutation, { input })
}

const toInput = ({
  order_line_remote_id: orderLineId,
  quantity,
}: {
  order_line_remote_id: string
  quantity: number
}) => ({
  orderLineId,
  quantity,
})
