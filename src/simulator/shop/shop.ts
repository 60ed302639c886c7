import type { Clock } from '../clock.ts'
import type { PlatformFacts, Settings } from '../options.ts'
import { createOrderBook } from './order-book.ts'
import { createStockroom } from './stockroom.ts'
import { createOrderWork } from './work-on-order.ts'

export type Shop = ReturnType<typeof openShop>

export function openShop(
  clock: Clock,
  seed: number,
  { orders, products, story, historyEnds, variant }: Settings,
  facts: PlatformFacts,
) {
  const { currency: books, simple = false } = facts
  const stockroom = createStockroom({ seed, count: products, simple, story, clock, twins: variant['skus'] === 'twice' })
  const book = createOrderBook({ seed, count: orders, goods: stockroom.goods, books, story, historyEnds, clock })
  return { clock, book, stockroom, work: createOrderWork(book, stockroom, clock) }
}
