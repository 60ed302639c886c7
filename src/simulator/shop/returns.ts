import { day, type Moment } from '../clock.ts'
import type { Refund, ShopOrder } from './order.ts'
import type { OrderBook } from './order-book.ts'

const undecided = ['requested', 'approved', 'received', 'rejected'] as const

/** Goods that come back, or are to. */
export interface Return extends Pick<Refund, 'reason' | 'lines' | 'at'> {
  order: ShopOrder
  /** Of the whole shop. */
  id: number
  step: (typeof undecided)[number] | 'refunded'
}

/** What was paid back when it came, and of some that arrived one piece: asked for, agreed to, there again, or refused. */
function returnsOf(order: ShopOrder): Return[] {
  const { index, stage, placedAt } = order
  const shared = { order, id: 70_000 + index }
  const [back] = order.refunds.filter(({ returned, lines }) => returned && lines.length > 0)
  if (back) return [{ ...shared, step: 'refunded', at: back.at, reason: back.reason, lines: back.lines }]
  const step = undecided[Math.floor(index / 2) % undecided.length] ?? 'requested'
  if (stage !== 'delivered' || index % 2 === 1) return []
  return [{ ...shared, step, at: placedAt + 12 * day, reason: 'Too small', lines: [{ line: 1, quantity: 1 }] }]
}

/** Of more orders than these nobody looks for returns. */
const maxLooked = 5000

/** Those of the latest orders, oldest first, from a moment on. */
export function listReturns(book: OrderBook, from: Moment = 0): Return[] {
  const now = book.now()
  const numbers = book.byNumber().slice(-maxLooked)
  return [...numbers].flatMap((index) => {
    const order = book.get(index)
    return order ? returnsOf(order).filter(({ at }) => at >= from && at <= now) : []
  })
}
