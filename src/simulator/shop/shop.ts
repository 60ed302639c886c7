import type { Clock } from '../clock.ts'
import { createOrderBook } from './order-book.ts'
import { createStockroom } from './stockroom.ts'

export type Shop = ReturnType<typeof openShop>

interface ShopFacts {
  clock: Clock
  seed: number
  orders: number
  products: number
  /** The one currency of its books, if it has but one. */
  books: string | null
  /** Whether no product has more than one variant. */
  simple: boolean
}

export function openShop({ clock, seed, orders, products, books, simple }: ShopFacts) {
  const stockroom = createStockroom({ seed, count: products, simple, clock })
  const book = createOrderBook({ seed, count: orders, goods: stockroom.goods, books, clock })
  return { clock, book, stockroom }
}
