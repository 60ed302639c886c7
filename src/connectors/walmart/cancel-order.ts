import type { Write } from '../../commerce/connector.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsIn, fieldsOf, maybeText, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { ask } from './ask.ts'
import { getOrder } from './get-order.ts'
import type { Credentials, Settings, WalmartShop } from './settings.ts'
import { countOf, partsOf } from './statuses.ts'
import { linesIn, toOrder } from './translate-order.ts'

export const cancel: Write<Settings, Credentials, { remoteId: string; reason: string | null }, RemoteOrder> = {
  repeatable: true,
  send,
}

/** Walmart's own; the last is for buyers who have asked for it, and only for them. */
const reasons = [
  'SELLER_CANCEL_OUT_OF_STOCK',
  'SELLER_CANCEL_PRICING_ERROR',
  'SELLER_CANCEL_FRAUD_STOP_SHIPMENT',
  'SELLER_CANCEL_ADDRESS_NOT_SERVICEABLE',
  'CUSTOMER_REQUESTED_SELLER_TO_CANCEL',
]

/** All that is left. What has been sent is beyond it, and then nothing is cancelled at all. */
async function send(
  shop: WalmartShop,
  { remoteId, reason }: { remoteId: string; reason: string | null },
): Promise<RemoteOrder> {
  const order = await getOrder(shop, remoteId)
  if (order === null) throw refused('Walmart has no such order.')
  const lines = linesIn(order).map((line) => ({ line, parts: partsOf(line) }))
  if (lines.some(({ parts }) => countOf(parts, 'Shipped', 'Refund', 'Delivered') > 0)) {
    throw refused('The order has been sent, at least in part.')
  }
  const left = lines.filter(({ parts }) => countOf(parts, 'Created', 'Acknowledged') > 0)
  if (left.length === 0) return toOrder(order)
  const orderLine = left.map(({ line, parts }) => ({
    lineNumber: textIn(line, 'lineNumber'),
    orderLineStatuses: {
      orderLineStatus: [
        {
          status: 'Cancelled',
          cancellationReason: reasonFor(line, reason),
          statusQuantity: {
            unitOfMeasurement: 'EACH',
            amount: String(countOf(parts, 'Created', 'Acknowledged')),
          },
        },
      ],
    },
  }))
  const reported = await ask(shop, {
    method: 'POST',
    path: `/v3/orders/${remoteId}/cancel`,
    body: { orderCancellation: { orderLines: { orderLine } } },
    repeatable: true,
    budget: 'cancel',
  })
  if (reported === null) throw refused('Walmart has no such order.')
  return toOrder(fieldsIn(fieldsOf(reported), 'order'))
}

/** In Walmart's words where the caller used them; otherwise what the buyer asked for, or that there is nothing to send. */
function reasonFor(line: Fields, reported: string | null): string {
  const word = reported?.toUpperCase().replace(/[^A-Z]+/g, '_') ?? ''
  const known = reasons.find((reason) => reason === word || reason === `SELLER_CANCEL_${word}`)
  const isAsked = maybeText(line, 'intentToCancel') !== null
  return known ?? (isAsked ? 'CUSTOMER_REQUESTED_SELLER_TO_CANCEL' : 'SELLER_CANCEL_OUT_OF_STOCK')
}
