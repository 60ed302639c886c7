import { address } from '../../../commerce/address.ts'
import type { InventoryLevel } from '../../../commerce/inventory.ts'
import type { Money } from '../../../commerce/money.ts'
import type { OrderLine, RemoteOrder } from '../../../commerce/order.ts'
import type { RemoteProduct } from '../../../commerce/product.ts'
import {
  arrayIn,
  type Fields,
  fieldsIn,
  fieldsOf,
  maybeFields,
  maybeText,
  maybeTime,
  numberIn,
  recordsIn,
  textIn,
  timeIn,
} from '../../../commerce/reading.ts'
import type { RemoteShipment } from '../../../commerce/shipment.ts'

type Words = Pick<RemoteOrder, 'status' | 'payment_status' | 'fulfillment_status'>

const statuses: Readonly<Record<string, Words | undefined>> = {
  PENDING: { status: 'pending', payment_status: 'pending', fulfillment_status: 'unfulfilled' },
  CREATED: { status: 'open', payment_status: 'paid', fulfillment_status: 'unfulfilled' },
  ACKNOWLEDGED: { status: 'open', payment_status: 'paid', fulfillment_status: 'unfulfilled' },
  PARTIALLY_SHIPPED: { status: 'open', payment_status: 'paid', fulfillment_status: 'partial' },
  SHIPPED: { status: 'completed', payment_status: 'paid', fulfillment_status: 'fulfilled' },
  DELIVERED: { status: 'completed', payment_status: 'paid', fulfillment_status: 'delivered' },
  CANCELLED: { status: 'cancelled', payment_status: 'voided', fulfillment_status: 'unfulfilled' },
}

/** 3325 with scale 2 is 33.25. */
export function moneyIn(fields: Fields, name: string): Money {
  const money = fieldsIn(fields, name)
  const value = numberIn(money, 'value')
  const scale = numberIn(money, 'scale')
  const digits = String(Math.abs(value)).padStart(scale + 1, '0')
  const amount = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return { amount: value < 0 ? `-${amount}` : amount, currency: textIn(money, 'currency') }
}

/** Revisions are counted; with zeros in front they compare as text. */
const versionIn = (fields: Fields): string => String(numberIn(fields, 'revision')).padStart(12, '0')

export function toOrder(raw: unknown): RemoteOrder {
  const order = fieldsOf(raw)
  const remoteStatus = textIn(order, 'status')
  const words = statuses[remoteStatus]
  if (!words) throw new TypeError(`The shop has a status that we do not know: ${remoteStatus}.`)
  const charges = fieldsIn(order, 'charges')
  const total = moneyIn(charges, 'total')
  const refunded = moneyIn(charges, 'refunded')
  const buyer = maybeFields(order, 'buyer')
  const home = toAddress(maybeFields(order, 'shipTo'))
  return {
    remote_id: textIn(order, 'orderId'),
    number: textIn(order, 'orderId'),
    channel: 'sandbox',
    marketplace: maybeText(order, 'marketplace'),
    ...words,
    payment_status: paymentOf(words, total, refunded),
    remote_status: remoteStatus,
    currency: total.currency,
    subtotal: moneyIn(charges, 'goods'),
    discount_total: moneyIn(charges, 'discount'),
    shipping_total: moneyIn(charges, 'shipping'),
    tax_total: moneyIn(charges, 'tax'),
    total,
    refunded_total: refunded,
    prices_include_tax: charges['taxIncluded'] === true,
    // Nobody has an account here: an alias is all that is told.
    customer: buyer && {
      remote_id: null,
      email: maybeText(buyer, 'alias'),
      ...namesOf(maybeText(buyer, 'name')),
      phone: null,
      is_guest: true,
    },
    billing_address: null,
    shipping_address: home,
    shipping_method: maybeText(order, 'shippingService'),
    lines: recordsIn(order, 'lines').map(toLine),
    shipments: arrayIn(order, 'packages').map(toShipment),
    note: maybeText(order, 'sellerNote'),
    tags: [],
    external_reference: null,
    acknowledged: maybeText(order, 'acknowledgedAt') !== null,
    test: false,
    placed_at: timeIn(order, 'purchasedAt'),
    ship_by: maybeTime(order, 'shipBy'),
    cancelled_at: maybeTime(order, 'cancelledAt'),
    cancel_reason: maybeText(order, 'cancelReason'),
    remote_created_at: timeIn(order, 'purchasedAt'),
    remote_updated_at: timeIn(order, 'lastUpdatedAt'),
    remote_version: versionIn(order),
    raw,
  }
}

function paymentOf(words: Words, total: Money, refunded: Money): Words['payment_status'] {
  if (Number(refunded.amount) === 0) return words.payment_status
  return refunded.amount === total.amount ? 'refunded' : 'partially_refunded'
}

function namesOf(name: string | null): { first_name: string | null; last_name: string | null } {
  const [first = '', ...rest] = (name ?? '').split(' ')
  return { first_name: first || null, last_name: rest.join(' ') || null }
}

const toAddress = (place: Fields | null) =>
  place &&
  address({
    name: maybeText(place, 'name')?.trim() || null,
    company: maybeText(place, 'company'),
    line1: maybeText(place, 'address1'),
    line2: maybeText(place, 'address2'),
    city: maybeText(place, 'city'),
    region_code: maybeText(place, 'state'),
    postal_code: maybeText(place, 'postalCode'),
    country_code: maybeText(place, 'countryCode'),
    phone: maybeText(place, 'phone'),
  })

const toLine = (line: Fields): OrderLine => ({
  remote_id: textIn(line, 'lineId'),
  sku: maybeText(line, 'sku'),
  // Every article is a product of its own here.
  product_remote_id: maybeText(line, 'sku'),
  variant_remote_id: maybeText(line, 'sku'),
  title: textIn(line, 'title'),
  variant_title: maybeText(line, 'variation'),
  quantity: numberIn(line, 'quantity'),
  quantity_fulfilled: numberIn(line, 'shipped'),
  quantity_cancelled: numberIn(line, 'cancelled'),
  unit_price: moneyIn(line, 'unitPrice'),
  discount: moneyIn(line, 'discount'),
  tax: moneyIn(line, 'tax'),
  total: moneyIn(line, 'total'),
  requires_shipping: true,
})

export function toShipment(raw: unknown): RemoteShipment {
  const parcel = fieldsOf(raw)
  return {
    remote_id: textIn(parcel, 'packageReference'),
    status: textIn(parcel, 'status') === 'DELIVERED' ? 'delivered' : 'shipped',
    carrier_code: null,
    carrier_name: maybeText(parcel, 'carrier'),
    service: null,
    tracking_number: maybeText(parcel, 'trackingNumber'),
    tracking_url: maybeText(parcel, 'trackingUrl'),
    shipped_at: maybeTime(parcel, 'shippedAt'),
    delivered_at: null,
    location_remote_id: maybeText(parcel, 'node'),
    lines: recordsIn(parcel, 'lines').map((line) => ({
      order_line_remote_id: textIn(line, 'lineId'),
      quantity: numberIn(line, 'quantity'),
    })),
  }
}

const states: Readonly<Record<string, RemoteProduct['status'] | undefined>> = {
  PUBLISHED: 'active',
  DRAFT: 'draft',
  RETIRED: 'archived',
}

/** Every article is listed by itself here, so each is a product with one variant. */
export function toProduct(raw: unknown): RemoteProduct {
  const item = fieldsOf(raw)
  const state = textIn(item, 'state')
  const status = states[state]
  if (!status) throw new TypeError(`The shop has a state that we do not know: ${state}.`)
  const sku = textIn(item, 'sku')
  const options = recordsIn(item, 'variation').map((one) => ({
    name: textIn(one, 'name'),
    value: textIn(one, 'value'),
  }))
  const images = arrayIn(item, 'images').map((url, position) => ({ url: String(url), alt: null, position }))
  return {
    remote_id: sku,
    title: textIn(item, 'title'),
    description_html: maybeText(item, 'description'),
    status,
    remote_status: state,
    brand: maybeText(item, 'brand'),
    type: maybeText(item, 'category'),
    tags: [],
    images,
    options: options.map(({ name, value }) => ({ name, values: [value] })),
    variants: [
      {
        remote_id: sku,
        inventory_item_remote_id: null,
        sku,
        barcode: maybeText(item, 'gtin'),
        title: options.map(({ value }) => value).join(', ') || null,
        options,
        price: moneyIn(item, 'price'),
        compare_at_price: null,
        weight: null,
        quantity: null,
        track_inventory: true,
      },
    ],
    url: null,
    remote_created_at: null,
    remote_updated_at: timeIn(item, 'lastUpdatedAt'),
    remote_version: versionIn(item),
    raw,
  }
}

export function toInventoryLevel(raw: unknown): InventoryLevel {
  const level = fieldsOf(raw)
  return {
    sku: textIn(level, 'sku'),
    variant_remote_id: textIn(level, 'sku'),
    location_remote_id: textIn(level, 'node'),
    available: numberIn(level, 'quantity'),
    on_hand: null,
    reserved: null,
    updated_at: timeIn(level, 'lastUpdatedAt'),
  }
}
