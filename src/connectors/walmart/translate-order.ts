import { type Address, address } from '../../commerce/address.ts'
import { compareDecimals, decimal, minus, share, sum } from '../../commerce/decimal.ts'
import type { Money } from '../../commerce/money.ts'
import {
  lineDefaults,
  type OrderLine,
  type OrderRefund,
  orderDefaults,
  type RemoteOrder,
} from '../../commerce/order.ts'
import {
  type Fields,
  fieldsIn,
  fieldsOf,
  isFields,
  maybeFields,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
  timeOfUnix,
} from '../../commerce/reading.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { countryOf } from './countries.ts'
import { nodeTypes } from './order-windows.ts'
import { countOf, type LinePart, partsOf, quantityIn, wordsOf } from './statuses.ts'

export function toOrder(raw: unknown): RemoteOrder {
  const order = fieldsOf(raw)
  const lines = linesIn(order)
  const parts = lines.flatMap(partsOf)
  const charges = lines.flatMap(chargesOf)
  const currency = charges[0]?.currency ?? 'USD'
  const money = (amount: string): Money => ({ amount: decimal(amount), currency })
  const words = wordsOf(parts)
  const shipping = fieldsIn(order, 'shippingInfo')
  const total = sum(charges.map(({ amount, tax }) => sum([amount, tax])))
  const refunded = sum(lines.map(refundOf))
  const placed = momentIn(order, 'orderDate')
  const changed = lines.map((line) => momentIn(line, 'statusDate')).reduce((a, b) => (a > b ? a : b), placed)
  const cancelled = words.status === 'cancelled'
  const kind = maybeText(order, 'orderType')
  return {
    ...orderDefaults,
    service_level: maybeText(shipping, 'methodCode'),
    fulfilled_by: isSentByWalmart(order) ? 'platform' : nodeIn(order) === null ? null : 'merchant',
    cancel_requested: words.status === 'open' && lines.some(isUnwanted),
    remote_id: textIn(order, 'purchaseOrderId'),
    number: textIn(order, 'customerOrderId'),
    channel: 'walmart',
    marketplace: null,
    ...words,
    payment_status: cancelled ? 'voided' : paymentOf(refunded, total),
    currency,
    subtotal: money(amountOf(charges, 'goods')),
    discount_total: money(amountOf(charges, 'discount').replace(/^-/, '')),
    shipping_total: money(amountOf(charges, 'shipping')),
    tax_total: money(sum(charges.map(({ tax }) => tax))),
    total: money(total),
    fee_total: money(amountOf(charges, 'other')),
    refunded_total: money(refunded),
    prices_include_tax: false,
    customer: {
      remote_id: maybeText(order, 'buyerId'),
      email: emailOf(order),
      first_name: null,
      last_name: maybeText(fieldsIn(shipping, 'postalAddress'), 'name'),
      phone: maybeText(shipping, 'phone'),
      is_guest: order['isGuest'] === true,
    },
    billing_address: null,
    shipping_address: toAddress(shipping),
    shipping_method: maybeText(shipping, 'methodCode'),
    lines: lines.map(toLine),
    fees: charges
      .filter(({ kind }) => kind === 'other')
      .map(({ name, amount, tax }) => ({ remote_id: null, title: name, amount: money(amount), tax: money(tax) })),
    refunds: lines.flatMap((line) => toRefunds(line, money)),
    shipments: parcelsIn(order),
    admin_url: `https://seller.walmart.com/orders/manage-orders?orderGroups=All&poNumber=${encodeURIComponent(textIn(order, 'purchaseOrderId'))}`,
    note: null,
    tags: kind === null || kind === 'REGULAR' ? [] : [kind],
    external_reference: null,
    acknowledged: countOf(parts, 'Created') === 0,
    test: false,
    placed_at: placed,
    ship_by: shipping['estimatedShipDate'] == null ? null : momentIn(shipping, 'estimatedShipDate'),
    cancelled_at: cancelled ? changed : null,
    cancel_reason: cancelled ? reasonIn(parts) : null,
    remote_created_at: placed,
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/** What Walmart writes as long as it does not know the address; whoever writes there writes to nobody. */
const noEmail = /^nocxemail@walmartone\.com$/i

function emailOf(order: Fields): string | null {
  const reported = maybeText(order, 'customerEmailId')
  return reported !== null && noEmail.test(reported) ? null : reported
}

/** The buyer wants this line cancelled; whoever sends it all the same has to say so. */
export const isUnwanted = (line: Fields): boolean =>
  !['', 'false'].includes(String(line['intentToCancel'] ?? '').toLowerCase())

/** Its own samples have a list there, without anything in it. */
const nodeIn = ({ shipNode: node }: Fields): string | null => (isFields(node) ? maybeText(node, 'type') : null)

/** From its own warehouse (WFS). */
export const isSentByWalmart = (order: Fields): boolean => nodeIn(order) === nodeTypes.walmart

export const linesIn = (order: Fields): readonly Fields[] => recordsIn(fieldsIn(order, 'orderLines'), 'orderLine')

const momentIn = (fields: Fields, name: string): string => timeOfUnix(numberIn(fields, name), 1000)

interface Charge {
  kind: 'goods' | 'shipping' | 'discount' | 'other'
  name: string
  amount: string
  tax: string
  currency: string
}

/** A discount of a subscription is a charge for goods as well, below zero. */
function chargesOf(line: Fields): Charge[] {
  return recordsIn(fieldsIn(line, 'charges'), 'charge').map((charge) => {
    const reported = fieldsIn(charge, 'chargeAmount')
    const amount = decimal(reported['amount'])
    const tax = maybeFields(charge, 'tax')
    const type = textIn(charge, 'chargeType')
    const isDiscount = amount.startsWith('-') || /discount/i.test(`${type} ${maybeText(charge, 'chargeName') ?? ''}`)
    return {
      kind: isDiscount ? 'discount' : type === 'PRODUCT' ? 'goods' : type === 'SHIPPING' ? 'shipping' : 'other',
      name: maybeText(charge, 'chargeName') ?? type,
      amount,
      tax: tax === null ? '0' : decimal(fieldsIn(tax, 'taxAmount')['amount']),
      currency: textIn(reported, 'currency'),
    }
  })
}

const amountOf = (charges: readonly Charge[], kind: Charge['kind']): string =>
  sum(charges.filter((one) => one.kind === kind).map(({ amount }) => amount))

/** Goods and taxes that were paid back, whichever sign they have. */
function refundOf(line: Fields): string {
  const refund = maybeFields(line, 'refund')
  const reported = refund && maybeFields(refund, 'refundCharges')
  if (!reported || reported['refundCharge'] == null) return '0'
  return sum(
    recordsIn(reported, 'refundCharge').flatMap((one) => {
      const charge = fieldsIn(one, 'charge')
      const tax = maybeFields(charge, 'tax')
      const amounts = [fieldsIn(charge, 'chargeAmount')['amount'], tax && fieldsIn(tax, 'taxAmount')['amount']]
      return amounts.filter((amount) => amount != null).map((amount) => decimal(amount).replace(/^-/, ''))
    }),
  )
}

/** Each line tells what was paid back for it; how many pieces that was is in its statuses. */
function toRefunds(line: Fields, money: (amount: string) => Money): OrderRefund[] {
  const amount = refundOf(line)
  const refund = maybeFields(line, 'refund')
  if (!refund || compareDecimals(amount, '0') === 0) return []
  const [first] = recordsIn(fieldsIn(refund, 'refundCharges'), 'refundCharge')
  const quantity = countOf(partsOf(line), 'Refund')
  return [
    {
      remote_id: maybeText(refund, 'refundId'),
      amount: money(amount),
      reason: maybeText(refund, 'refundComments') ?? (first ? maybeText(first, 'refundReason') : null),
      refunded_at: null,
      lines: [{ order_line_remote_id: textIn(line, 'lineNumber'), quantity, amount: money(amount) }],
    },
  ]
}

/** Buyers pay Walmart before an order is reported. */
function paymentOf(refunded: string, total: string): RemoteOrder['payment_status'] {
  if (compareDecimals(refunded, '0') === 0) return 'paid'
  return compareDecimals(refunded, total) < 0 ? 'partially_refunded' : 'refunded'
}

function toAddress(shipping: Fields): Address {
  const place = fieldsIn(shipping, 'postalAddress')
  const state = maybeText(place, 'state')
  return address({
    name: maybeText(place, 'name'),
    line1: maybeText(place, 'address1'),
    line2: maybeText(place, 'address2'),
    city: maybeText(place, 'city'),
    region: state,
    region_code: state !== null && /^[A-Z]{2}$/.test(state) ? state : null,
    postal_code: maybeText(place, 'postalCode'),
    country_code: countryOf(textIn(place, 'country')),
    phone: maybeText(shipping, 'phone'),
  })
}

function toLine(line: Fields): OrderLine {
  const item = fieldsIn(line, 'item')
  const charges = chargesOf(line)
  const currency = charges[0]?.currency ?? 'USD'
  const money = (amount: string): Money => ({ amount: decimal(amount), currency })
  const quantity = quantityIn(line, 'orderLineQuantity')
  const parts = partsOf(line)
  const goods = amountOf(charges, 'goods')
  const discount = amountOf(charges, 'discount').replace(/^-/, '')
  const sku = textIn(item, 'sku')
  return {
    ...lineDefaults,
    remote_id: textIn(line, 'lineNumber'),
    sku,
    // Of which group it is, if it is of one, an order does not say.
    product_remote_id: null,
    variant_remote_id: sku,
    title: textIn(item, 'productName'),
    variant_title: null,
    quantity,
    quantity_fulfilled: countOf(parts, 'Shipped', 'Refund', 'Delivered'),
    quantity_cancelled: countOf(parts, 'Cancelled'),
    quantity_refunded: countOf(parts, 'Refund'),
    unit_price: money(quantity === 0 ? goods : share(goods, quantity)),
    discount: money(discount),
    tax: money(sum(charges.map(({ tax }) => tax))),
    total: money(minus(goods, discount)),
    requires_shipping: true,
  }
}

/** Lines say how they were sent; those with one tracking number are in one parcel, those without in one each. */
export function parcelsIn(order: Fields): RemoteShipment[] {
  const sent = linesIn(order).flatMap((line) =>
    partsOf(line).flatMap((part) =>
      part.tracking !== null && ['Shipped', 'Refund', 'Delivered'].includes(part.step)
        ? [{ line: textIn(line, 'lineNumber'), part, tracking: part.tracking }]
        : [],
    ),
  )
  const parcels = Map.groupBy(sent, ({ tracking, line }) => maybeText(tracking, 'trackingNumber') ?? `line ${line}`)
  return [...parcels.values()].map((some) => {
    const lines = some.map(({ line, part }) => ({ order_line_remote_id: line, quantity: part.quantity }))
    const arrived = some.every(({ part }) => part.step === 'Delivered')
    return toParcel(some[0]?.tracking ?? {}, lines, arrived ? 'delivered' : 'shipped')
  })
}

export function toParcel(
  tracking: Fields,
  lines: RemoteShipment['lines'],
  status: RemoteShipment['status'] = 'shipped',
): RemoteShipment {
  const carrier = maybeFields(tracking, 'carrierName') ?? {}
  const number = maybeText(tracking, 'trackingNumber')
  return {
    // Parcels have no number of Walmart's.
    remote_id: number,
    status,
    carrier_code: maybeText(carrier, 'carrier'),
    carrier_name: maybeText(carrier, 'otherCarrier') ?? maybeText(carrier, 'carrier'),
    service: maybeText(tracking, 'methodCode'),
    tracking_number: number,
    tracking_url: maybeText(tracking, 'trackingURL'),
    shipped_at: tracking['shipDateTime'] == null ? null : momentIn(tracking, 'shipDateTime'),
    delivered_at: null,
    location_remote_id: null,
    lines,
  }
}

function reasonIn(parts: readonly LinePart[]): string | null {
  const reported = parts.map(({ reason }) => reason).find((reason) => typeof reason === 'string' && reason !== '')
  return typeof reported === 'string' ? reported : null
}
