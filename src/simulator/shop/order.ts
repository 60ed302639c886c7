import type { Moment } from '../clock.ts'

/** How far an order has come. Every dialect has its own words for these. */
export const stages = [
  'unpaid',
  'held',
  'paid',
  'part_sent',
  'sent',
  'delivered',
  'part_refunded',
  'refunded',
  'cancelled',
] as const
export type Stage = (typeof stages)[number]

export interface Buyer {
  /** Null is a guest. */
  id: number | null
  firstName: string
  lastName: string
  email: string
  phone: string
}

export interface Address {
  firstName: string
  lastName: string
  company: string | null
  street: string
  extra: string | null
  city: string
  region: string
  regionCode: string
  zip: string
  country: string
  countryCode: string
  phone: string
}

/** What does not change once an order has been placed. Amounts are in the smallest coin of `currency`. */
export interface OrderBase {
  currency: string
  /** What the buyer saw, where the shop keeps its books in another currency. */
  presentment: string
  taxIncluded: boolean
  taxRate: number
  buyer: Buyer
  shipTo: Address
  billTo: Address
  lines: readonly BaseLine[]
  shipping: number
  shippingMethod: string
  note: string | null
  tags: readonly string[]
  /** The reference of whoever made the order from outside. */
  reference: string | null
}

export interface BaseLine {
  product: number | null
  position: number
  sku: string
  title: string
  variantTitle: string
  quantity: number
  unitPrice: number
  /** Of the whole line. */
  discount: number
  /** Of the whole line, where somebody has said so; by the rate otherwise. */
  tax?: number
}

export interface OrderLine extends BaseLine {
  /** From 1, within the order. */
  line: number
  sent: number
  cancelled: number
  /** Paid back for, whether the goods came back or not. */
  refunded: number
  /** Of the whole line, after discount: contained in the price or on top of it, as the order says. */
  tax: number
  total: number
}

export interface Parcel {
  /** From 1, within the order. */
  parcel: number
  carrierCode: string
  carrier: string
  trackingNumber: string
  trackingUrl: string | null
  sentAt: Moment
  /** Made up and labelled, but not gone yet: some platforms tell the two apart. */
  packed?: boolean
  delivered: boolean
  place: number
  /** Told by an outsider, not sent by the shop itself. */
  outside: boolean
  /** What the sender called it. */
  reference: string | null
  lines: readonly { line: number; quantity: number }[]
}

/** Money that went back to the buyer. */
export interface Refund {
  /** From 1, within the order. */
  refund: number
  amount: number
  at: Moment
  reason: string
  /** What it was for; nothing for money as a courtesy. */
  lines: readonly { line: number; quantity: number }[]
  /** Whether the goods came back with it. */
  returned: boolean
  /** What outsiders hung on it. */
  meta?: readonly Record<string, unknown>[]
}

export interface ShopOrder extends Omit<OrderBase, 'lines'> {
  index: number
  stage: Stage
  version: number
  placedAt: Moment
  updatedAt: Moment
  lines: readonly OrderLine[]
  parcels: readonly Parcel[]
  goods: number
  discount: number
  tax: number
  total: number
  refunded: number
  refunds: readonly Refund[]
  /** A status that a plug-in of this shop has invented, where its platform lets it; such an order is paid and open. */
  customStatus: string | null
  cancelledAt: Moment | null
  cancelReason: string | null
  acknowledgedAt: Moment | null
  acknowledgeBy: Moment
  /** Where a platform says so of an order that is on hold. */
  paidBefore: boolean
  /** What was taken of money that is otherwise only reserved. */
  captured: number
  /** Of the people at the shop. */
  notes: readonly string[]
  /** Notes and fields that outsiders hung on it. */
  meta: readonly { key: string; value: string }[]
}

export const isSent = (stage: Stage): boolean =>
  stage === 'sent' || stage === 'delivered' || stage === 'part_refunded' || stage === 'refunded'

/** Some paid orders wait in a status of the shop's own making. */
export const customStatusOf = (index: number, stage: Stage): string | null =>
  stage === 'paid' && index % 13 === 5 ? 'awaiting-pickup' : null
