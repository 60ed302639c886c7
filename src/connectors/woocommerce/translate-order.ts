import { address } from '../../commerce/address.ts'
import { compareDecimals, decimal, minus, share, sum } from '../../commerce/decimal.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import {
  lineDefaults,
  type OrderLine,
  type OrderRefund,
  orderDefaults,
  type RemoteOrder,
  refundedIn,
  shippingMethodOf,
} from '../../commerce/order.ts'
import {
  type Fields,
  fieldsIn,
  fieldsOf,
  idIn,
  maybeFields,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
  timeIn,
} from '../../commerce/reading.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { originOf } from '../../commerce/wire/shop-address.ts'
import { changedAt } from './pages.ts'
import { feesOf, refundsOf } from './refunds/read-refunds.ts'
import type { WooFacts } from './settings.ts'
import { ownParcels, shipmentsOf } from './translate-shipment.ts'
import { maybeName, nameIn, plain } from './values.ts'

/** Our note on an order that we made: by it an order made twice by accident is found. */
export const referenceKey = '_entrepot_reference'

export function toOrder(raw: unknown, facts: WooFacts): RemoteOrder {
  const order = fieldsOf(raw)
  const currency = textIn(order, 'currency')
  const digits = digitsOf(currency)
  const money = (amount: string): Money => ({ amount, currency })
  const amountIn = (name: string): Money => money(decimal(order[name], digits))
  const lines = recordsIn(order, 'line_items')
  const refunds = refundsOf(order, currency)
  const fees = feesOf(order, currency)
  const refunded = sum(
    refunds.map(({ amount }) => amount.amount),
    digits,
  )
  const words = wordsOf(order, { facts, refunded })
  const shipments = shipmentsOf(order)
  const billing = fieldsIn(order, 'billing')
  const buyer = numberIn(order, 'customer_id')
  const changed = changedAt(order)
  const remoteStatus = textIn(order, 'status')
  return {
    ...orderDefaults,
    remote_id: idIn(order, 'id'),
    number: textIn(order, 'number'),
    channel: 'woocommerce',
    marketplace: null,
    ...words,
    remote_status: remoteStatus,
    currency,
    subtotal: money(
      sum(
        lines.map((line) => decimal(line['subtotal'], digits)),
        digits,
      ),
    ),
    discount_total: amountIn('discount_total'),
    shipping_total: amountIn('shipping_total'),
    tax_total: amountIn('total_tax'),
    total: amountIn('total'),
    fee_total: money(
      sum(
        fees.map(({ amount }) => amount.amount),
        digits,
      ),
    ),
    refunded_total: money(refunded),
    // Amounts of orders are without tax, however the shop enters its prices.
    prices_include_tax: false,
    customer: {
      remote_id: buyer === 0 ? null : String(buyer),
      email: maybeText(billing, 'email'),
      first_name: maybeText(billing, 'first_name'),
      last_name: maybeText(billing, 'last_name'),
      phone: maybeText(billing, 'phone'),
      is_guest: buyer === 0,
    },
    billing_address: toAddress(billing),
    shipping_address: toAddress(maybeFields(order, 'shipping')),
    shipping_method: shippingMethodOf(recordsIn(order, 'shipping_lines').map((one) => maybeName(one, 'method_title'))),
    lines: lines.map((line) => toLine(line, words, { currency, refunds, sent: sentIn(shipments, idIn(line, 'id')) })),
    fees,
    refunds,
    shipments,
    admin_url: `${originOf(facts)}/wp-admin/admin.php?page=wc-orders&action=edit&id=${idIn(order, 'id')}`,
    note: maybeText(order, 'customer_note'),
    tags: [],
    external_reference: metaIn(order, referenceKey),
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

type Words = Pick<RemoteOrder, 'status' | 'payment_status' | 'fulfillment_status' | 'hold_reason'>

const statuses: Readonly<Record<string, RemoteOrder['status'] | undefined>> = {
  pending: 'pending',
  'checkout-draft': 'pending',
  'on-hold': 'on_hold',
  processing: 'open',
  completed: 'completed',
  cancelled: 'cancelled',
  // The customer may try another card.
  failed: 'pending',
  // Paid back in full: what had left before that stays sold, what had not will never leave.
  refunded: 'open',
  trash: 'cancelled',
}

/** What a status means, by itself or because a setting says so; undefined where nobody has said. */
export const meaningOf = (word: string, { settings }: WooFacts): RemoteOrder['status'] | undefined =>
  statuses[word] ??
  settings.order_statuses?.find(({ status }) => status === word)?.means ??
  (word === settings.shipped_status ? 'completed' : undefined)

/** One word says how far the order is; whether it was paid and what of it has left is found elsewhere. */
function wordsOf(order: Fields, { facts, refunded }: { facts: WooFacts; refunded: string }): Words {
  const reported = textIn(order, 'status')
  const finished = maybeText(order, 'date_completed_gmt') !== null
  const known = reported === 'refunded' && finished ? 'completed' : meaningOf(reported, facts)
  const held = known ? { status: known, hold_reason: null } : unknownStatus(reported, 'order_statuses')
  return {
    ...held,
    payment_status: paymentOf(order, refunded),
    fulfillment_status: fulfillmentOf(order, held.status),
  }
}

function paymentOf(order: Fields, refunded: string): Words['payment_status'] {
  const reported = textIn(order, 'status')
  if (reported === 'refunded') return 'refunded'
  if (compareDecimals(refunded, '0') > 0) {
    return compareDecimals(refunded, decimal(order['total'])) < 0 ? 'partially_refunded' : 'refunded'
  }
  // What is paid on delivery is worked on without a day of payment, and has one, or is older, when it is done.
  if (reported === 'completed' || maybeText(order, 'date_paid_gmt') !== null) return 'paid'
  if (reported === 'failed') return 'failed'
  return reported === 'cancelled' || reported === 'trash' ? 'voided' : 'pending'
}

function fulfillmentOf(order: Fields, status: Words['status']): Words['fulfillment_status'] {
  if (status === 'completed') return 'fulfilled'
  const reported = metaIn(order, '_fulfillment_status')
  if (reported === 'fulfilled') return 'fulfilled'
  return reported === 'partially_fulfilled' || ownParcels(order).length > 0 ? 'partial' : 'unfulfilled'
}

/** A note to machines, if it is a text. */
function metaIn(record: Fields, key: string): string | null {
  const value = recordsIn(record, 'meta_data').find((note) => note['key'] === key)?.['value']
  return typeof value === 'string' && value !== '' ? value : null
}

export function toAddress(place: Fields | null) {
  const text = (name: string) => (place ? maybeText(place, name) : null)
  const names = [text('first_name'), text('last_name')].filter(Boolean).join(' ')
  const known = address({
    name: names || null,
    first_name: text('first_name'),
    last_name: text('last_name'),
    company: text('company'),
    line1: text('address_1'),
    line2: text('address_2'),
    city: text('city'),
    region_code: text('state'),
    postal_code: text('postcode'),
    country_code: text('country'),
    phone: text('phone'),
    email: text('email'),
  })
  // An order that is not sent anywhere has an address all the same, of empty lines.
  return Object.values(known).every((value) => value === null) ? null : known
}

/** How many of a line have left, where that is known. */
const sentIn = (shipments: readonly RemoteShipment[], line: string): number =>
  shipments
    .filter(({ status }) => status === 'shipped')
    .flatMap(({ lines }) => lines)
    .filter((one) => one.order_line_remote_id === line)
    .reduce((count, one) => count + one.quantity, 0)

function toLine(
  line: Fields,
  { status, fulfillment_status: fulfillment }: Words,
  { currency, refunds, sent }: { currency: string; refunds: readonly OrderRefund[]; sent: number },
): OrderLine {
  const digits = digitsOf(currency)
  const quantity = numberIn(line, 'quantity')
  const subtotal = decimal(line['subtotal'], digits)
  const total = decimal(line['total'], digits)
  const variation = numberIn(line, 'variation_id')
  const product = numberIn(line, 'product_id')
  return {
    ...lineDefaults,
    remote_id: idIn(line, 'id'),
    sku: maybeText(line, 'sku'),
    // The product may be gone; then there is no number left.
    product_remote_id: product === 0 ? null : String(product),
    variant_remote_id: variation !== 0 ? String(variation) : product === 0 ? null : String(product),
    title: nameIn(line, 'name'),
    variant_title: variation === 0 ? null : optionsOf(line),
    quantity,
    quantity_fulfilled: fulfillment === 'fulfilled' ? quantity : Math.min(quantity, sent),
    quantity_cancelled: status === 'cancelled' ? quantity : 0,
    quantity_refunded: refundedIn(refunds, idIn(line, 'id')),
    // Their own price per piece is a float.
    unit_price: { amount: quantity === 0 ? subtotal : decimal(share(subtotal, quantity, 6), digits), currency },
    discount: { amount: minus(subtotal, total, digits), currency },
    tax: { amount: decimal(line['total_tax'], digits), currency },
    total: { amount: total, currency },
    requires_shipping: null,
  }
}

/**
 * What was chosen, as the shop shows it: the value itself is the short name in addresses, "dark-blue" or "%e9%9d%92". Notes of
 * plug-ins, which begin with a low line, are not for people.
 */
function optionsOf(line: Fields): string | null {
  const values = recordsIn(line, 'meta_data').flatMap(({ key, value, display_value: shown }) => {
    const isForPeople = typeof key === 'string' && !key.startsWith('_') && typeof value === 'string' && value !== ''
    if (!isForPeople) return []
    return [typeof shown === 'string' && shown !== '' ? plain(shown) : value]
  })
  return values.join(', ') || null
}
