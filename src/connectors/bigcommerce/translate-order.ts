import { type Address, address } from '../../commerce/address.ts'
import { decimal, minus, sum } from '../../commerce/decimal.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import { type OrderLine, orderDefaults, type RemoteOrder, shippingMethodOf } from '../../commerce/order.ts'
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
} from '../../commerce/reading.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { totalsOf } from './amounts.ts'
import { mailTimeIn } from './ask.ts'
import { toRefund } from './refunds/read-refunds.ts'
import type { BigFacts } from './settings.ts'
import { orderWords } from './statuses.ts'

/** An order with its consignments, their lines in full, and its shipments. */
export function toOrder(raw: unknown, facts?: Pick<BigFacts, 'shop'>): RemoteOrder {
  const order = fieldsOf(raw)
  // What the buyer was shown may be in another currency; amounts are in the one that was paid in.
  const currency = maybeText(order, 'default_currency_code') ?? textIn(order, 'currency_code')
  const money = (amount: unknown): Money => ({ amount: decimal(amount, digitsOf(currency)), currency })
  const totals = totalsOf(order, currency)
  const withTax = totals.prices_include_tax
  const sent = recordsIn(fieldsIn(order, 'consignments'), 'shipping')
  const [first] = sent
  const changed = mailTimeIn(order, 'date_modified')
  const cancelled = [5, 6].includes(numberIn(order, 'status_id'))
  return {
    ...orderDefaults,
    remote_id: idIn(order, 'id'),
    number: idIn(order, 'id'),
    channel: 'bigcommerce',
    marketplace: null,
    ...orderWords(order),
    currency,
    ...totals,
    refunded_total: money(order['refunded_amount'] ?? '0'),
    customer: customerOf(order),
    billing_address: toAddress(maybeFields(order, 'billing_address')),
    shipping_address: toAddress(first ?? null),
    shipping_method: shippingMethodOf(sent.map((one) => maybeText(one, 'shipping_method'))),
    sales_channel: channelOf(order),
    lines: linesIn(order).map((line) => toLine(line, { money, withTax })),
    refunds: recordsIn({ refunds: [], ...order }, 'refunds').map((refund) => toRefund(refund, currency)),
    shipments: recordsIn(order, 'shipments').map(toShipment),
    admin_url: facts === undefined ? null : `https://${facts.shop}/manage/orders/${idIn(order, 'id')}`,
    note: maybeText(order, 'customer_message') ?? maybeText(order, 'staff_notes'),
    tags: [],
    external_reference: maybeText(order, 'external_order_id'),
    acknowledged: null,
    test: false,
    placed_at: mailTimeIn(order, 'date_created'),
    ship_by: null,
    cancelled_at: cancelled ? changed : null,
    cancel_reason: null,
    remote_created_at: mailTimeIn(order, 'date_created'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/**
 * The storefront or other channel by its name, behind whatever else sold it there: `Harbour Outlet`, `POS:Harbour`. Where we may not see
 * names it is what sold it and the number: `www:1`, `POS:2`.
 */
function channelOf(order: Fields): string | null {
  const name = maybeText(order, 'channel_name')
  const source = maybeText(order, 'external_source') ?? (name === null ? maybeText(order, 'order_source') : null)
  const parts = [source, name ?? (order['channel_id'] == null ? null : idIn(order, 'channel_id'))]
  return parts.filter((part) => part !== null).join(':') || null
}

/** Goods that are sent, fetched, downloaded or mailed: each way has lines of its own. */
export function linesIn(order: Fields): readonly Fields[] {
  const ways = fieldsIn(order, 'consignments')
  const mailed = maybeFields(ways, 'email') ?? {}
  const lists = [ways['shipping'], ways['pickups'], ways['downloads'], mailed['gift_certificates']]
  return lists
    .flatMap((list) => (list == null ? [] : recordsIn({ list }, 'list')))
    .flatMap((way) => recordsIn(way, 'line_items'))
}

/** Guests have the number 0, and what they wrote on the bill. */
function customerOf(order: Fields): RemoteOrder['customer'] {
  const id = idIn(order, 'customer_id')
  const bill = maybeFields(order, 'billing_address') ?? {}
  return {
    remote_id: id === '0' ? null : id,
    email: maybeText(bill, 'email'),
    first_name: maybeText(bill, 'first_name'),
    last_name: maybeText(bill, 'last_name'),
    phone: maybeText(bill, 'phone'),
    is_guest: id === '0',
  }
}

export function toAddress(place: Fields | null): Address | null {
  if (place === null) return null
  const [first, last] = [maybeText(place, 'first_name'), maybeText(place, 'last_name')]
  return address({
    name: [first, last].filter((part) => part !== null).join(' ') || null,
    first_name: first,
    last_name: last,
    company: maybeText(place, 'company'),
    line1: maybeText(place, 'street_1'),
    line2: maybeText(place, 'street_2'),
    city: maybeText(place, 'city'),
    region: maybeText(place, 'state'),
    postal_code: maybeText(place, 'zip'),
    country_code: maybeText(place, 'country_iso2'),
    phone: maybeText(place, 'phone'),
    email: maybeText(place, 'email'),
  })
}

function toLine(line: Fields, { money, withTax }: { money: (amount: unknown) => Money; withTax: boolean }): OrderLine {
  const discounts = line['applied_discounts'] == null ? [] : recordsIn(line, 'applied_discounts')
  const discount = sum(discounts.map((one) => decimal(one['amount'])))
  const total = decimal(line[withTax ? 'total_inc_tax' : 'total_ex_tax'])
  const options = line['product_options'] == null ? [] : recordsIn(line, 'product_options')
  const idOrNull = (name: string) => (line[name] == null || line[name] === 0 ? null : idIn(line, name))
  return {
    remote_id: idIn(line, 'id'),
    sku: maybeText(line, 'sku'),
    product_remote_id: idOrNull('product_id'),
    variant_remote_id: idOrNull('variant_id'),
    title: textIn(line, 'name'),
    variant_title:
      options
        .map((one) => maybeText(one, 'display_value'))
        .filter(Boolean)
        .join(', ') || null,
    quantity: numberIn(line, 'quantity'),
    quantity_fulfilled: numberIn(line, 'quantity_shipped'),
    quantity_cancelled: 0,
    quantity_refunded: numberIn(line, 'quantity_refunded'),
    unit_price: money(line[withTax ? 'price_inc_tax' : 'price_ex_tax']),
    discount: money(discount),
    tax: money(line['total_tax']),
    total: money(minus(total, discount)),
    requires_shipping: line['type'] === 'physical',
    attributes: attributesOf(line, options),
  }
}

/** What the buyer chose or wrote: options and texts, and the message with a gift wrapping. */
function attributesOf(line: Fields, options: readonly Fields[]): OrderLine['attributes'] {
  const chosen = options.map((one) => [maybeText(one, 'display_name') ?? maybeText(one, 'name'), one['display_value']])
  const wrapped = [
    ['Gift wrapping', line['wrapping_name']],
    ['Gift message', line['wrapping_message']],
  ]
  return [...chosen, ...wrapped].flatMap(([name, value]) =>
    typeof name === 'string' && typeof value === 'string' && value !== '' ? [{ name, value }] : [],
  )
}

export function toShipment(raw: unknown): RemoteShipment {
  const parcel = fieldsOf(raw)
  const carrier = maybeText(parcel, 'shipping_provider') ?? maybeText(parcel, 'tracking_carrier')
  return {
    remote_id: idIn(parcel, 'id'),
    status: 'shipped',
    carrier_code: carrier,
    carrier_name:
      maybeText(parcel, 'shipping_provider_display_name') ?? carrier ?? maybeText(parcel, 'shipping_method'),
    service: maybeText(parcel, 'shipping_method'),
    tracking_number: maybeText(parcel, 'tracking_number'),
    tracking_url: maybeText(parcel, 'tracking_link') ?? maybeText(parcel, 'generated_tracking_link'),
    shipped_at: mailTimeIn(parcel, 'date_created'),
    delivered_at: null,
    location_remote_id: null,
    lines: recordsIn(parcel, 'items').map((item) => ({
      order_line_remote_id: idIn(item, 'order_product_id'),
      quantity: numberIn(item, 'quantity'),
    })),
  }
}
