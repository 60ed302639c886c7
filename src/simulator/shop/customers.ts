import type { Moment } from '../clock.ts'
import type { Address, Buyer } from './order.ts'
import type { OrderBook } from './order-book.ts'

/** Somebody with an account. */
export interface ShopCustomer extends Buyer {
  id: number
  address: Address
  orders: number
  createdAt: Moment
  updatedAt: Moment
}

/** Who has bought something with an account, as of the last time; the longest unchanged first. */
export function customersOf(book: OrderBook): readonly ShopCustomer[] {
  const known = new Map<number, ShopCustomer>()
  for (let index = 0; index < book.size(); index++) {
    const order = book.get(index)
    const id = order?.buyer.id
    if (!order || id == null) continue
    const before = known.get(id)
    const facts = {
      orders: (before?.orders ?? 0) + 1,
      createdAt: Math.min(before?.createdAt ?? order.placedAt, order.placedAt),
    }
    const newest = !before || before.updatedAt <= order.placedAt
    const own = newest ? { ...order.buyer, address: order.billTo, updatedAt: order.placedAt } : before
    known.set(id, { ...own, id, ...facts })
  }
  return [...known.values()].sort((a, b) => a.updatedAt - b.updatedAt || a.id - b.id)
}
