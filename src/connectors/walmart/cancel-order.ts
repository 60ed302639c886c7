import type { Write } from '../../commerce/connector/parts.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsIn, fieldsOf, textIn } from '../../commerce/reading.ts'
import type { WantedLineCancellation } from '../../commerce/refund.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { ask } from './ask.ts'
import { getOrder } from './get-order.ts'
import type { Credentials, Settings, WalmartShop } from './settings.ts'
import { countOf, partsOf } from './statuses.ts'
import { isSentByWalmart, isUnwanted, linesIn, toOrder } from './translate-order.ts'

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
  const order = await ownOrder(shop, remoteId)
  const all = linesIn(order).map((line) => ({ line, parts: partsOf(line) }))
  if (all.some(({ parts }) => countOf(parts, 'Shipped', 'Refund', 'Delivered') > 0)) {
    throw refused(say('sent_in_part'))
  }
  const left = all.filter(({ parts }) => countOf(parts, 'Created', 'Acknowledged') > 0)
  if (left.length === 0) return toOrder(order)
  const lines = left.map(({ line, parts }) => cancelled(line, countOf(parts, 'Created', 'Acknowledged'), reason))
  return toOrder(await sendLines(shop, remoteId, lines, { repeatable: true }))
}

/** One that the seller sends: those of Walmart's own warehouse cannot be called off here. */
async function ownOrder(shop: WalmartShop, remoteId: string): Promise<Fields> {
  const order = await getOrder(shop, remoteId)
  if (order === null) throw refused(say('no_such_order_at', { platform: 'Walmart' }))
  if (isSentByWalmart(order)) throw refused(say('own_warehouse_cancels', { platform: 'Walmart' }))
  return order
}

/** So many of single lines. */
export async function callOff(
  shop: WalmartShop,
  { order_remote_id: id, lines, reason }: WantedLineCancellation,
): Promise<void> {
  const order = await ownOrder(shop, id)
  const wanted = lines.map(({ order_line_remote_id: number, quantity }) => {
    const line = linesIn(order).find((one) => textIn(one, 'lineNumber') === number)
    if (!line) throw refused(say('no_such_line'))
    return cancelled(line, quantity, reason)
  })
  await sendLines(shop, id, wanted, {})
}

const cancelled = (line: Fields, quantity: number, reason: string | null) => ({
  lineNumber: textIn(line, 'lineNumber'),
  orderLineStatuses: {
    orderLineStatus: [
      {
        status: 'Cancelled',
        cancellationReason: reasonFor(line, reason),
        statusQuantity: { unitOfMeasurement: 'EACH', amount: String(quantity) },
      },
    ],
  },
})

/** The order as it is after it. */
async function sendLines(
  shop: WalmartShop,
  id: string,
  orderLine: readonly ReturnType<typeof cancelled>[],
  how: { repeatable?: boolean },
): Promise<Fields> {
  const reported = await ask(shop, {
    method: 'POST',
    path: `/v3/orders/${id}/cancel`,
    body: { orderCancellation: { orderLines: { orderLine } } },
    ...how,
    budget: 'cancel',
  })
  if (reported === null) throw refused(say('no_such_order_at', { platform: 'Walmart' }))
  return fieldsIn(fieldsOf(reported), 'order')
}

/** In Walmart's words where the caller used them; otherwise what the buyer asked for, or that there is nothing to send. */
function reasonFor(line: Fields, reported: string | null): string {
  const word = reported?.toUpperCase().replace(/[^A-Z]+/g, '_') ?? ''
  const known = reasons.find((reason) => reason === word || reason === `SELLER_CANCEL_${word}`)
  return known ?? (isUnwanted(line) ? 'CUSTOMER_REQUESTED_SELLER_TO_CANCEL' : 'SELLER_CANCEL_OUT_OF_STOCK')
}
