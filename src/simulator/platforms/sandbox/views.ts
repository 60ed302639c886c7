import { convert } from '../../amounts.ts'
import { inMicroseconds } from '../../clock.ts'
import type { ShopCustomer } from '../../shop/customers.ts'
import { totalOf, type Variant } from '../../shop/goods.ts'
import type { Address, Buyer, Parcel, ShopOrder, Stage } from '../../shop/order.ts'
import type { Article } from '../../shop/stockroom.ts'

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

export const orderId = (index: number): string => String(1001 + index)
export const orderIndex = (id: string): number => (/^\d{1,9}$/.test(id) ? Number(id) - 1001 : -1)
export const articleId = ({ product, position }: Variant): string => `p${product + 1}-${position + 1}`
export const locationId = (location: number): string => `w${location + 1}`
export const locationIndex = (id: unknown): number => (/^w\d$/.test(String(id)) ? Number(String(id).slice(1)) - 1 : -1)

const addressView = ({ firstName, lastName, street, city, zip, countryCode }: Address) => ({
  name: `${firstName} ${lastName}`.trim() || null,
  ...{ street: street || null, city: city || null, zip: zip || null, country: countryCode || null },
})

export const orderView = (order: ShopOrder) => ({
  ...{ id: orderId(order.index), number: `S-${orderId(order.index)}`, status: statuses[order.stage] },
  ...{ reference: order.reference, currency: order.currency, note: order.note },
  ...{ staff_notes: order.notes, tags: order.tags },
  ...{ goods_total: order.goods, discount: order.discount, shipping: order.shipping, total: order.total },
  ...{ tax: order.tax, tax_included: order.taxIncluded, refunded: order.refunded },
  captured: order.captured,
  shipping_method: order.shippingMethod,
  buyer: buyerView(order.buyer),
  ship_to: addressView(order.shipTo),
  bill_to: addressView(order.billTo),
  lines: order.lines.map(({ line, sku, title, quantity, discount, tax, total, ...rest }) => ({
    ...{ id: lineId(order, line), sku, title, quantity, shipped: rest.sent, cancelled: rest.cancelled },
    ...{ unit_price: rest.unitPrice, discount, tax, total },
  })),
  refunds: order.refunds.map(({ refund, amount, reason, at, lines, returned }) => ({
    ...{ id: `r${orderId(order.index)}-${refund}`, amount, reason, restocked: returned, made_at: inMicroseconds(at) },
    lines: lines.map(({ line, quantity }) => ({ line: lineId(order, line), quantity })),
  })),
  shipments: order.parcels.map((parcel) => shipmentView(order, parcel)),
  acknowledged: order.acknowledgedAt !== null,
  placed_at: inMicroseconds(order.placedAt),
  cancelled_at: order.cancelledAt === null ? null : inMicroseconds(order.cancelledAt),
  cancel_reason: order.cancelReason,
  updated_at: inMicroseconds(order.updatedAt),
})

const buyerView = ({ id, email, firstName, lastName, phone }: Buyer) => ({
  ...{ id: id === null ? null : `c${id}`, email: email || null, phone: phone || null },
  ...{ first_name: firstName || null, last_name: lastName || null },
})

export const customerView = ({ id, orders, address, createdAt, updatedAt, ...buyer }: ShopCustomer) => ({
  ...{ ...buyerView({ id, ...buyer }), id: `c${id}`, orders, address: addressView(address) },
  ...{ created_at: inMicroseconds(createdAt), updated_at: inMicroseconds(updatedAt) },
})

export const lineId = ({ index }: Pick<ShopOrder, 'index'>, line: number): string => `${orderId(index)}-${line}`

export const shipmentView = (order: Pick<ShopOrder, 'index'>, parcel: Parcel) => ({
  ...{ id: `s${orderId(order.index)}-${parcel.parcel}`, tracking_number: parcel.trackingNumber },
  ...{ carrier: parcel.carrier, tracking_url: parcel.trackingUrl, delivered: parcel.delivered },
  shipped_at: inMicroseconds(parcel.sentAt),
  lines: parcel.lines.map(({ line, quantity }) => ({ line: lineId(order, line), quantity })),
})

export const productView = ({ product, variant }: Article) => ({
  ...{ id: articleId(variant), sku: variant.sku, images: product.images, currency: home },
  title: product.variants.length > 1 ? `${product.title}, ${variant.title}` : product.title,
  description: product.html || null,
  price: convert(variant.price, home),
  compare_at: variant.compareAt === null ? null : convert(variant.compareAt, home),
  stock: totalOf(variant),
  visible: product.status === 'active',
  updated_at: inMicroseconds(product.updatedAt),
})

/** Without a place it is all that there is. */
export const levelView = (variant: Variant, at: number | null) => ({
  ...{ id: articleId(variant), sku: variant.sku, location: at === null ? null : locationId(at) },
  stock: at === null ? totalOf(variant) : (variant.stock[at] ?? 0),
  updated_at: inMicroseconds(variant.stockUpdatedAt),
})
