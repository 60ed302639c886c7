import { type Address, address } from '../../commerce/address.ts'
import { compareDecimals, minus, sum } from '../../commerce/decimal.ts'
import { digitsOf, type Money, zero } from '../../commerce/money.ts'
import {
  lineDefaults,
  type OrderLine,
  type OrderRefund,
  type OrderReturn,
  orderDefaults,
  type RemoteOrder,
  shippingMethodOf,
} from '../../commerce/order.ts'
import {
  type Fields,
  fieldsOf,
  idIn,
  isFields,
  maybeFields,
  maybeText,
  maybeTime,
  numberIn,
  recordsIn,
  textIn,
  timeIn,
} from '../../commerce/reading.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { adminPage } from '../../commerce/wire/admin-address.ts'
import { inOrder } from '../../commerce/wire/in-order.ts'
import { moneyIn, priceIn, rounded } from './amounts.ts'
import type { MedusaFacts } from './settings.ts'
import { payments, returnStatuses, statuses } from './statuses.ts'

const rowsIn = (fields: Fields, name: string): readonly Fields[] => recordsIn({ rows: fields[name] ?? [] }, 'rows')

const paymentsOf = (order: Fields) =>
  rowsIn(order, 'payment_collections').flatMap((collection) => rowsIn(collection, 'payments'))

const lastOf = (order: Fields, parts: readonly Fields[]): string =>
  [timeIn(order, 'updated_at'), ...parts.flatMap((one) => maybeTime(one, 'updated_at') ?? [])].reduce((last, time) =>
    time > last ? time : last,
  )

/** When an order last changed, as lists can be asked. Its own time stays behind when a payment is captured. */
const listedAt = (order: Fields): string => lastOf(order, paymentsOf(order))

/** When it last changed at all: what payments belong to has a time as well, by which nothing can be listed. */
export const changedAt = (order: Fields): string =>
  lastOf(order, [...rowsIn(order, 'payment_collections'), ...paymentsOf(order)])

export const versionOf = (order: Fields): string =>
  `${changedAt(order)}/${String(numberIn(order, 'version')).padStart(6, '0')}`

export function toOrder(given: unknown, facts?: MedusaFacts): RemoteOrder {
  const raw = inOrder(given)
  const order = fieldsOf(raw)
  const currency = textIn(order, 'currency_code').toUpperCase()
  const money = (name: string) => moneyIn(order, name, currency)
  const status = textIn(order, 'status')
  const cancelled = status === 'canceled'
  const lines = recordsIn(order, 'items').map((item) => toLine(item, currency, cancelled))
  const summary = maybeFields(order, 'summary') ?? {}
  const [first] = recordsIn(order, 'items')
  return {
    ...orderDefaults,
    remote_id: textIn(order, 'id'),
    number: idIn(order, 'display_id'),
    channel: 'medusa',
    marketplace: null,
    ...wordsOf({ status, payment: textIn(order, 'payment_status') }, lines, recordsIn(order, 'items')),
    payment_status: paymentOf(order),
    currency,
    // Told without the tax, also where the prices contain it.
    subtotal: first?.['is_tax_inclusive'] === true ? goodsOf(lines, currency) : money('item_subtotal'),
    discount_total: money('discount_total'),
    shipping_total: money('shipping_total'),
    tax_total: money('tax_total'),
    total: money('total'),
    fee_total: zero(currency),
    refunded_total: summary['refunded_total'] == null ? null : moneyIn(summary, 'refunded_total', currency),
    prices_include_tax: first ? first['is_tax_inclusive'] === true : null,
    customer: toCustomer(order),
    billing_address: toAddress(maybeFields(order, 'billing_address')),
    shipping_address: toAddress(maybeFields(order, 'shipping_address')),
    shipping_method: shippingMethodOf(rowsIn(order, 'shipping_methods').map((one) => textIn(one, 'name'))),
    lines,
    fees: [],
    refunds: paymentsOf(order)
      .flatMap((payment) => rowsIn(payment, 'refunds'))
      .map((refund) => toRefund(refund, currency)),
    returns: rowsIn(order, 'returns').flatMap(toReturn),
    shipments: rowsIn(order, 'fulfillments').map(toShipment),
    admin_url: adminPage(facts, `/orders/${encodeURIComponent(textIn(order, 'id'))}`),
    note: null,
    tags: [],
    external_reference: null,
    acknowledged: null,
    test: false,
    placed_at: timeIn(order, 'created_at'),
    ship_by: null,
    cancelled_at: maybeTime(order, 'canceled_at'),
    cancel_reason: null,
    remote_created_at: timeIn(order, 'created_at'),
    remote_updated_at: listedAt(order),
    remote_version: versionOf(order),
    raw,
  }
}

const toRefund = (refund: Fields, currency: string): OrderRefund => ({
  remote_id: textIn(refund, 'id'),
  amount: moneyIn(refund, 'amount', currency),
  reason: maybeText(refund, 'note'),
  refunded_at: maybeTime(refund, 'created_at'),
  lines: [],
})

/** `open` is one that the people at the shop are still putting together. */
const toReturn = (back: Fields): OrderReturn[] => {
  const status = textIn(back, 'status')
  if (status === 'open') return []
  const lines = rowsIn(back, 'items').map((item) => ({
    order_line_remote_id: textIn(item, 'item_id'),
    quantity: numberIn(item, 'quantity'),
    reason: maybeText(item, 'note') ?? maybeText(maybeFields(item, 'reason') ?? {}, 'label'),
  }))
  return [
    {
      remote_id: textIn(back, 'id'),
      status: returnStatuses[status] ?? 'unknown',
      remote_status: status,
      requested_at: maybeTime(back, 'requested_at') ?? maybeTime(back, 'created_at'),
      lines,
    },
  ]
}

type Words = Pick<RemoteOrder, 'status' | 'hold_reason' | 'fulfillment_status' | 'remote_status'>

/** By the pieces: the server calls an order fulfilled of which one piece of two has been. */
function wordsOf(
  reported: { status: string; payment: string },
  lines: readonly OrderLine[],
  items: readonly Fields[],
): Words {
  const status = statuses[reported.status]
  const wanted = lines.reduce((count, { quantity }) => count + quantity, 0)
  const sent = lines.reduce((count, { quantity_fulfilled: quantity }) => count + quantity, 0)
  const arrived = items.reduce((count, item) => count + piecesIn(item, 'delivered_quantity'), 0)
  const all = sent >= wanted && sent > 0
  const fulfillment = sent === 0 ? 'unfulfilled' : !all ? 'partial' : arrived >= wanted ? 'delivered' : 'fulfilled'
  return {
    ...(status && payments[reported.payment]
      ? { status: status === 'open' && all ? 'completed' : status, hold_reason: null }
      : unknownStatus(status ? reported.payment : reported.status, null)),
    fulfillment_status: fulfillment,
    remote_status: reported.status,
  }
}

/** How many of a line have come so far. */
export const piecesIn = (item: Fields, name: string): number => {
  const detail = maybeFields(item, 'detail') ?? {}
  return detail[name] == null ? 0 : numberIn(detail, name)
}

/** The server calls a payment refunded of which any part has been. */
function paymentOf(order: Fields): RemoteOrder['payment_status'] {
  const reported = textIn(order, 'payment_status')
  const payment = payments[reported] ?? 'unknown'
  const total = (name: string) =>
    sum(rowsIn(order, 'payment_collections').map((one) => (one[name] == null ? '0' : rounded(one[name], 6, 2))))
  if (payment !== 'refunded') return payment
  return compareDecimals(total('refunded_amount'), total('captured_amount')) < 0 ? 'partially_refunded' : 'refunded'
}

function toCustomer(order: Fields): RemoteOrder['customer'] {
  const customer = maybeFields(order, 'customer')
  const [id, email] = [maybeText(order, 'customer_id'), maybeText(order, 'email')]
  if (!customer && id === null && email === null) return null
  return {
    remote_id: id,
    email,
    first_name: customer && maybeText(customer, 'first_name'),
    last_name: customer && maybeText(customer, 'last_name'),
    phone: customer && maybeText(customer, 'phone'),
    is_guest: customer ? customer['has_account'] === false : id === null,
  }
}

/** A province may be written as people write it, or as `us-ca`. */
export function toAddress(place: Fields | null): Address | null {
  if (!place) return null
  const country = maybeText(place, 'country_code')?.toUpperCase() ?? null
  const province = maybeText(place, 'province')
  const code = /^[a-z]{2}-([a-z0-9]{1,3})$/i.exec(province ?? '')?.[1]?.toUpperCase() ?? null
  return address({
    name: [maybeText(place, 'first_name'), maybeText(place, 'last_name')].filter(Boolean).join(' ') || null,
    first_name: maybeText(place, 'first_name'),
    last_name: maybeText(place, 'last_name'),
    company: maybeText(place, 'company'),
    line1: maybeText(place, 'address_1'),
    line2: maybeText(place, 'address_2'),
    city: maybeText(place, 'city'),
    region: code === null ? province : null,
    region_code: code,
    postal_code: maybeText(place, 'postal_code'),
    country_code: country,
    phone: maybeText(place, 'phone'),
  })
}

/** What the goods cost before discounts. */
const goodsOf = (lines: readonly OrderLine[], currency: string): Money => ({
  amount: sum(
    lines.flatMap(({ total, discount }) => [total.amount, discount.amount]),
    digitsOf(currency),
  ),
  currency,
})

function toLine(item: Fields, currency: string, cancelled: boolean): OrderLine {
  const quantity = numberIn(item, 'quantity')
  const [total, tax] = [moneyIn(item, 'total', currency), moneyIn(item, 'tax_total', currency)]
  const sent = piecesIn(item, 'fulfilled_quantity')
  return {
    ...lineDefaults,
    remote_id: textIn(item, 'id'),
    sku: maybeText(item, 'variant_sku'),
    product_remote_id: maybeText(item, 'product_id'),
    variant_remote_id: maybeText(item, 'variant_id'),
    title: maybeText(item, 'product_title') ?? textIn(item, 'title'),
    variant_title: maybeText(item, 'variant_title'),
    quantity,
    quantity_fulfilled: sent,
    quantity_cancelled: cancelled ? quantity - sent : 0,
    // Goods that were taken back; money alone names no line.
    quantity_refunded: piecesIn(item, 'return_received_quantity'),
    unit_price: priceIn(item, 'unit_price', currency),
    discount: moneyIn(item, 'discount_total', currency),
    tax,
    // Told with the tax, also where that comes on top of the prices.
    total:
      item['is_tax_inclusive'] === true
        ? total
        : { amount: minus(total.amount, tax.amount, digitsOf(currency)), currency },
    requires_shipping: item['requires_shipping'] === true,
  }
}

/** What we have left at a fulfilment when it was made. */
export const markOf = (parcel: Fields): Fields => (isFields(parcel['metadata']) ? parcel['metadata'] : {})

export function toShipment(raw: unknown): RemoteShipment {
  const parcel = fieldsOf(raw)
  const [label = {}] = rowsIn(parcel, 'labels')
  return {
    remote_id: textIn(parcel, 'id'),
    status: shipmentStatus(parcel),
    carrier_code: null,
    carrier_name: maybeText(markOf(parcel), 'carrier'),
    service: null,
    tracking_number: maybeText(label, 'tracking_number'),
    tracking_url: maybeText(label, 'tracking_url'),
    shipped_at: maybeTime(parcel, 'shipped_at'),
    delivered_at: maybeTime(parcel, 'delivered_at'),
    location_remote_id: maybeText(parcel, 'location_id'),
    lines: rowsIn(parcel, 'items').flatMap((item) =>
      maybeText(item, 'line_item_id') === null
        ? []
        : [{ order_line_remote_id: textIn(item, 'line_item_id'), quantity: numberIn(item, 'quantity') }],
    ),
  }
}

function shipmentStatus(parcel: Fields): RemoteShipment['status'] {
  if (maybeTime(parcel, 'canceled_at') !== null) return 'cancelled'
  if (maybeTime(parcel, 'delivered_at') !== null) return 'delivered'
  return maybeTime(parcel, 'shipped_at') === null ? 'pending' : 'shipped'
}
