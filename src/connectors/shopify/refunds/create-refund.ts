import type { Refunds } from '../../../commerce/connector/parts.ts'
import { compareDecimals, decimal, minus } from '../../../commerce/decimal.ts'
import { digitsOf } from '../../../commerce/money.ts'
import type { RemoteOrder } from '../../../commerce/order.ts'
import { type Fields, fieldsIn, maybeFields, recordsIn, textIn } from '../../../commerce/reading.ts'
import { paidFor, type WantedLineCancellation, type WantedRefund } from '../../../commerce/refund.ts'
import { refused } from '../../../commerce/remote.ts'
import { cancelLinesOnce, refundOnce } from '../../../commerce/wire/refund-once.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask, change, nodesIn } from '../ask.ts'
import { createRefund, refundFacts } from '../documents/refunds.ts'
import { getOrder } from '../orders.ts'
import type { Credentials, Settings, ShopifyShop } from '../settings.ts'
import { toOrder } from '../translate-order.ts'

const reading = { get: getOrder, translate: toOrder }

export const refunds: Refunds<Settings, Credentials> = {
  by: ['amount', 'lines'],
  restock: true,
  paidFor,
  create: refundOnce(reading, pay),
}

/** Lines are called off by a refund of them that pays nothing back. */
export const cancelLines = cancelLinesOnce(reading, callOff)

interface Standing {
  order: RemoteOrder
  /** Of the buyer's money; amounts that we know are in the currency of the shop's books. */
  currency: string
  /** Where goods would go back to. */
  place: string | null
  payments: readonly { id: string; gateway: string; left: string }[]
}

async function standing(shop: ShopifyShop, id: string): Promise<Standing> {
  const raw = await getOrder(shop, id)
  const facts = raw && maybeFields(await ask(shop, refundFacts, { id }), 'order')
  if (!raw || !facts) throw refused(say('no_such_order'))
  const order = toOrder(raw, shop)
  const [part] = nodesIn(facts, 'fulfillmentOrders')
  const location = part ? maybeFields(fieldsIn(part, 'assignedLocation'), 'location') : null
  return {
    order,
    currency: textIn(facts, 'presentmentCurrencyCode'),
    place: location && textIn(location, 'id'),
    payments: recordsIn(facts, 'transactions').flatMap((one) => paymentOf(one, order.currency)),
  }
}

function paymentOf(transaction: Fields, currency: string): Standing['payments'] {
  const isPayment = transaction['kind'] === 'SALE' || transaction['kind'] === 'CAPTURE'
  const left = maybeFields(transaction, 'maximumRefundableV2')
  if (!isPayment || transaction['status'] !== 'SUCCESS' || !left) return []
  const amount = decimal(left['amount'], digitsOf(currency))
  return [{ id: textIn(transaction, 'id'), gateway: textIn(transaction, 'gateway'), left: amount }]
}

async function pay(shop: ShopifyShop, refund: WantedRefund, operation: { id: string }): Promise<void> {
  const { order_remote_id: orderId, amount, lines, restock } = refund
  const { order, currency, place, payments } = await standing(shop, orderId)
  if (currency !== order.currency) throw refused(say('paid_in', { currency }))
  await change(shop, createRefund, {
    key: operation.id,
    input: {
      ...wordsOf(shop, refund),
      refundLineItems: lines.map(({ order_line_remote_id: line, quantity }) => {
        const isSent = order.lines.some((one) => one.remote_id === line && one.quantity_fulfilled > 0)
        const back = { restockType: isSent ? 'RETURN' : 'CANCEL', ...(place === null ? {} : { locationId: place }) }
        return { lineItemId: line, quantity, ...(restock ? back : { restockType: 'NO_RESTOCK' }) }
      }),
      transactions: spread(amount, payments, digitsOf(order.currency)).map(({ id, gateway, part }) => ({
        ...{ orderId, parentId: id, gateway, kind: 'REFUND', amount: part },
      })),
    },
  })
}

/** What is said about lines that are paid back, or called off. */
const wordsOf = (
  { settings }: ShopifyShop,
  { order_remote_id: orderId, reason, notify_customer: notify }: Omit<WantedLineCancellation, 'lines'>,
) => ({
  ...{ orderId, notify: notify ?? settings.notify_customers ?? false },
  ...(reason === null ? {} : { note: reason }),
})

/** Over the payments in their order, as much as each of them can give. */
export function spread<Payment extends { left: string }>(amount: string, payments: readonly Payment[], digits: number) {
  let missing = amount
  const parts: (Payment & { part: string })[] = []
  for (const payment of payments) {
    const part = compareDecimals(payment.left, missing) < 0 ? payment.left : missing
    if (compareDecimals(part, '0') <= 0) continue
    parts.push({ ...payment, part })
    missing = minus(missing, part, digits)
  }
  if (compareDecimals(missing, '0') > 0) throw refused(say('payments_too_small'))
  return parts
}

async function callOff(
  shop: ShopifyShop,
  cancellation: WantedLineCancellation,
  operation: { id: string },
): Promise<void> {
  const { place } = await standing(shop, cancellation.order_remote_id)
  await change(shop, createRefund, {
    key: operation.id,
    input: {
      ...wordsOf(shop, cancellation),
      refundLineItems: cancellation.lines.map(({ order_line_remote_id: lineItemId, quantity }) => ({
        ...{ lineItemId, quantity, restockType: place === null ? 'NO_RESTOCK' : 'CANCEL' },
        ...(place === null ? {} : { locationId: place }),
      })),
      transactions: [],
    },
  })
}
