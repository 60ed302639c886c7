import { decimal } from '../../amounts.ts'
import { inSeconds, type Moment } from '../../clock.ts'
import type { ShopOrder, Stage } from '../../shop/order.ts'

/** The currency of the shop's books. */
export const books = 'EUR'

type Words = readonly [financial: string, fulfillment: string, fulfillmentOrder: string]

const words: Readonly<Record<Stage, Words>> = {
  unpaid: ['PENDING', 'UNFULFILLED', 'OPEN'],
  held: ['AUTHORIZED', 'ON_HOLD', 'ON_HOLD'],
  paid: ['PAID', 'UNFULFILLED', 'OPEN'],
  part_sent: ['PAID', 'PARTIALLY_FULFILLED', 'IN_PROGRESS'],
  sent: ['PAID', 'FULFILLED', 'CLOSED'],
  delivered: ['PAID', 'FULFILLED', 'CLOSED'],
  part_refunded: ['PARTIALLY_REFUNDED', 'FULFILLED', 'CLOSED'],
  refunded: ['REFUNDED', 'FULFILLED', 'CLOSED'],
  cancelled: ['VOIDED', 'UNFULFILLED', 'CANCELLED'],
}

/** Money may go back before the goods leave. */
export function financialStatus({ stage, refunded, total, captured }: Paid): string {
  if (refunded > 0) return refunded < total ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
  return stage === 'held' && captured > 0 ? 'PARTIALLY_PAID' : words[stage][0]
}
type Paid = Pick<ShopOrder, 'stage' | 'refunded' | 'total' | 'captured'>
export const fulfillmentStatus = (stage: Stage): string => words[stage][1]
export const fulfillmentOrderStatus = (stage: Stage): string => words[stage][2]

/** Goods may go before they are paid for; the order is unpaid then all the same. */
export function fulfillmentOf({ stage, parcels, lines }: ShopOrder): string {
  if (stage !== 'unpaid' || parcels.length === 0) return fulfillmentStatus(stage)
  return lines.every(({ quantity, sent }) => sent === quantity) ? 'FULFILLED' : 'PARTIALLY_FULFILLED'
}

export const remoteStatus = (order: ShopOrder): string =>
  order.stage === 'cancelled' ? 'CANCELLED' : `${financialStatus(order)}/${fulfillmentOf(order)}`

export function orderStatus(order: ShopOrder): string {
  const { stage } = order
  if (stage === 'cancelled') return 'CANCELLED'
  if (fulfillmentOf(order) !== 'FULFILLED') return 'PENDING'
  return stage === 'sent' || stage === 'unpaid' ? 'SHIPPED' : 'DELIVERED'
}

/** "25.00" is told as "25.0". */
export const moneyBag = (units: number) => () => {
  const text = decimal(units, books).replace(/0+$/, '')
  const shopMoney = { amount: text.endsWith('.') ? `${text}0` : text, currencyCode: books }
  return { shopMoney, presentmentMoney: shopMoney }
}

export const maybeTime = (moment: Moment | null): string | null => (moment === null ? null : inSeconds(moment))
