import { convert, digitsOf } from '../../amounts.ts'
import { inMicroseconds } from '../../clock.ts'
import { locations, type Product, type Variant } from '../../shop/goods.ts'
import type { Address, OrderLine, Parcel, ShopOrder } from '../../shop/order.ts'
import { itemIdOf, nodeIdOf, orderIdOf } from './ids.ts'
import { statusOf } from './words.ts'

/** Money is whole numbers with the place of the point: {value: 3325, scale: 2} is 33.25. */
const money = (value: number, currency: string) => ({ value, scale: digitsOf(currency), currency })

export const home = 'EUR'

const addressView = (place: Address) => ({
  name: `${place.firstName} ${place.lastName}`,
  company: place.company,
  address1: place.street,
  address2: place.extra,
  city: place.city,
  state: place.regionCode,
  postalCode: place.zip,
  countryCode: place.countryCode,
  phone: place.phone,
})

export function orderView(order: ShopOrder) {
  const { currency, index, placedAt, updatedAt } = order
  const status = statusOf(order)
  // Until it is released an order hides who bought and where it goes.
  const hidden = status === 'PENDING'
  return {
    orderId: orderIdOf(index),
    status,
    revision: order.version,
    marketplace: `MKT-${order.shipTo.countryCode || 'DE'}`,
    purchasedAt: inMicroseconds(placedAt),
    lastUpdatedAt: inMicroseconds(updatedAt),
    acknowledgeBy: inMicroseconds(order.acknowledgeBy),
    acknowledgedAt: order.acknowledgedAt === null ? null : inMicroseconds(order.acknowledgedAt),
    cancelledAt: order.cancelledAt === null ? null : inMicroseconds(order.cancelledAt),
    cancelReason: order.cancelReason,
    shipBy: inMicroseconds(order.acknowledgeBy + 2 * 86_400_000_000),
    shippingService: order.shippingMethod.toUpperCase(),
    buyer: hidden
      ? null
      : {
          alias: `${orderIdOf(index)}@buyers.market.example`,
          name: `${order.buyer.firstName} ${order.buyer.lastName}`,
        },
    shipTo: hidden ? null : addressView(order.shipTo),
    charges: {
      goods: money(order.goods, currency),
      discount: money(order.discount, currency),
      shipping: money(order.shipping, currency),
      tax: money(order.tax, currency),
      taxIncluded: order.taxIncluded,
      total: money(order.total, currency),
      refunded: money(order.refunded, currency),
    },
    lines: order.lines.map((line) => lineView(order, line)),
    packages: order.parcels.map((parcel) => packageView(order, parcel)),
    sellerNote: order.note,
  }
}

const lineView = (order: ShopOrder, line: OrderLine) => ({
  lineId: `${order.index + 1}-${line.line}`,
  sku: line.sku,
  itemId: line.product === null ? null : itemIdOf(line.product),
  title: line.title,
  variation: line.variantTitle === 'Default Title' ? null : line.variantTitle,
  quantity: line.quantity,
  shipped: line.sent,
  cancelled: line.cancelled,
  unitPrice: money(line.unitPrice, order.currency),
  discount: money(line.discount, order.currency),
  tax: money(line.tax, order.currency),
  total: money(line.total, order.currency),
})

export const packageView = (order: ShopOrder, parcel: Parcel) => ({
  packageReference: parcel.reference ?? `P${parcel.parcel}`,
  status: parcel.delivered ? 'DELIVERED' : 'SHIPPED',
  carrier: parcel.carrier,
  trackingNumber: parcel.trackingNumber,
  trackingUrl: parcel.trackingUrl,
  shippedAt: inMicroseconds(parcel.sentAt),
  node: nodeIdOf(parcel.place),
  lines: parcel.lines.map(({ line, quantity }) => ({ lineId: `${order.index + 1}-${line}`, quantity })),
})

/** Every variant is an item of its own; those of one product share a group. */
export function itemView(product: Product, variant: Variant) {
  return {
    sku: variant.sku,
    itemId: itemIdOf(product.index),
    group: product.variants.length > 1 ? itemIdOf(product.index) : null,
    title: product.title,
    variation: variant.options.map(({ name, value }) => ({ name, value })),
    description: product.html,
    brand: product.vendor,
    category: product.type,
    state: product.status === 'active' ? 'PUBLISHED' : product.status === 'draft' ? 'DRAFT' : 'RETIRED',
    gtin: variant.barcode,
    price: money(convert(variant.price, home), home),
    images: product.images.map(({ url }) => url),
    revision: product.version,
    lastUpdatedAt: inMicroseconds(product.updatedAt),
  }
}

export const levelView = (variant: Variant) => ({
  sku: variant.sku,
  nodes: locations.map((_, place) => ({ node: nodeIdOf(place), quantity: variant.stock[place] ?? 0 })),
  lastUpdatedAt: inMicroseconds(variant.stockUpdatedAt),
})
