import type { RemoteOrder } from '../order.ts'

/** Where an order stands, in our words and in the platform's. */
export type OrderWords = Pick<RemoteOrder, 'status' | 'payment_status' | 'fulfillment_status' | 'remote_status'>

/**
 * Those of a page that are in one of these states, by our words or the platform's: its own filters divide orders otherwise
 * than we do, so each is looked at. None named: all of them. What is beyond us stays in: whoever translates it will say so.
 */
export function wantedOrders<Raw>(
  orders: readonly Raw[],
  statuses: readonly string[],
  translate: (raw: Raw) => OrderWords,
): readonly Raw[] {
  if (statuses.length === 0) return orders
  const wanted = new Set(statuses.map((status) => status.toLowerCase()))
  return orders.filter((raw) => {
    try {
      const { status, payment_status: paid, fulfillment_status: sent, remote_status: theirs } = translate(raw)
      return [status, paid, sent, theirs.toLowerCase()].some((word) => wanted.has(word))
    } catch {
      return true
    }
  })
}
