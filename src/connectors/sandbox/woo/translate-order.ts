import { address } from '../../../commerce/address.ts'
import { digitsOf, fromMinorUnits, type Money, toMinorUnits } from '../../../commerce/money.ts'
import type { OrderLine, RemoteOrder } from '../../../commerce/order.ts'
import {
  type Fields,
  fieldsIn,
  fieldsOf,
  idIn,
  maybeFields,
  maybeText,
  maybeTime,
  numberIn,
  recordsIn,
  textIn,
  timeIn,
} from '../../../commerce/reading.ts'
import type { RemoteShipment } from '../../../commerce/shipment.ts'
import { toTimestamp } from '../../../lib/timestamp.ts'

type Words = Pick<RemoteOrder, 'status' | 'payment_status' | 'fulfillment_status'>

/** This platform has one word for everything; what it does not say, such as a delivery, is not told. */
const statuses: Readonly<Record<string, Words | undefined>> = {
  pending: { status: 'pending', payment_status: 'pending', fulfillment_status: 'unfulfilled' },
  failed: { status: 'pending', payment_status: 'failed', fulfillment_status: 'unfulfilled' },
  'on-hold': { status: 'on_hold', payment_status: 'authorized', fulfillment_status: 'unfulfilled' },
  processing: { status: 'open', payment_status: 'paid', fulfillment_status: 'unfulfilled' },
  completed: { status: 'completed', payment_status: 'paid', fulfillment_status: 'fulfilled' },
  refunded: { status: 'completed', payment_status: 'refunded', fulfillment_status: 'fulfilled' },
  cancelled: { status: 'cancelled', payment_status: 'voided', fulfillment_status: 'unfulfilled' },
}

/** The first of an order's notes to machines: where the platform finds an order again. */
export const referenceKey = '_entrepot_reference'

export function toOrder(raw: unknown): RemoteOrder {
  const order = fieldsOf(raw)
  const remoteStatus = textIn(order, 'status')
  const words = statuses[remoteStatus]
  if (!words) throw new TypeError(`The shop has a status that we do not know: ${remoteStatus}.`)
  const currency = textIn(order, 'currency')
  const money = (name: string): Money => ({ amount: textIn(order, name), currency })
  const sum = (amounts: readonly Money[]) =>
    fromMinorUnits(
      amounts.reduce((all, one) => all + toMinorUnits(one), 0),
      currency,
    )
  const lines = recordsIn(order, 'line_items')
  const refunds = recordsIn(order, 'refunds').map((refund) => ({ amount: textIn(refund, 'total'), currency }))
  const refunded = fromMinorUnits(-toMinorUnits(sum(refunds)), currency)
  const billing = fieldsIn(order, 'billing')
  const customer = numberIn(order, 'customer_id')
  const changed = timeIn(order, 'date_modified_gmt')
  return {
    remote_id: idIn(order, 'id'),
    number: textIn(order, 'number'),
    channel: 'sandbox',
    marketplace: null,
    ...words,
    payment_status:
      remoteStatus === 'completed' && toMinorUnits(refunded) > 0 ? 'partially_refunded' : words.payment_status,
    remote_status: remoteStatus,
    currency,
    subtotal: sum(lines.map((line) => ({ amount: textIn(line, 'subtotal'), currency }))),
    discount_total: money('discount_total'),
    shipping_total: money('shipping_total'),
    tax_total: money('total_tax'),
    total: money('total'),
    refunded_total: refunded,
    prices_include_tax: order['prices_include_tax'] === true,
    customer: {
      remote_id: customer === 0 ? null : String(customer),
      email: maybeText(billing, 'email'),
      first_name: maybeText(billing, 'first_name'),
      last_name: maybeText(billing, 'last_name'),
      phone: maybeText(billing, 'phone'),
      is_guest: customer === 0,
    },
    billing_address: toAddress(billing),
    shipping_address: toAddress(maybeFields(order, 'shipping')),
    shipping_method: recordsIn(order, 'shipping_lines').map((one) => maybeText(one, 'method_title'))[0] ?? null,
    lines: lines.map((line) => toLine(line, words, currency)),
    shipments: parcelsIn(order),
    note: maybeText(order, 'customer_note'),
    tags: [],
    external_reference: referenceOf(order),
    acknowledged: null,
    test: false,
    placed_at: timeIn(order, 'date_created_gmt'),
    ship_by: null,
    cancelled_at: remoteStatus === 'cancelled' ? changed : null,
    cancel_reason: null,
    remote_created_at: timeIn(order, 'date_created_gmt'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/** Parcels are kept by an extension, among the order's notes to machines. */
const parcelsKey = '_wc_shipment_tracking_items'

function parcelsIn(order: Fields): RemoteShipment[] {
  const note = recordsIn(order, 'meta_data').find(({ key }) => key === parcelsKey)
  return note && Array.isArray(note['value']) ? recordsIn(note, 'value').map(toKeptShipment) : []
}

function toKeptShipment(item: Fields): RemoteShipment {
  const seconds = Number(maybeText(item, 'date_shipped') ?? Number.NaN)
  return {
    ...toShipment({ ...item, date_shipped: '' }),
    carrier_name: maybeText(item, 'tracking_provider') ?? maybeText(item, 'custom_tracking_provider'),
    tracking_url: maybeText(item, 'custom_tracking_link'),
    shipped_at: Number.isSafeInteger(seconds) ? toTimestamp(new Date(seconds * 1000)) : null,
  }
}

function referenceOf(order: Fields): string | null {
  const note = recordsIn(order, 'meta_data').find(({ key }) => key === referenceKey)
  return note ? maybeText(note, 'value') : null
}

const toAddress = (place: Fields | null) =>
  place &&
  address({
    name: [maybeText(place, 'first_name'), maybeText(place, 'last_name')].filter(Boolean).join(' ') || null,
    first_name: maybeText(place, 'first_name'),
    last_name: maybeText(place, 'last_name'),
    company: maybeText(place, 'company'),
    line1: maybeText(place, 'address_1'),
    line2: maybeText(place, 'address_2'),
    city: maybeText(place, 'city'),
    region_code: maybeText(place, 'state'),
    postal_code: maybeText(place, 'postcode'),
    country_code: maybeText(place, 'country'),
    phone: maybeText(place, 'phone'),
    email: maybeText(place, 'email'),
  })

function toLine(line: Fields, { status, fulfillment_status: fulfillment }: Words, currency: string): OrderLine {
  const quantity = numberIn(line, 'quantity')
  const subtotal = { amount: textIn(line, 'subtotal'), currency }
  const total = { amount: textIn(line, 'total'), currency }
  const variation = numberIn(line, 'variation_id')
  const product = numberIn(line, 'product_id')
  return {
    remote_id: idIn(line, 'id'),
    sku: maybeText(line, 'sku'),
    product_remote_id: product === 0 ? null : String(product),
    variant_remote_id: variation > 0 ? String(variation) : product === 0 ? null : String(product),
    title: textIn(line, 'name'),
    variant_title: null,
    quantity,
    quantity_fulfilled: fulfillment === 'fulfilled' ? quantity : 0,
    quantity_cancelled: status === 'cancelled' ? quantity : 0,
    unit_price: { amount: shareOf(subtotal, quantity), currency },
    discount: fromMinorUnits(toMinorUnits(subtotal) - toMinorUnits(total), currency),
    tax: { amount: textIn(line, 'total_tax'), currency },
    total,
    requires_shipping: null,
  }
}

/** A price per piece may be finer than the smallest coin. */
function shareOf({ amount, currency }: Money, quantity: number): string {
  const digits = digitsOf(currency)
  const exact = (Number(amount) / Math.max(1, quantity)).toFixed(6)
  const [whole = '0', fraction = ''] = exact.split('.')
  const kept = fraction.replace(/0+$/, '').padEnd(digits, '0')
  return kept === '' ? whole : `${whole}.${kept}`
}

export function toShipment(raw: unknown): RemoteShipment {
  const tracking = fieldsOf(raw)
  const day = maybeText(tracking, 'date_shipped')
  return {
    remote_id: textIn(tracking, 'tracking_id'),
    status: 'shipped',
    carrier_code: null,
    carrier_name: maybeText(tracking, 'tracking_provider'),
    service: null,
    tracking_number: maybeText(tracking, 'tracking_number'),
    tracking_url: maybeText(tracking, 'tracking_link'),
    shipped_at: day === null ? null : (maybeTime({ day: `${day.slice(0, 10)}T00:00:00Z` }, 'day') ?? null),
    delivered_at: null,
    location_remote_id: null,
    lines: [],
  }
}
