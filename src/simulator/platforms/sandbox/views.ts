import { convert } from '../../amounts.ts'
import { inMicroseconds } from '../../clock.ts'
import type { Product, Variant } from '../../shop/goods.ts'
import type { Address, Parcel, ShopOrder, Stage } from '../../shop/order.ts'

/** The currency that products are priced in. */
export const home = 'EUR'

export const statuses: Readonly<Record<Stage, string>> = {
  unpaid: 'awaiting_payment',
  held: 'on_hold',
  paid: 'awaiting_shipment',
  part_sent: 'partly_shipped',
  sent: 'shipped',
  delivered: 'delivered',
  part_refunded: 'delivered',
  refunded: 'delivered',
  cancelled: 'cancelled',
}

/** What a filter may say, beside the shop's own words. */
export const meanings: Readonly<Record<string, readonly Stage[] | undefined>> = {
  pending: ['unpaid'],
  open: ['paid', 'part_sent'],
  unfulfilled: ['unpaid', 'held', 'paid', 'cancelled'],
  partial: ['part_sent'],
  completed: ['sent', 'delivered', 'part_refunded', 'refunded'],
  fulfilled: ['sent'],
}

export const orderId = (index: number): string => String(1001 + index)
export const orderIndex = (id: string): number => (/^\d{1,9}$/.test(id) ? Number(id) - 1001 : -1)
export const articleId = ({ product, position }: Variant): string => `p${product + 1}-${position + 1}`
export const locationId = (location: number): string => `w${location + 1}`
export const locationIndex = (id: unknown): number => (/^w\d$/.test(String(id)) ? Number(String(id).slice(1)) - 1 : -1)

const addressView = (address: Address) => ({
  name: `${address.firstName} ${address.lastName}`.trim() || null,
  street: address.street || null,
  city: address.city || null,
  zip: address.zip || null,
  country: address.countryCode || null,
})

export const orderView = (order: ShopOrder) => ({
  id: orderId(order.index),
  number: `S-${orderId(order.index)}`,
  status: statuses[order.stage],
  reference: order.reference,
  currency: order.currency,
  goods_total: order.goods,
  discount: order.discount,
  shipping: order.shipping,
  tax: order.tax,
  tax_included: order.taxIncluded,
  total: order.total,
  refunded: order.refunded,
  shipping_method: order.shippingMethod,
  buyer: {
    id: order.buyer.id === null ? null : `c${order.buyer.id}`,
    email: order.buyer.email || null,
    first_name: order.buyer.firstName || null,
    last_name: order.buyer.lastName || null,
    phone: order.buyer.phone || null,
  },
  ship_to: addressView(order.shipTo),
  bill_to: addressView(order.billTo),
  lines: order.lines.map((line) => ({
    id: lineId(order, line.line),
    sku: line.sku,
    title: line.title,
    quantity: line.quantity,
    shipped: line.sent,
    cancelled: line.cancelled,
    unit_price: line.unitPrice,
    discount: line.discount,
    tax: line.tax,
    total: line.total,
  })),
  shipments: order.parcels.map((parcel) => shipmentView(order, parcel)),
  note: order.note,
  acknowledged: order.acknowledgedAt !== null,
  placed_at: inMicroseconds(order.placedAt),
  cancelled_at: order.cancelledAt === null ? null : inMicroseconds(order.cancelledAt),
  cancel_reason: order.cancelReason,
  updated_at: inMicroseconds(order.updatedAt),
})

export const lineId = ({ index }: Pick<ShopOrder, 'index'>, line: number): string => `${orderId(index)}-${line}`

export const shipmentView = (order: Pick<ShopOrder, 'index'>, parcel: Parcel) => ({
  id: `s${orderId(order.index)}-${parcel.parcel}`,
  tracking_number: parcel.trackingNumber,
  carrier: parcel.carrier,
  tracking_url: parcel.trackingUrl,
  shipped_at: inMicroseconds(parcel.sentAt),
  delivered: parcel.delivered,
  lines: parcel.lines.map(({ line, quantity }) => ({ line: lineId(order, line), quantity })),
})

export const productView = (product: Product, variant: Variant) => ({
  id: articleId(variant),
  sku: variant.sku,
  title: product.variants.length > 1 ? `${product.title}, ${variant.title}` : product.title,
  description: product.html || null,
  price: convert(variant.price, home),
  currency: home,
  stock: variant.stock.reduce((sum, count) => sum + count, 0),
  visible: product.status === 'active',
  images: product.images,
  updated_at: inMicroseconds(product.updatedAt),
})

export const levelView = (variant: Variant, location: number) => ({
  id: articleId(variant),
  sku: variant.sku,
  location: locationId(location),
  stock: variant.stock[location] ?? 0,
  updated_at: inMicroseconds(variant.stockUpdatedAt),
})
