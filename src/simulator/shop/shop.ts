import type { Clock } from '../clock.ts'
import { createOrderBook, type OrderBook } from './order-book.ts'
import { createStockroom, type Stockroom } from './stockroom.ts'

export interface Shop {
  clock: Clock
  book: OrderBook
  stockroom: Stockroom
}

interface ShopFacts {
  clock: Clock
  seed: number
  orders: number
  products: number
  /** The one currency of its books, if it has but one. */
  books: string | null
}

export function openShop({ clock, seed, orders, products, books }: ShopFacts): Shop {
  const stockroom = createStockroom({ seed, count: products, clock })
  const book = createOrderBook({ seed, count: orders, goods: stockroom.goods, books, clock })
  return { clock, book, stockroom }
}
