import { type Address, address } from '../../commerce/address.ts'
import type { Money } from '../../commerce/money.ts'
import {
  lineDefaults,
  type OrderFee,
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
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { unitsToMoney } from './amounts.ts'
import type { VendureFacts } from './settings.ts'
import { shipmentStates, statusesOf } from './statuses.ts'

/**
 * When an order last changed. Its own `updatedAt` stays behind when payments are settled and parcels are sent; each of
 * these leaves an entry in its history.
 */
export function changedAt(order: Fields): string {
  const history = maybeFields(order, 'history')
  const times = (history ? recordsIn(history, 'items') : []).map((entry) => timeIn(entry, 'createdAt'))
  return [timeIn(order, 'updatedAt'), ...times].reduce((last, time) => (time > last ? time : last))
}

/** Several changes may share a second: the number of entries distinguishes them. */
export function versionOf(order: Fields): string {
  const history = maybeFields(order, 'history')
  return `${changedAt(order)}/${String(history ? numberIn(history, 'totalItems') : 0).padStart(6, '0')}`
}

/** All amounts include tax, so that goods less discounts and shipping make the total. */
export function toOrder(given: unknown, facts: VendureFacts): RemoteOrder {
  const raw = inOrder(given)
  const order = fieldsOf(raw)
  const currency = textIn(order, 'currencyCode')
  const money = (units: number): Money => unitsToMoney(units, currency, facts)
  const lines = recordsIn(order, 'lines')
  const surcharges = Array.isArray(order['surcharges']) ? recordsIn(order, 'surcharges') : []
  const goods = total(lines, 'linePriceWithTax')
  const fees = total(surcharges, 'priceWithTax')
  const parcels = recordsIn({ rows: order['fulfillments'] ?? [] }, 'rows')
  const payments = recordsIn({ rows: order['payments'] ?? [] }, 'rows')
  const refunds = refundsOf(payments).map((refund) => toRefund(refund, money))
  const orderLines = lines.map((line) => toLine(line, { parcels, refunds, money }))
  const shipped = fulfillmentOf(orderLines, parcels)
  const refunded = total(refundsOf(payments), 'total')
  return {
    ...orderDefaults,
    remote_id: idIn(order, 'id'),
    number: textIn(order, 'code'),
    channel: 'vendure',
    marketplace: null,
    ...wordsOf(order, shipped, facts),
    payment_status: paymentOf(order, payments),
    currency,
    subtotal: money(goods),
    discount_total: money(goods + fees - numberIn(order, 'subTotalWithTax')),
    shipping_total: money(numberIn(order, 'shippingWithTax')),
    tax_total: money(numberIn(order, 'totalWithTax') - numberIn(order, 'total')),
    total: money(numberIn(order, 'totalWithTax')),
    fee_total: money(fees),
    refunded_total: money(refunded),
    prices_include_tax: true,
    customer: toCustomer(maybeFields(order, 'customer')),
    billing_address: toAddress(maybeFields(order, 'billingAddress')),
    shipping_address: toAddress(maybeFields(order, 'shippingAddress')),
    shipping_method: shippingMethodOf(
      recordsIn(order, 'shippingLines').map((one) => textIn(fieldsIn(one, 'shippingMethod'), 'name')),
    ),
    lines: orderLines,
    fees: surcharges.map((fee) => toFee(fee, money)),
    refunds,
    shipments: parcels.map(toShipment),
    admin_url: adminPage(facts, `/orders/${encodeURIComponent(idIn(order, 'id'))}`),
    note: null,
    tags: [],
    external_reference: null,
    acknowledged: null,
    test: false,
    placed_at: maybeTime(order, 'orderPlacedAt') ?? timeIn(order, 'createdAt'),
    ship_by: null,
    ...cancellationOf(order),
    remote_created_at: timeIn(order, 'createdAt'),
    remote_updated_at: changedAt(order),
    remote_version: versionOf(order),
    raw,
  }
}

const total = (records: readonly Fields[], name: string): number =>
  records.reduce((sum, record) => sum + numberIn(record, name), 0)

function wordsOf(
  order: Fields,
  fulfillment: RemoteOrder['fulfillment_status'],
  facts: VendureFacts,
): Pick<RemoteOrder, 'status' | 'hold_reason' | 'fulfillment_status' | 'remote_status'> {
  const state = textIn(order, 'state')
  const status = statusesOf(facts).get(state)
  const allSent = fulfillment === 'fulfilled' || fulfillment === 'delivered'
  const complete = state === 'PartiallyDelivered' && allSent
  const shown = { fulfillment_status: fulfillment, remote_status: state }
  if (!status) return { ...unknownStatus(state, 'custom_states'), ...shown }
  return { status: complete ? 'completed' : status, hold_reason: status === 'on_hold' ? state : null, ...shown }
}

/** By what has really been sent: an order whose payment is not settled stays where it is when its parcels go. */
function fulfillmentOf(lines: readonly OrderLine[], parcels: readonly Fields[]): RemoteOrder['fulfillment_status'] {
  const wanted = lines.reduce((sum, { quantity, quantity_cancelled: gone }) => sum + quantity - gone, 0)
  const sent = lines.reduce((sum, { quantity_fulfilled: quantity }) => sum + quantity, 0)
  if (sent === 0) return 'unfulfilled'
  if (sent < wanted) return 'partial'
  return parcels.some(({ state }) => state === 'Shipped') ? 'fulfilled' : 'delivered'
}

type ToMoney = (units: number) => Money

/** What comes on top of goods and shipping; a surcharge below zero is taken off. */
const toFee = (fee: Fields, money: ToMoney): OrderFee => {
  const whole = numberIn(fee, 'priceWithTax')
  return {
    remote_id: fee['id'] == null ? null : idIn(fee, 'id'),
    title: maybeText(fee, 'description') ?? 'Surcharge',
    amount: money(whole),
    tax: money(fee['price'] == null ? 0 : whole - numberIn(fee, 'price')),
  }
}

const toRefund = (refund: Fields, money: ToMoney): OrderRefund => ({
  remote_id: refund['id'] == null ? null : idIn(refund, 'id'),
  amount: money(numberIn(refund, 'total')),
  reason: maybeText(refund, 'reason'),
  refunded_at: maybeTime(refund, 'createdAt'),
  lines: recordsIn({ rows: refund['lines'] ?? [] }, 'rows').map((line) => ({
    order_line_remote_id: idIn(line, 'orderLineId'),
    quantity: numberIn(line, 'quantity'),
    amount: null,
  })),
})

/** What is pending is on its way: the server itself no longer lets it be refunded. */
const refundsOf = (payments: readonly Fields[]): readonly Fields[] =>
  payments
    .flatMap((payment) => recordsIn({ rows: payment['refunds'] ?? [] }, 'rows'))
    .filter(({ state }) => state === 'Settled' || state === 'Pending')

function paymentOf(order: Fields, payments: readonly Fields[]): RemoteOrder['payment_status'] {
  const inState = (...states: string[]) => payments.filter(({ state }) => states.some((one) => one === state))
  const settled = total(inState('Settled'), 'amount')
  const refunded = total(
    refundsOf(payments).filter(({ state }) => state === 'Settled'),
    'total',
  )
  if (refunded > 0) return refunded < settled ? 'partially_refunded' : 'refunded'
  if (settled > 0) return settled < numberIn(order, 'totalWithTax') ? 'partially_paid' : 'paid'
  if (inState('Authorized').length > 0) return 'authorized'
  if (inState('Created').length > 0) return 'pending'
  if (inState('Declined', 'Error').length > 0) return 'failed'
  if (inState('Cancelled').length > 0) return 'voided'
  // Nothing had to be paid.
  return payments.length === 0 && textIn(order, 'state') === 'PaymentSettled' ? 'paid' : 'pending'
}

function cancellationOf(order: Fields): Pick<RemoteOrder, 'cancelled_at' | 'cancel_reason'> {
  const [entry] = recordsIn(maybeFields(order, 'cancellation') ?? { items: [] }, 'items')
  if (!entry || textIn(order, 'state') !== 'Cancelled') return { cancelled_at: null, cancel_reason: null }
  return { cancelled_at: timeIn(entry, 'createdAt'), cancel_reason: maybeText(fieldsIn(entry, 'data'), 'reason') }
}

const toCustomer = (customer: Fields | null): RemoteOrder['customer'] =>
  customer && {
    remote_id: idIn(customer, 'id'),
    email: maybeText(customer, 'emailAddress'),
    first_name: maybeText(customer, 'firstName'),
    last_name: maybeText(customer, 'lastName'),
    phone: maybeText(customer, 'phoneNumber'),
    is_guest: customer['user'] === null,
  }

/** An order without an address has one in which everything is empty. */
export function toAddress(place: Fields | null): Address | null {
  if (!place || Object.values(place).every((value) => value === null || value === '')) return null
  return address({
    name: maybeText(place, 'fullName'),
    company: maybeText(place, 'company'),
    line1: maybeText(place, 'streetLine1'),
    line2: maybeText(place, 'streetLine2'),
    city: maybeText(place, 'city'),
    region: maybeText(place, 'province'),
    postal_code: maybeText(place, 'postalCode'),
    country_code: maybeText(place, 'countryCode')?.toUpperCase() ?? null,
    phone: maybeText(place, 'phoneNumber'),
  })
}

/** Cancelled goods are taken off a line there; how many there were when the order was placed is kept beside it. */
function toLine(
  line: Fields,
  { parcels, refunds, money }: { parcels: readonly Fields[]; refunds: readonly OrderRefund[]; money: ToMoney },
): OrderLine {
  const [id, left] = [idIn(line, 'id'), numberIn(line, 'quantity')]
  const quantity = Math.max(left, numberIn(line, 'orderPlacedQuantity'))
  const variant = fieldsIn(line, 'productVariant')
  // Less the line's share of what was taken off the whole order; who did not ask for that knows the line's own.
  const paid = numberIn(
    line,
    line['proratedLinePriceWithTax'] === undefined ? 'discountedLinePriceWithTax' : 'proratedLinePriceWithTax',
  )
  const sent = parcels.filter(({ state }) => state === 'Shipped' || state === 'Delivered')
  return {
    ...lineDefaults,
    remote_id: id,
    sku: maybeText(variant, 'sku'),
    product_remote_id: idIn(fieldsIn(variant, 'product'), 'id'),
    variant_remote_id: idIn(variant, 'id'),
    title: textIn(variant, 'name'),
    variant_title: null,
    quantity,
    quantity_fulfilled: quantityIn(sent, id),
    quantity_cancelled: quantity - left,
    quantity_refunded: refundedIn(refunds, id),
    unit_price: money(numberIn(line, 'unitPriceWithTax')),
    discount: money(numberIn(line, 'linePriceWithTax') - paid),
    tax: money(numberIn(line, 'lineTax')),
    total: money(paid),
    requires_shipping: null,
  }
}

/** How many of a line these parcels hold. */
export const quantityIn = (parcels: readonly Fields[], lineId: string): number =>
  total(
    parcels.flatMap((parcel) => recordsIn(parcel, 'lines')).filter((one) => idIn(one, 'orderLineId') === lineId),
    'quantity',
  )

export function toShipment(raw: unknown): RemoteShipment {
  const parcel = fieldsOf(raw)
  const state = textIn(parcel, 'state')
  const status = shipmentStates[state]
  if (!status) throw new Unreadable(say('unknown_value', { name: 'status', value: state }))
  return {
    remote_id: idIn(parcel, 'id'),
    status,
    carrier_code: null,
    carrier_name: maybeText(parcel, 'method'),
    service: null,
    tracking_number: maybeText(parcel, 'trackingCode'),
    tracking_url: null,
    shipped_at: status === 'shipped' ? timeIn(parcel, 'updatedAt') : null,
    delivered_at: status === 'delivered' ? timeIn(parcel, 'updatedAt') : null,
    location_remote_id: null,
    lines: recordsIn(parcel, 'lines').map((one) => ({
      order_line_remote_id: idIn(one, 'orderLineId'),
      quantity: numberIn(one, 'quantity'),
    })),
  }
}
