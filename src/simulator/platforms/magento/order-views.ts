import { digitsOf, inCents, sumOf } from '../../amounts.ts'
import { type Moment, withoutZone } from '../../clock.ts'
import {
  type Address,
  isSent,
  type OrderLine,
  type Parcel,
  type Refund,
  type ShopOrder,
  type Stage,
} from '../../shop/order.ts'
import { sourceOf } from './sources.ts'

/** Times are of Greenwich and to the second. */
export const written = (at: Moment): string => withoutZone(at).replace('T', ' ')

export const orderIdOf = (index: number): number => index + 1
export const orderIndexOf = (id: string): number => (/^\d{1,9}$/.test(id) ? Number(id) - 1 : -1)
export const numberOf = (index: number): string => String(orderIdOf(index)).padStart(9, '0')
/** A line is two items where the article is one of several: the one that was chosen, and its article. */
const itemIdOf = (index: number, line: number): number => orderIdOf(index) * 200 + line * 2
export const lineOf = (index: number, itemId: number): number => Math.floor((itemId - itemIdOf(index, 0)) / 2)
export const shipmentIdOf = (index: number, { parcel }: Parcel): number => orderIdOf(index) * 10 + parcel
export const productIdOf = (index: number): number => 1 + index * 10
export const variantIdOf = (index: number, position: number): number => productIdOf(index) + 1 + position

const states: Readonly<Record<Stage, string>> = {
  ...{ unpaid: 'new', held: 'holded', paid: 'processing', part_sent: 'processing', sent: 'complete' },
  ...{ delivered: 'complete', part_refunded: 'complete', refunded: 'closed', cancelled: 'canceled' },
}

/** There are eight states; the status beside it is a word that merchants choose. */
export function wordsOf({ stage, customStatus, refunded, total }: ShopOrder) {
  const state = refunded > 0 && refunded >= total ? 'closed' : states[stage]
  return { state, status: customStatus?.replace('-', '_') ?? (state === 'new' ? 'pending' : state) }
}

const addressView = (type: string, { company, street, extra, ...address }: Address, email: string) => ({
  ...{ address_type: type, email, firstname: address.firstName, lastname: address.lastName },
  ...(company === null ? {} : { company }),
  street: extra === null ? [street] : [street, extra],
  ...{ postcode: address.zip, city: address.city, region: address.region, region_code: address.regionCode },
  ...{ country_id: address.countryCode, telephone: address.phone },
})

export function orderView(order: ShopOrder) {
  const { index, currency, buyer, stage } = order
  const amount = (units: number) => units / 10 ** digitsOf(currency)
  const paid = stage === 'unpaid' || stage === 'cancelled' ? 0 : order.total
  const shipTo = addressView('shipping', order.shipTo, buyer.email)
  return {
    ...{ entity_id: orderIdOf(index), increment_id: numberOf(index), ...wordsOf(order), is_virtual: 0 },
    ...{ base_currency_code: 'EUR', order_currency_code: currency },
    ...{ base_grand_total: inCents(order.total, currency) / 100, grand_total: amount(order.total) },
    ...{ subtotal: amount(sumOf(order.lines, rowOf)), discount_amount: -amount(order.discount) },
    ...{ shipping_amount: amount(order.shipping), tax_amount: amount(order.tax), total_paid: amount(paid) },
    ...(order.refunded === 0 ? {} : { total_refunded: amount(order.refunded) }),
    ...(buyer.id === null ? { customer_is_guest: 1 } : { customer_id: buyer.id + 1, customer_is_guest: 0 }),
    ...{ customer_email: buyer.email, customer_firstname: buyer.firstName, customer_lastname: buyer.lastName },
    ...(order.note === null ? {} : { customer_note: order.note }),
    shipping_description: `${order.shippingMethod} - Fixed`,
    ...{ created_at: written(order.placedAt), updated_at: written(order.updatedAt) },
    items: order.lines.flatMap((line) => itemsOf(order, line)),
    billing_address: addressView('billing', order.billTo, buyer.email),
    payment: { account_status: '', additional_information: ['Card'], cc_last4: '', method: 'checkmo' },
    extension_attributes: {
      shipping_assignments: [{ shipping: { address: shipTo, method: 'flatrate_flatrate' }, items: [] }],
    },
  }
}

/** What a line costs before its discount, without tax. */
const rowOf = ({ total, tax, discount }: OrderLine): number => total - tax + discount

function itemsOf({ index, currency, stage }: ShopOrder, line: OrderLine) {
  const { product, position, title, variantTitle } = line
  const scale = 10 ** digitsOf(currency)
  const varies = product !== null && variantTitle !== 'Default Title'
  const id = itemIdOf(index, line.line)
  const counts = {
    ...{ order_id: orderIdOf(index), sku: line.sku, is_virtual: 0, qty_ordered: line.quantity },
    // Where the status said that all has left, all has.
    ...{ qty_shipped: isSent(stage) ? line.quantity : line.sent, qty_canceled: line.cancelled },
    qty_refunded: line.refunded,
  }
  const whole = {
    ...{ ...counts, item_id: id, name: title, product_type: varies ? 'configurable' : 'simple' },
    ...(product === null ? {} : { product_id: productIdOf(product) }),
    price: Number((rowOf(line) / line.quantity / scale).toFixed(4)),
    ...{ row_total: rowOf(line) / scale, discount_amount: line.discount / scale, tax_amount: line.tax / scale },
  }
  if (!varies) return [whole]
  const article = {
    ...{ ...counts, qty_shipped: 0, item_id: id + 1, parent_item_id: id, product_type: 'simple' },
    ...{ name: `${title} ${variantTitle}`, product_id: variantIdOf(product, position), price: 0, row_total: 0 },
  }
  return [whole, article]
}

export function memoView({ index, currency, lines: sold }: ShopOrder, { refund, amount, at, reason, lines }: Refund) {
  const id = orderIdOf(index) * 10 + refund
  return {
    ...{ entity_id: id, order_id: orderIdOf(index), created_at: written(at) },
    grand_total: amount / 10 ** digitsOf(currency),
    items: lines.map(({ line, quantity }) => ({
      ...{ entity_id: id * 10 + line, base_cost: 0, base_price: 0, order_item_id: itemIdOf(index, line) },
      ...{ sku: sold[line - 1]?.sku, qty: quantity },
    })),
    comments:
      reason === '' ? [] : [{ parent_id: id, comment: reason, is_customer_notified: 0, is_visible_on_front: 0 }],
  }
}

/** A parcel without number is a shipment without tracks. */
export function shipmentView({ index }: ShopOrder, parcel: Parcel) {
  const shared = { entity_id: shipmentIdOf(index, parcel), order_id: orderIdOf(index) }
  const at = written(parcel.sentAt)
  const track = { track_number: parcel.trackingNumber, title: parcel.carrier, carrier_code: parcel.carrierCode }
  return {
    ...{ ...shared, created_at: at, updated_at: at },
    items: parcel.lines.map(({ line, quantity }) => ({ order_item_id: itemIdOf(index, line), qty: quantity })),
    tracks: [{ ...shared, parent_id: shared.entity_id, weight: 0, qty: 0, description: '', created_at: at, ...track }],
    ...{ comments: [], extension_attributes: { source_code: sourceOf(parcel.place) } },
  }
}
