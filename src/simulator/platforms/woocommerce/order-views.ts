import { decimal, digitsOf } from '../../amounts.ts'
import { second, withoutZone } from '../../clock.ts'
import type { ShopCustomer } from '../../shop/customers.ts'
import { type Address, isSent, type OrderLine, type Parcel, type Refund, type ShopOrder } from '../../shop/order.ts'
import { orderIdOf, partIdOf, productIdOf, refundIdOf, variationIdOf } from './ids.ts'
import { dates, type Site } from './site.ts'
import { asHtml, slugOf, statusOf } from './words.ts'

const addressView = (address: Address) => ({
  ...{ first_name: address.firstName, last_name: address.lastName, company: address.company ?? '' },
  ...{ address_1: address.street, address_2: address.extra ?? '', city: address.city, state: address.regionCode },
  ...{ postcode: address.zip, country: address.countryCode, phone: address.phone },
})

export function orderView(order: ShopOrder, site: Site) {
  const { currency, index, buyer, stage } = order
  const money = (units: number) => decimal(units, currency)
  const waits = stage === 'unpaid' || (stage === 'held' && !order.paidBefore)
  const paid = waits || stage === 'cancelled' ? null : order.placedAt
  return {
    ...{ id: orderIdOf(index), parent_id: 0, number: String(orderIdOf(index)), status: statusOf(order), currency },
    ...{ order_key: `wc_order_${index}`, created_via: order.reference === null ? 'checkout' : 'rest-api' },
    ...{ version: '10.9.4', customer_ip_address: '', customer_user_agent: '', transaction_id: '', cart_hash: '' },
    ...{ payment_method: order.reference === null ? 'card' : '', payment_method_title: 'Card' },
    ...{ tax_lines: [], fee_lines: [], coupon_lines: [] },
    ...dates('date_created', order.placedAt),
    ...dates('date_modified', order.updatedAt),
    ...{ discount_total: money(order.discount), discount_tax: money(0), cart_tax: money(order.tax) },
    ...{ shipping_total: money(order.shipping), shipping_tax: money(0) },
    ...{ total: money(order.total), total_tax: money(order.tax), prices_include_tax: order.taxIncluded },
    ...{ customer_id: buyer.id === null ? 0 : buyer.id + 1, customer_note: order.note ?? '' },
    billing: { ...addressView(order.billTo), email: buyer.email },
    shipping: addressView(order.shipTo),
    ...dates('date_paid', paid),
    ...dates('date_completed', isSent(stage) ? (order.parcels.at(-1)?.sentAt ?? order.updatedAt) : null),
    meta_data: metaOf(order, site).map(([key, value], i) => ({ id: partIdOf(index, i), key, value })),
    line_items: order.lines.map((line) => lineView(order, line)),
    shipping_lines: [
      { id: index, method_title: order.shippingMethod, method_id: 'flat_rate', total: money(order.shipping) },
    ],
    refunds: order.refunds.toReversed().map(({ refund, reason, amount }) => ({
      ...{ id: refundIdOf(index, refund), reason, total: money(-amount) },
    })),
  }
}

/** Line totals are without tax here, whatever the price on the shelf says. */
function lineView({ index, currency }: ShopOrder, line: OrderLine) {
  const total = line.total - line.tax
  const varies = line.product !== null && line.variantTitle !== 'Default Title'
  const money = (units: number) => decimal(units, currency)
  return {
    ...{ id: partIdOf(index, line.line), name: asHtml(varies ? `${line.title} - ${line.variantTitle}` : line.title) },
    product_id: line.product === null ? 0 : productIdOf(line.product),
    variation_id: line.product !== null && varies ? variationIdOf(line.product, line.position) : 0,
    ...{ quantity: line.quantity, sku: line.sku },
    ...{ subtotal: money(total + line.discount), subtotal_tax: money(line.tax) },
    ...{ total: money(total), total_tax: money(line.tax) },
    taxes: [{ id: 1, total: money(line.tax), subtotal: money(line.tax) }],
    meta_data: varies ? [{ id: partIdOf(index, line.line), ...chosen(line.variantTitle) }] : [],
    // A float, as this platform really sends it.
    price: Number((total / line.quantity / 10 ** digitsOf(currency)).toFixed(6)),
  }
}

const chosen = (colour: string) => ({
  ...{ key: 'pa_colour', value: slugOf(colour), display_key: 'Colour', display_value: asHtml(colour) },
})

export function refundView(
  { index, currency, lines }: ShopOrder,
  { refund, amount, reason, at, lines: parts, meta = [] }: Refund,
) {
  return {
    id: refundIdOf(index, refund),
    ...dates('date_created', at),
    ...{ amount: decimal(amount, currency), reason, meta_data: meta },
    line_items: parts.flatMap(({ line, quantity }) => {
      const sold = lines.find((one) => one.line === line)
      const share = sold ? Math.round(((sold.total - sold.tax) * quantity) / sold.quantity) : 0
      return {
        ...{ id: partIdOf(refundIdOf(index, refund), line), name: sold?.title, sku: sold?.sku, quantity: -quantity },
        total: decimal(-share, currency),
        total_tax: decimal(sold ? -Math.round((sold.tax * quantity) / sold.quantity) : 0, currency),
        meta_data: [{ id: line, key: '_refunded_item_id', value: String(partIdOf(index, line)) }],
      }
    }),
  }
}

/* Parcels -------------------------------------------------------------------------------------------------------- */

/**
 * Parcels that are records of their own: what is told from outside, and some of what the shop has sent. The others were
 * noted in their orders, by the plug-in that it had before.
 */
export const fulfilmentsOf = ({ index, parcels }: ShopOrder, { tracking }: Site): readonly Parcel[] =>
  tracking === 'fulfillments' ? parcels.filter(({ outside }) => outside || index % 15 === 0) : []

export const customerView = ({ id, email, firstName, lastName, address, createdAt, updatedAt }: ShopCustomer) => ({
  ...{ id: id + 1, email, first_name: firstName, last_name: lastName, role: 'customer', username: email },
  ...dates('date_created', createdAt),
  ...dates('date_modified', updatedAt),
  ...{ billing: { ...addressView(address), email }, shipping: addressView(address), is_paying_customer: true },
  ...{ avatar_url: '', meta_data: [] },
})

/** A draft beside what has left keeps an order from being fulfilled. */
const howFar = (parcels: number, gone: number, isLess: boolean): string =>
  gone === 0 ? 'unfulfilled' : isLess || gone < parcels ? 'partially_fulfilled' : 'fulfilled'

/** Notes to machines: where there are fulfilments how far they go, and what the plug-in notes of parcels. */
function metaOf(order: ShopOrder, site: Site): readonly (readonly [string, unknown])[] {
  const kept = fulfilmentsOf(order, site)
  const noted = site.tracking === 'none' ? [] : order.parcels.filter((parcel) => !kept.includes(parcel))
  const gone = kept.filter(({ packed }) => !packed)
  const sent = gone.flatMap(({ lines }) => lines).reduce((sum, { quantity }) => sum + quantity, 0)
  const ordered = order.lines.reduce((sum, { quantity }) => sum + quantity, 0)
  return [
    ...order.meta.map(({ key, value }) => [key, value] as const),
    ...(kept.length > 0 ? [['_fulfillment_status', howFar(kept.length, gone.length, sent < ordered)] as const] : []),
    ...(noted.length > 0
      ? [['_wc_shipment_tracking_items', noted.map((parcel) => trackingItem(order, parcel))] as const]
      : []),
  ]
}

const trackingId = ({ index }: ShopOrder, { parcel }: Parcel) => `${orderIdOf(index)}-${parcel}`

const trackingItem = (order: ShopOrder, parcel: Parcel) => ({
  ...{ tracking_provider: '', custom_tracking_provider: parcel.carrier, tracking_number: parcel.trackingNumber },
  ...{ custom_tracking_link: parcel.trackingUrl ?? '', tracking_id: trackingId(order, parcel) },
  date_shipped: String(Math.floor(parcel.sentAt / second)),
})

export const trackingView = (order: ShopOrder, parcel: Parcel) => ({
  ...{ tracking_id: trackingId(order, parcel), tracking_provider: parcel.carrier },
  ...{ tracking_link: parcel.trackingUrl ?? '', tracking_number: parcel.trackingNumber },
  date_shipped: withoutZone(parcel.sentAt).slice(0, 10),
})

/** It is called fulfilled with `true` when it is made, and with a text when it is read. */
export function fulfilmentView({ index, updatedAt }: ShopOrder, parcel: Parcel, fulfilled: true | '1' = '1') {
  const notes = {
    _items: parcel.lines.map(({ line, quantity }) => ({ item_id: partIdOf(index, line), qty: quantity })),
    _tracking_number: parcel.trackingNumber,
    _shipment_provider: parcel.carrier,
    _tracking_url: parcel.trackingUrl ?? '',
    ...(parcel.packed ? {} : { _date_fulfilled: `${withoutZone(parcel.sentAt)}Z` }),
  }
  return {
    id: partIdOf(index, parcel.parcel),
    ...{ entity_type: 'WC_Order', entity_id: String(orderIdOf(index)) },
    ...(parcel.packed
      ? { status: 'unfulfilled', is_fulfilled: fulfilled === true ? false : '0' }
      : { status: 'fulfilled', is_fulfilled: fulfilled }),
    // With every correction.
    date_updated: `${withoutZone(updatedAt)}Z`,
    date_deleted: null,
    meta_data: Object.entries(notes).map(([key, value], i) => ({ id: partIdOf(index, i), key, value })),
  }
}
