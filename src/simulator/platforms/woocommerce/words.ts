import { customStatusOf, type ShopOrder, type Stage } from '../../shop/order.ts'
import type { OrderBook } from '../../shop/order-book.ts'

/** Names and notes are HTML: signs are kept as entities. */
export const asHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** How addresses name a value that all products share. */
export const slugOf = (text: string): string =>
  encodeURIComponent(text.toLowerCase().replaceAll(' ', '-')).toLowerCase()

const statuses: Readonly<Record<Stage, string>> = {
  unpaid: 'pending',
  held: 'on-hold',
  paid: 'processing',
  part_sent: 'processing',
  sent: 'completed',
  delivered: 'completed',
  part_refunded: 'completed',
  refunded: 'refunded',
  cancelled: 'cancelled',
}

/** What a status that is set from outside makes of an order. */
export const stageFor: Readonly<Record<string, Stage | undefined>> = {
  pending: 'unpaid',
  'on-hold': 'held',
  processing: 'paid',
  completed: 'sent',
  refunded: 'refunded',
  cancelled: 'cancelled',
}

/** All that a shop knows, its own one among them. */
export const allStatuses = [...Object.keys(stageFor), 'failed', 'checkout-draft', 'awaiting-pickup']

export const statusOf = ({ stage, customStatus, refunded, total }: ShopOrder): string =>
  refunded > 0 && refunded >= total ? 'refunded' : (customStatus ?? statuses[stage])

/** The same without looking at the order, where that is not needed. */
export function statusAt(book: OrderBook, index: number): string {
  const stage = book.stageAt(index)
  return (customStatusOf(index, stage) && book.get(index)?.customStatus) ?? statuses[stage]
}
