import type { SyncedParcel } from './parcel.ts'

/** An order as we hold it, and what may become of it. */

export const orderStatuses = ['PENDING', 'ACKNOWLEDGED', 'SHIPPED', 'DELIVERED', 'CANCELLED'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** The legal moves. Nothing leads out of DELIVERED and CANCELLED; staying where one is counts as no move. */
const moves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  PENDING: ['ACKNOWLEDGED', 'SHIPPED', 'DELIVERED', 'CANCELLED'],
  ACKNOWLEDGED: ['SHIPPED', 'DELIVERED', 'CANCELLED'],
  SHIPPED: ['DELIVERED'],
  DELIVERED: [],
  CANCELLED: [],
}

export const mayMove = (from: OrderStatus, to: OrderStatus): boolean => moves[from].includes(to)

export const isOrderStatus = (text: string): text is OrderStatus => orderStatuses.some((status) => status === text)

/**
 * The status of an order after the shop has reported it. Our own steps (acknowledged, shipped from here) are not undone by a
 * shop that does not know of them yet; a cancellation in the shop is final even for goods on their way.
 */
export function statusAfterSync(held: OrderStatus, incoming: OrderStatus): OrderStatus {
  if (mayMove(held, incoming)) return incoming
  return incoming === 'CANCELLED' && held === 'SHIPPED' ? incoming : held
}

export interface OrderItem {
  sku: string
  name: string | null
  quantity: number
  price: string
}

/** What is known of an order, wherever it came from. */
interface OrderFacts {
  remote_id: string
  number: string | null
  status: OrderStatus
  currency: string
  /** A decimal number as text. */
  total: string
  customer: Record<string, unknown>
  billing_address: Record<string, unknown> | null
  shipping_address: Record<string, unknown> | null
  items: readonly OrderItem[]
  placed_at: string | null
  sandbox: boolean
}

export interface Order extends OrderFacts {
  integration_id: number
  id: number
  /** Null for an order that was made here: the shop does not know it and is not notified of it. */
  remote_version: string | null
  acknowledged_at: string | null
  cancelled_at: string | null
  created_at: string
  updated_at: string
}

/** What a caller may say about an order; the rest is ours or the shop's. */
export interface OrderInput {
  remote_id?: string | null
  number?: string | null
  currency: string
  total: string
  customer?: Record<string, unknown>
  billing_address?: Record<string, unknown> | null
  shipping_address?: Record<string, unknown> | null
  items: readonly OrderItem[]
  placed_at?: string | null
  sandbox?: boolean
}

/** An order as a shop has reported it, ready to be stored. */
export interface SyncedOrder extends OrderFacts {
  remote_status: string | null
  /** Grows with every change in the shop; null where the shop has nothing of the kind. */
  remote_version: string | null
  /** The order as the platform sent it, as JSON: written once, while others are being stored. */
  remote_payload?: string | null
  /** Left out where there are none. */
  parcels?: readonly SyncedParcel[]
}

/** Who moved an order, for its history. */
export type HistorySource = 'api' | 'shop' | 'webhook' | 'shipment'

export const isKnownToShop = (order: Pick<Order, 'remote_version'>): boolean => order.remote_version !== null

/** What stands in the place of what had to be forgotten. */
export const redactedMark = { redacted: true } as const

/** The same order without who bought it and where it went. */
export const withoutCustomer = (order: SyncedOrder): SyncedOrder => ({
  ...order,
  customer: redactedMark,
  billing_address: null,
  shipping_address: null,
  remote_payload: JSON.stringify(redactedMark),
})
