import type { Refunds } from '../../../commerce/connector/parts.ts'
import { fieldsOf, maybeText } from '../../../commerce/reading.ts'
import type { WantedRefund } from '../../../commerce/refund.ts'
import { refused } from '../../../commerce/remote.ts'
import { refundOnce } from '../../../commerce/wire/refund-once.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask, fulfillment } from '../ask.ts'
import { orders } from '../orders.ts'
import type { Credentials, EbayShop, Settings } from '../settings.ts'

/** Tax that eBay has collected goes back by itself: amounts are the seller's own. */
export const refunds: Refunds<Settings, Credentials> = {
  by: ['amount', 'lines'],
  restock: false,
  paidFor: ({ total }) => total.amount,
  // Its orders tell amount and time of a refund, and nothing that we could name it by.
  create: refundOnce(orders, pay, 'nothing'),
}

/** eBay's own; anything else is a comment. */
const reasons = [
  'BUYER_CANCEL',
  'SELLER_CANCEL',
  'ITEM_NOT_RECEIVED',
  'BUYER_RETURN',
  'ITEM_NOT_AS_DESCRIBED',
  'SHIPPING_DISCOUNT',
]

async function pay(shop: EbayShop, refund: WantedRefund): Promise<void> {
  const { order_remote_id: id, amount, currency, lines, reason } = refund
  const word = reason?.toUpperCase().replace(/[^A-Z]+/g, '_') ?? ''
  const known = reasons.find((one) => one === word)
  const body = {
    reasonForRefund: known ?? 'OTHER_ADJUSTMENT',
    ...(reason === null || known ? {} : { comment: reason.slice(0, 100) }),
    ...(lines.length > 0
      ? {
          refundItems: lines.map((line) => ({
            lineItemId: line.order_line_remote_id,
            refundAmount: { value: line.amount, currency },
          })),
        }
      : { orderLevelRefundAmount: { value: amount, currency } }),
  }
  const path = `${fulfillment}/order/${encodeURIComponent(id)}/issue_refund`
  const made = fieldsOf(await ask(shop, { method: 'POST', path, body }))
  if (maybeText(made, 'refundStatus') === 'FAILED') throw refused(say('refund_not_made', { platform: 'eBay' }))
}
