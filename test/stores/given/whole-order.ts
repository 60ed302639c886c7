import type { OrderStatus } from '../../../src/commerce/order.ts'
import type { GivenStore } from '../../support/given-stores.ts'

/**
 * An order as the shop itself tells it, asked without any code of ours in between, in the words of
 * `GET /api/2.0/app/orders`. Amounts are numbers, so that "12" and "12.00" are the same.
 */
export interface WholeOrder {
  remote_id: string
  number: string
  status: OrderStatus
  remote_status: string
  payment_status: string
  fulfillment_status: string
  hold_reason: string | null
  currency: string
  subtotal: number
  discount_total: number
  shipping_total: number
  tax_total: number
  fee_total: number
  refunded_total: number
  total: number
  prices_include_tax: boolean | null
  shipping_method: string | null
  note: string | null
  admin_url: string | null
  placed_at: string
  customer: Readonly<Record<string, unknown>>
  billing_address: Readonly<Record<string, unknown>> | null
  shipping_address: Readonly<Record<string, unknown>> | null
  items: readonly WholeLine[]
  fees: readonly { remote_id: string | null; name: string; amount: number; tax: number }[]
  refunds: readonly {
    remote_id: string | null
    amount: number
    reason: string | null
    refunded_at: string | null
    lines: readonly { order_line_remote_id: string; quantity: number; amount: number | null }[]
  }[]
}

export interface WholeLine {
  remote_id: string
  product_remote_id: string | null
  variant_remote_id: string | null
  sku: string | null
  name: string
  variant_name: string | null
  quantity: number
  quantity_fulfilled: number
  quantity_refunded: number
  quantity_cancelled: number
  price: number
  discount: number
  tax: number
  total: number
}

/** Who knows how to ask a platform: `records-of-<type>.ts` beside this file. */
export type RecordsOf = (store: GivenStore) => Promise<WholeOrder[]>

const amounts = new Set(
  'subtotal discount_total shipping_total tax_total fee_total refunded_total total price discount tax amount'.split(
    ' ',
  ),
)

/** What is told differently, by its place in the order; what the shop's side does not name is not looked at. */
export function differences(ours: unknown, theirs: unknown, place = ''): string[] {
  if (Array.isArray(theirs)) {
    const list: readonly unknown[] = Array.isArray(ours) ? ours : []
    if (list.length !== theirs.length) return [`${place}: ${list.length} instead of ${theirs.length}`]
    return theirs.flatMap((one, i) => differences(list[i], one, `${place}.${i}`))
  }
  if (typeof theirs === 'object' && theirs !== null) {
    if (typeof ours !== 'object' || ours === null) return [`${place}: ${String(ours)} instead of a record`]
    const held = new Map<string, unknown>(Object.entries(ours))
    return Object.entries(theirs).flatMap(([name, value]) => differences(held.get(name), value, `${place}.${name}`))
  }
  const isAmount = amounts.has(place.slice(place.lastIndexOf('.') + 1)) && ours !== null && theirs !== null
  const same = isAmount ? Math.abs(Number(ours) - Number(theirs)) < 1e-9 : ours === theirs
  return same ? [] : [`${place}: ${JSON.stringify(ours)} instead of ${JSON.stringify(theirs)}`]
}
