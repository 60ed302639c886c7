import {
  type OrderAttribute,
  type OrderReturn,
  type OrderStatus,
  orderStatuses,
  type RemoteOrder,
} from '../../commerce/order.ts'
import type { SyncedParcel } from './parcels/parcel.ts'

/** An order as we hold it, and what may become of it. */

export { type OrderStatus, orderStatuses } from '../../commerce/order.ts'

/**
 * What our callers may do with an order. What the shop does with it is up to the shop, in any direction
 * (`statusAfterSync`); staying where one is counts as no move.
 */
const moves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  UNPAID: ['SHIPPED', 'DELIVERED', 'CANCELLED'],
  ON_HOLD: ['SHIPPED', 'DELIVERED', 'CANCELLED'],
  PENDING: ['ACKNOWLEDGED', 'SHIPPED', 'DELIVERED', 'CANCELLED'],
  ACKNOWLEDGED: ['SHIPPED', 'DELIVERED', 'CANCELLED'],
  SHIPPED: ['DELIVERED'],
  DELIVERED: [],
  REFUNDED: [],
  CANCELLED: [],
}

export const mayMove = (from: OrderStatus, to: OrderStatus): boolean => moves[from].includes(to)

export const isOrderStatus = (text: string): text is OrderStatus => orderStatuses.some((status) => status === text)

/** An order of ours as it stands when the shop reports it. */
export interface HeldStatus {
  status: OrderStatus
  acknowledged: boolean
  /** Moved here, and the shop may not show it yet: it cannot, it has not got to it, or what it reports is older. */
  underWay: boolean
}

/** What the buyer wants of an order that may still be stopped; null where that has not changed. */
export function wishOf(
  held: { cancel_requested: boolean } | null,
  incoming: Pick<SyncedOrder, 'cancel_requested'>,
  status: OrderStatus,
): 'made' | 'withdrawn' | null {
  const was = held?.cancel_requested ?? false
  if (was === incoming.cancel_requested || !beforeShipping.includes(status)) return null
  return was ? 'withdrawn' : 'made'
}

const openReturns: readonly OrderReturn['status'][] = ['unknown', 'requested', 'approved', 'partially_received']

/** Returns that were not there before, or have moved on since. One that is over when it is first seen asks for nothing. */
export const returnNews = (held: readonly OrderReturn[], incoming: readonly OrderReturn[]) =>
  incoming.flatMap(({ remote_id: id, status }) => {
    const before = held.find((one) => one.remote_id === id)
    if (before?.status === status) return []
    return [{ status, isRequest: before === undefined && openReturns.includes(status) }]
  })

const beforeShipping: readonly OrderStatus[] = ['UNPAID', 'ON_HOLD', 'PENDING', 'ACKNOWLEDGED']

/**
 * The status of an order after the shop has reported it. The shop decides, in both directions: paid after all, reopened,
 * shipped and taken back. Only our own change that is still under way is not undone by a report from before it.
 */
export function statusAfterSync(held: HeldStatus, incoming: OrderStatus): OrderStatus {
  if (held.underWay && beforeShipping.includes(incoming)) return held.status
  return incoming === 'PENDING' && held.acknowledged ? 'ACKNOWLEDGED' : incoming
}

/** A line of an order. Amounts are decimal numbers as text, in the currency of the order. */
export interface OrderItem {
  /** The shop's id of the line; null in orders that were made here. */
  remote_id: string | null
  product_remote_id: string | null
  variant_remote_id: string | null
  /** Null where the article has none. */
  sku: string | null
  name: string | null
  variant_name: string | null
  quantity: number
  quantity_fulfilled: number
  quantity_refunded: number
  quantity_cancelled: number
  /** False of what is only paid for; null where nobody has said. */
  requires_shipping: boolean | null
  price: string
  discount: string | null
  tax: string | null
  /** As the shop reckons it; null where it is not known. */
  total: string | null
  /** Left out where there are none. */
  attributes?: readonly OrderAttribute[]
}

/** A line as callers of ours describe it. */
export const ownItem = (line: Pick<OrderItem, 'sku' | 'name' | 'quantity' | 'price'>): OrderItem => ({
  ...line,
  remote_id: null,
  product_remote_id: null,
  variant_remote_id: null,
  variant_name: null,
  quantity_fulfilled: 0,
  quantity_refunded: 0,
  quantity_cancelled: 0,
  requires_shipping: null,
  discount: null,
  tax: null,
  total: null,
})

export interface OrderFee {
  remote_id: string | null
  name: string
  amount: string
  tax: string
}

export interface OrderRefund {
  remote_id: string | null
  amount: string
  reason: string | null
  refunded_at: string | null
  lines: readonly { order_line_remote_id: string; quantity: number; amount: string | null }[]
}

/** What the total is made of, each as a decimal number; null where the shop does not say. */
export interface OrderAmounts {
  subtotal: string | null
  discount_total: string | null
  shipping_total: string | null
  tax_total: string | null
  fee_total: string | null
  refunded_total: string | null
}

/** What only a shop can say about an order; null throughout for one that was made here. */
export interface OrderDetails extends OrderAmounts {
  payment_status: RemoteOrder['payment_status'] | null
  fulfillment_status: RemoteOrder['fulfillment_status'] | null
  hold_reason: string | null
  prices_include_tax: boolean | null
  shipping_method: string | null
  note: string | null
  admin_url: string | null
  ship_by: string | null
  service_level: string | null
  fulfilled_by: RemoteOrder['fulfilled_by']
  sales_channel: string | null
  presentment: RemoteOrder['presentment']
  purchase_order: string | null
  tax_ids: readonly RemoteOrder['tax_ids'][number][]
  attributes: readonly OrderAttribute[]
  tags: readonly string[]
  cancel_requested: boolean
  /** The shop has more of it, which is still to be read. */
  incomplete: boolean
  fees: readonly OrderFee[]
  refunds: readonly OrderRefund[]
  returns: readonly OrderReturn[]
}

/** What is known of an order, wherever it came from. */
interface OrderFacts extends OrderDetails {
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
export interface SyncedOrder extends Omit<OrderFacts, 'returns'> {
  /** Left out where the shop's orders do not tell: what is held stays. */
  returns?: readonly OrderReturn[]
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

export const withoutReasons = (one: OrderReturn): OrderReturn => ({
  ...one,
  lines: one.lines.map((line) => ({ ...line, reason: null })),
})

type Private = Pick<
  SyncedOrder,
  | 'customer'
  | 'billing_address'
  | 'shipping_address'
  | 'note'
  | 'tax_ids'
  | 'attributes'
  | 'tags'
  | 'purchase_order'
  | 'refunds'
  | 'items'
> &
  Pick<Order, 'returns'>

/** What is left of an order without who bought it, where it went, and what was written for or by somebody. */
export const withoutPrivate = ({
  items,
  refunds,
  returns,
}: Pick<Private, 'items' | 'refunds' | 'returns'>): Private => ({
  customer: {},
  billing_address: null,
  shipping_address: null,
  note: null,
  tax_ids: [],
  attributes: [],
  tags: [],
  purchase_order: null,
  refunds: refunds.map((one) => ({ ...one, reason: null })),
  returns: returns.map(withoutReasons),
  items: items.map(({ attributes: _private, ...item }) => item),
})
