import type { CountChange } from '../../runtime/db/lists/row-counters.ts'
import type { OrderStatus } from './order.ts'

/** What decides which lists an order is in. */
export interface OrderPlace {
  id: number
  status: OrderStatus
  acknowledged: boolean
  sandbox: boolean
  deleted: boolean
}

export const allOrders = 'orders'
export const openOrders = 'orders:open'
export const acknowledgedOrders = 'orders:acknowledged'
export const sandboxOrders = 'orders:sandbox'
export const ordersWith = (status: OrderStatus) => `orders:${status}`

function listsOf(place: OrderPlace | null): string[] {
  if (!place || place.deleted) return []
  const lists = [allOrders, place.acknowledged ? acknowledgedOrders : openOrders, ordersWith(place.status)]
  if (place.sandbox) lists.push(sandboxOrders)
  return lists
}

/** What a change of one order does to the counters; null is an order that did not exist. */
export function countOrder(before: OrderPlace | null, after: OrderPlace): CountChange[] {
  const left = listsOf(before)
  const entered = listsOf(after)
  return [
    ...left.filter((kind) => !entered.includes(kind)).map((kind) => ({ kind, id: after.id, by: -1 as const })),
    ...entered.filter((kind) => !left.includes(kind)).map((kind) => ({ kind, id: after.id, by: 1 as const })),
  ]
}
