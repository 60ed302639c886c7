import type { Refunds } from '../../../commerce/connector/parts.ts'
import { minus, share, sum, times } from '../../../commerce/decimal.ts'
import { digitsOf } from '../../../commerce/money.ts'
import { givenReason, type WantedRefund } from '../../../commerce/refund.ts'
import { refused } from '../../../commerce/remote.ts'
import { refundOnce } from '../../../commerce/wire/refund-once.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask } from '../ask.ts'
import { getOrder } from '../get-order.ts'
import { orders } from '../orders.ts'
import type { Credentials, Settings, WalmartShop } from '../settings.ts'
import { toOrder } from '../translate-order.ts'

/** Lines that have been sent; what has not is cancelled instead. */
export const refunds: Refunds<Settings, Credentials> = {
  by: ['lines'],
  restock: false,
  paidFor: ({ total, tax }) => sum([total.amount, tax.amount]),
  // A line has one record for all its refunds.
  create: refundOnce(orders, pay, 'last reason'),
}

const reasons = [
  ...['BillingError', 'TaxExemptCustomer', 'ItemNotAsAdvertised', 'IncorrectItemReceived', 'CancelledYetShipped'],
  ...['ItemNotReceivedByCustomer', 'IncorrectShippingPrice', 'DamagedItem', 'DefectiveItem', 'CustomerChangedMind'],
  ...['CustomerReceivedItemLate', 'Others'],
]

async function pay(shop: WalmartShop, refund: WantedRefund): Promise<void> {
  const { order_remote_id: id, currency, lines, reason } = refund
  const raw = await getOrder(shop, id)
  if (raw === null) throw refused(say('no_such_order_at', { platform: 'Walmart' }))
  const sold = new Map(toOrder(raw).lines.map((line) => [line.remote_id, line]))
  const digits = digitsOf(currency)
  const refundReason =
    reasons.find(
      (one) =>
        one.toLowerCase() ===
        givenReason(reason)
          ?.toLowerCase()
          .replace(/[^a-z]/g, ''),
    ) ?? 'Others'
  const back = (amount: string) => ({ currency, amount: -Number(amount) })
  const orderLine = lines.map((part) => {
    const line = sold.get(part.order_line_remote_id)
    if (!line) throw refused(say('no_such_line'))
    const tax = share(times(line.tax.amount, part.quantity, digits), line.quantity, digits)
    const charge = {
      ...{ chargeType: 'PRODUCT', chargeName: 'Item Price', chargeAmount: back(minus(part.amount, tax, digits)) },
      ...(Number(tax) === 0 ? {} : { tax: { taxName: 'Item Price Tax', taxAmount: back(tax) } }),
    }
    return {
      lineNumber: part.order_line_remote_id,
      isFullRefund: part.quantity === line.quantity,
      refunds: {
        refund: [{ refundComments: reason ?? 'Refund', refundCharges: { refundCharge: [{ refundReason, charge }] } }],
      },
    }
  })
  await ask(shop, {
    method: 'POST',
    path: `/v3/orders/${id}/refund`,
    body: { orderRefund: { purchaseOrderId: id, orderLines: { orderLine } } },
    budget: 'refund',
  })
}
