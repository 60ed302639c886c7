import { digitsOf } from '../../amounts.ts'
import { inSeconds, type Moment } from '../../clock.ts'
import type { ShopCustomer } from '../../shop/customers.ts'
import type { Address, OrderLine, Parcel, ShopOrder } from '../../shop/order.ts'
import { channelOf } from './channels.ts'
import { orderIdOf, partIdOf, productIdOf, variantIdOf } from './ids.ts'
import { providers, wordsOf } from './words.ts'

/** Amounts have four decimals, whatever the currency. */
const money = (units: number, currency: string): string => (units / 10 ** digitsOf(currency)).toFixed(4)

/** v2 writes times as e-mails do: `Wed, 10 Jan 2018 21:05:30 +0000`. */
export const mailTime = (moment: Moment): string =>
  new Date(Math.floor(moment / 1000)).toUTCString().replace('GMT', '+0000')

/** Without and with tax, whichever of the two the order counts in. */
const taxed = ({ taxIncluded, taxRate, currency }: ShopOrder, units: number) => {
  const [without, inclusive] = taxIncluded
    ? [(units * 100) / (100 + taxRate), units]
    : [units, (units * (100 + taxRate)) / 100]
  return { ex: money(without, currency), inc: money(inclusive, currency), tax: money(inclusive - without, currency) }
}

const addressView = (address: Address, email: string) => ({
  ...{ first_name: address.firstName, last_name: address.lastName, company: address.company ?? '' },
  ...{ street_1: address.street, street_2: address.extra ?? '', city: address.city, state: address.region },
  ...{ zip: address.zip, country: address.country, country_iso2: address.countryCode, phone: address.phone, email },
})

/** Who gave another address for the bill had the last line sent there: from 1, in the order of the consignments. */
export function addressOf({ lines, shipTo, billTo, reference }: ShopOrder, line: number): 1 | 2 {
  const several = reference === null && lines.length > 1 && billTo.street !== shipTo.street
  return several && line === lines.length ? 2 : 1
}

function lineView(order: ShopOrder, line: OrderLine) {
  const { index, currency } = order
  const price = taxed(order, line.unitPrice)
  const total = taxed(order, line.unitPrice * line.quantity)
  const id = partIdOf(index, line.line)
  const option = { id: id + 1, option_id: 1, order_product_id: id, product_option_id: 1, display_name: 'Colour' }
  return {
    id,
    order_id: orderIdOf(index),
    product_id: line.product === null ? 0 : productIdOf(line.product),
    variant_id: line.product === null ? 0 : variantIdOf({ product: line.product, position: line.position }),
    order_address_id: partIdOf(index, addressOf(order, line.line)),
    ...{ name: line.title, name_customer: line.title, name_merchant: line.title, sku: line.sku, upc: '' },
    type: 'physical',
    ...{ base_price: price.ex, price_ex_tax: price.ex, price_inc_tax: price.inc, price_tax: price.tax },
    ...{ base_total: total.ex, total_ex_tax: total.ex, total_inc_tax: total.inc },
    total_tax: money(line.tax, currency),
    weight: '0.0000',
    quantity: line.quantity,
    is_refunded: line.refunded === line.quantity,
    quantity_refunded: line.refunded,
    quantity_shipped: line.sent,
    applied_discounts:
      line.discount === 0
        ? []
        : [{ id: 'total-coupon', amount: money(line.discount, currency), name: 'Sale', code: null, target: 'order' }],
    product_options:
      line.variantTitle === 'Default Title'
        ? []
        : [{ ...option, display_value: line.variantTitle, type: 'Swatch', name: 'Colour', display_style: '' }],
  }
}

/** Consignments come whole or as a link, fees if they are asked for. */
export function orderView(
  order: ShopOrder,
  base: string,
  { include, archived }: { include: string; archived: boolean },
) {
  const { index, currency, lines, buyer, billTo } = order
  const { id: statusId, label, payment } = wordsOf(order)
  const id = orderIdOf(index)
  const count = (of: (line: OrderLine) => number) => lines.reduce((sum, line) => sum + of(line), 0)
  const amount = (units: number) => money(units, currency)
  const goods = taxed(order, order.goods)
  const link = (what: string) => ({ url: `${base}/v2/orders/${id}/${what}`, resource: `/orders/${id}/${what}` })
  const sentAt = order.parcels.at(-1)?.sentAt
  return {
    ...{ id, customer_id: buyer.id ?? 0, date_created: mailTime(order.placedAt) },
    date_modified: mailTime(order.updatedAt),
    date_shipped: sentAt === undefined ? '' : mailTime(sentAt),
    ...{ status_id: statusId, status: label, custom_status: label },
    ...{ subtotal_ex_tax: goods.ex, subtotal_inc_tax: goods.inc, subtotal_tax: goods.tax },
    ...{ shipping_cost_ex_tax: amount(order.shipping), shipping_cost_inc_tax: amount(order.shipping) },
    ...{ shipping_cost_tax: amount(0), handling_cost_inc_tax: amount(0), wrapping_cost_inc_tax: amount(0) },
    ...{ total_ex_tax: amount(order.total - order.tax), total_inc_tax: amount(order.total) },
    total_tax: amount(order.tax),
    is_tax_inclusive_pricing: order.taxIncluded,
    ...{ items_total: count(({ quantity }) => quantity), items_shipped: count(({ sent }) => sent) },
    ...{ payment_method: 'Credit Card', payment_status: payment, refunded_amount: amount(order.refunded) },
    ...{ order_is_digital: false, store_credit_amount: amount(0), gift_certificate_amount: amount(0) },
    ...{ currency_id: 1, currency_code: order.presentment, currency_exchange_rate: '1.0000000000' },
    ...{ default_currency_id: 1, default_currency_code: currency, store_default_currency_code: 'EUR' },
    ...{ staff_notes: order.notes.join('\n\n'), customer_message: order.note ?? '', is_deleted: archived },
    ...{ discount_amount: amount(order.discount), coupon_discount: amount(0) },
    ...{ shipping_address_count: addressOf(order, lines.length), billing_address: addressView(billTo, buyer.email) },
    ...{ order_source: order.reference === null ? 'www' : 'external', external_source: null },
    channel_id: channelOf(order),
    external_order_id: order.reference ?? '',
    ...{ products: link('products'), shipping_addresses: link('shippingaddresses'), coupons: link('coupons') },
    consignments: include.includes('consignments.line_items') ? consignmentsOf(order) : link('consignments'),
    fees: include.includes('fees') ? [] : link('fees'),
  }
}

function consignmentsOf(order: ShopOrder) {
  const { index, currency, lines, shipTo, billTo, buyer } = order
  const shipping = Array.from({ length: addressOf(order, lines.length) }, (_, i) => {
    const own = lines.filter(({ line }) => addressOf(order, line) === i + 1)
    const cost = money(i === 0 ? order.shipping : 0, currency)
    return {
      ...{ id: partIdOf(index, i + 1), ...addressView(i === 0 ? shipTo : billTo, buyer.email) },
      items_total: own.reduce((sum, { quantity }) => sum + quantity, 0),
      items_shipped: own.reduce((sum, { sent }) => sum + sent, 0),
      ...{ shipping_method: order.shippingMethod, base_cost: cost, cost_ex_tax: cost, cost_inc_tax: cost },
      line_items: own.map((line) => lineView(order, line)),
    }
  })
  return { shipping, pickups: [], downloads: [], email: { gift_certificates: [] } }
}

/** Carriers that the platform does not know are told as one of many trackers, or as the way of sending. */
export function parcelView(order: ShopOrder, parcel: Parcel) {
  const { index, buyer, shipTo, billTo } = order
  const known = providers.includes(parcel.carrierCode)
  const address = addressOf(order, parcel.lines[0]?.line ?? 1)
  return {
    ...{ id: partIdOf(index, parcel.parcel), order_id: orderIdOf(index), customer_id: buyer.id ?? 0 },
    ...{ order_address_id: partIdOf(index, address), date_created: mailTime(parcel.sentAt) },
    ...{ tracking_number: parcel.trackingNumber, merchant_shipping_cost: '0.0000', comments: '' },
    shipping_method: parcel.outside && !known ? parcel.carrier : order.shippingMethod,
    shipping_provider: known ? parcel.carrierCode : '',
    shipping_provider_display_name: known ? parcel.carrierCode.toUpperCase() : '',
    tracking_carrier: parcel.outside || known ? '' : parcel.carrierCode,
    ...{ tracking_link: parcel.outside ? (parcel.trackingUrl ?? '') : '' },
    generated_tracking_link: parcel.outside ? '' : (parcel.trackingUrl ?? ''),
    billing_address: addressView(billTo, buyer.email),
    shipping_address: addressView(address === 1 ? shipTo : billTo, buyer.email),
    items: parcel.lines.map(({ line, quantity }) => {
      const { product = null } = order.lines.find((one) => one.line === line) ?? {}
      const product_id = product === null ? 0 : productIdOf(product)
      return { order_product_id: partIdOf(index, line), product_id, quantity }
    }),
  }
}

export const customerView = ({ id, address, createdAt, updatedAt, ...buyer }: ShopCustomer) => ({
  ...{ id, email: buyer.email, first_name: buyer.firstName, last_name: buyer.lastName, phone: buyer.phone },
  ...{ customer_group_id: 0, notes: '', tax_exempt_category: '', company: address.company ?? '', address_count: 1 },
  ...{ date_created: inSeconds(createdAt), date_modified: inSeconds(updatedAt), channel_ids: [1] },
  ...{ accepts_product_review_abandoned_cart_emails: true, origin_channel_id: 1 },
  addresses: [
    {
      ...{ id, customer_id: id, first_name: address.firstName, last_name: address.lastName, city: address.city },
      ...{ company: address.company ?? '', address1: address.street, address2: address.extra ?? '' },
      ...{ state_or_province: address.region, postal_code: address.zip, country: address.country },
      ...{ country_code: address.countryCode, phone: address.phone, address_type: 'residential' },
    },
  ],
})
