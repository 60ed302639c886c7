import { convert, decimal, digitsOf } from '../../amounts.ts'
import { hour, type Moment, second, withoutZone } from '../../clock.ts'
import type { Product, Variant } from '../../shop/goods.ts'
import type { Address, OrderLine, Parcel, ShopOrder } from '../../shop/order.ts'
import { orderIdOf, productIdOf, variantIdOf } from './ids.ts'
import { statuses } from './words.ts'

/** The site's clock is two hours ahead of Greenwich: times come in both, and neither names its zone. */
export const zone = 2 * hour
const local = (at: Moment) => withoutZone(at + zone)

const addressView = (place: Address) => ({
  first_name: place.firstName,
  last_name: place.lastName,
  company: place.company ?? '',
  address_1: place.street,
  address_2: place.extra ?? '',
  city: place.city,
  state: place.regionCode,
  postcode: place.zip,
  country: place.countryCode,
  phone: place.phone,
})

export function orderView(order: ShopOrder) {
  const { currency, index, buyer, stage } = order
  const money = (units: number) => decimal(units, currency)
  return {
    id: orderIdOf(index),
    parent_id: 0,
    number: String(orderIdOf(index)),
    order_key: `wc_order_${index}`,
    created_via: order.reference === null ? 'checkout' : 'rest-api',
    status: statuses[stage],
    currency,
    date_created: local(order.placedAt),
    date_created_gmt: withoutZone(order.placedAt),
    date_modified: local(order.updatedAt),
    date_modified_gmt: withoutZone(order.updatedAt),
    discount_total: money(order.discount),
    discount_tax: money(0),
    shipping_total: money(order.shipping),
    shipping_tax: money(0),
    cart_tax: money(order.tax),
    total: money(order.total),
    total_tax: money(order.tax),
    prices_include_tax: order.taxIncluded,
    customer_id: buyer.id === null ? 0 : buyer.id + 1,
    customer_note: order.note ?? '',
    billing: { ...addressView(order.billTo), email: buyer.email },
    shipping: addressView(order.shipTo),
    payment_method: 'card',
    payment_method_title: 'Card',
    transaction_id: '',
    date_paid: stage === 'unpaid' ? null : local(order.placedAt),
    date_paid_gmt: stage === 'unpaid' ? null : withoutZone(order.placedAt),
    date_completed: null,
    date_completed_gmt: null,
    meta_data: metaOf(order).map(({ key, value }, i) => ({ id: index * 100 + i, key, value })),
    line_items: order.lines.map((line) => lineView(order, line)),
    tax_lines: [{ id: index, rate_percent: order.taxRate, label: 'VAT', tax_total: money(order.tax) }],
    shipping_lines: [
      { id: index, method_title: order.shippingMethod, method_id: 'flat_rate', total: money(order.shipping) },
    ],
    fee_lines: [],
    coupon_lines: order.discount === 0 ? [] : [{ id: index, code: 'zehn', discount: money(order.discount) }],
    refunds: order.refunded === 0 ? [] : [{ id: index, reason: '', total: money(-order.refunded) }],
  }
}

/** The extension that keeps parcels leaves them among the order's notes to machines. */
const metaOf = (order: ShopOrder): readonly { key: string; value: unknown }[] =>
  order.parcels.length === 0
    ? order.meta
    : [
        ...order.meta,
        { key: '_wc_shipment_tracking_items', value: order.parcels.map((parcel) => trackingItem(order, parcel)) },
      ]

const trackingItem = (order: ShopOrder, parcel: Parcel) => ({
  tracking_provider: '',
  custom_tracking_provider: parcel.carrier,
  custom_tracking_link: parcel.trackingUrl ?? '',
  tracking_number: parcel.trackingNumber,
  date_shipped: String(Math.floor(parcel.sentAt / second)),
  tracking_id: `${orderIdOf(order.index)}-${parcel.parcel}`,
})

/** Line totals are without tax here, whatever the price on the shelf says. */
function lineView({ index, currency }: ShopOrder, line: OrderLine) {
  const total = line.total - line.tax
  return {
    id: index * 10 + line.line,
    name: line.variantTitle === 'Default Title' ? line.title : `${line.title} - ${line.variantTitle}`,
    product_id: line.product === null ? 0 : productIdOf(line.product),
    variation_id:
      line.product === null || line.variantTitle === 'Default Title'
        ? 0
        : productIdOf(line.product) + 1 + line.position,
    quantity: line.quantity,
    subtotal: decimal(total + line.discount, currency),
    subtotal_tax: decimal(line.tax, currency),
    total: decimal(total, currency),
    total_tax: decimal(line.tax, currency),
    sku: line.sku,
    // A float, as this platform really sends it.
    price: Number((total / line.quantity / 10 ** digitsOf(currency)).toFixed(6)),
    meta_data: [],
  }
}

/** The currency that products are priced in. */
export const home = 'EUR'

const stockOf = ({ stock }: Variant): number => stock.reduce((sum, count) => sum + count, 0)

function articleView(variant: Variant) {
  const price = decimal(convert(variant.price, home), home)
  const stock = stockOf(variant)
  return {
    sku: variant.sku,
    global_unique_id: variant.barcode,
    price,
    regular_price: variant.compareAt === null ? price : decimal(variant.compareAt, home),
    sale_price: variant.compareAt === null ? '' : price,
    manage_stock: true,
    stock_quantity: stock,
    stock_status: stock > 0 ? 'instock' : 'outofstock',
    weight: String(variant.grams / 1000),
  }
}

const productStatuses = { active: 'publish', draft: 'draft', archived: 'private' } as const

export function productView(product: Product) {
  const { index, variants } = product
  const [first] = variants
  const variable = variants.length > 1
  return {
    id: productIdOf(index),
    name: product.title,
    slug: `product-${index + 1}`,
    permalink: `https://shop.example/product/product-${index + 1}`,
    date_created: local(product.createdAt),
    date_created_gmt: withoutZone(product.createdAt),
    date_modified: local(product.updatedAt),
    date_modified_gmt: withoutZone(product.updatedAt),
    type: variable ? 'variable' : 'simple',
    status: productStatuses[product.status],
    description: product.html,
    ...(first && !variable ? articleView(first) : { sku: '', price: '', manage_stock: false, stock_quantity: null }),
    categories: [{ id: 15, name: product.type, slug: product.type.toLowerCase() }],
    brands: [{ id: 16, name: product.vendor, slug: 'brand' }],
    tags: product.tags.map((name, id) => ({ id: id + 1, name, slug: name })),
    images: product.images.map(({ url, alt }, i) => ({ id: index * 10 + i, src: url, alt: alt ?? '' })),
    attributes: variable
      ? [
          {
            id: 1,
            name: 'Colour',
            variation: true,
            options: variants.flatMap(({ options }) => options.map(({ value }) => value)),
          },
        ]
      : [],
    variations: variable ? variants.map((variant) => variantIdOf(product, variant)) : [],
  }
}

export const variationView = (product: Product, variant: Variant) => ({
  id: variantIdOf(product, variant),
  date_created_gmt: withoutZone(product.createdAt),
  date_modified_gmt: withoutZone(Math.max(product.updatedAt, variant.stockUpdatedAt)),
  status: productStatuses[product.status],
  ...articleView(variant),
  attributes: variant.options.map(({ name, value }) => ({ id: 1, name, option: value })),
})

export const trackingView = (order: ShopOrder, parcel: Parcel) => ({
  tracking_id: `${orderIdOf(order.index)}-${parcel.parcel}`,
  tracking_provider: parcel.carrier,
  tracking_link: parcel.trackingUrl ?? '',
  tracking_number: parcel.trackingNumber,
  date_shipped: withoutZone(parcel.sentAt).slice(0, 10),
})
