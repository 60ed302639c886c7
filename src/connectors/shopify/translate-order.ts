import { type Address, address } from '../../commerce/address.ts'
import { compareDecimals, decimal, minus, sum, times } from '../../commerce/decimal.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import {
  lineDefaults,
  type OrderAttribute,
  type OrderLine,
  type OrderRefund,
  orderDefaults,
  type RemoteOrder,
  refundedIn,
  shippingMethodOf,
} from '../../commerce/order.ts'
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
} from '../../commerce/reading.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { feesOf, maybeMoney, moneyIn, presentmentOf, taxIn } from './amounts.ts'
import { nextIn, nodesIn } from './ask.ts'
import { companyOf, termsIn } from './customers/companies.ts'
import { waysIn } from './parcels/shipping-ways.ts'
import { exchangesIn, returnsIn } from './refunds/read-returns.ts'
import type { ShopifyFacts } from './settings.ts'
import { orderWords } from './statuses.ts'
import { toShipment } from './translate-shipment.ts'

export function toOrder(raw: unknown, facts?: Pick<ShopifyFacts, 'shop' | 'settings'>): RemoteOrder {
  const order = fieldsOf(raw)
  const currency = textIn(order, 'currencyCode')
  const money = (amount: string): Money => ({ amount: decimal(amount, digitsOf(currency)), currency })
  const amountOf = (name: string): Money => maybeMoney(order, name, currency)
  const shipments = recordsIn(order, 'fulfillments').map(toShipment)
  const refunds = recordsIn({ refunds: [], ...order }, 'refunds').map(toRefund)
  const paidBack = refunds.filter(({ amount }) => compareDecimals(amount.amount, '0') > 0)
  const lines = linesOf(order, shipments, paidBack)
  const fees = feesOf(order, lines, currency)
  const changed = timeIn(order, 'updatedAt')
  const ways = waysIn(order)
  return {
    ...orderDefaults,
    remote_id: textIn(order, 'id'),
    number: textIn(order, 'name'),
    channel: 'shopify',
    marketplace: null,
    ...orderWords(order, { shipments, lines, settings: facts?.settings ?? {} }),
    currency,
    // Theirs is what is left of it after discounts.
    subtotal: money(sum([amountOf('subtotalPriceSet').amount, ...lines.map(({ discount }) => discount.amount)])),
    discount_total: amountOf('totalDiscountsSet'),
    shipping_total: amountOf('totalShippingPriceSet'),
    tax_total: amountOf('totalTaxSet'),
    total: moneyIn(order, 'totalPriceSet'),
    fee_total: money(sum(fees.map(({ amount }) => amount.amount))),
    refunded_total: amountOf('totalRefundedSet'),
    prices_include_tax: order['taxesIncluded'] === true,
    customer: customerOf(order),
    billing_address: ofCompany(order, toAddress(maybeFields(order, 'billingAddress'))),
    shipping_address: toAddress(maybeFields(order, 'shippingAddress')),
    shipping_method: shippingMethodOf(ways.map((way) => maybeText(way, 'title'))),
    service_level: shippingMethodOf(ways.map((way) => maybeText(way, 'code'))),
    sales_channel: channelOf(order),
    presentment: presentmentOf(order),
    purchase_order: maybeText(order, 'poNumber'),
    attributes: [...attributesIn(order), ...agreed(order)],
    lines,
    fees,
    // Lines that were called off are refunds of nothing.
    refunds: paidBack,
    returns: returnsIn(order),
    shipments,
    admin_url:
      facts === undefined ? null : `https://${facts.shop}/admin/orders/${textIn(order, 'id').replace(/^.*\//, '')}`,
    note: maybeText(order, 'note'),
    tags: [...arrayIn(order, 'tags').map(String), ...riskOf(order)],
    external_reference: maybeText(order, 'sourceIdentifier'),
    acknowledged: null,
    test: order['test'] === true,
    placed_at: timeIn(order, 'processedAt'),
    ship_by: null,
    cancelled_at: maybeTime(order, 'cancelledAt'),
    cancel_reason: maybeText(order, 'cancelReason'),
    remote_created_at: timeIn(order, 'createdAt'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/** `web`, `pos`; apps that sell have a number for a name, and are called as people call them. */
function channelOf(order: Fields): string | null {
  const source = maybeText(order, 'sourceName')
  const app = maybeFields(order, 'app')
  return source !== null && !/^\d+$/.test(source) ? source : ((app && maybeText(app, 'name')) ?? source)
}

/** The company is the buyer, whatever the address says. */
const ofCompany = (order: Fields, place: Address | null): Address | null =>
  place && { ...place, company: place.company ?? companyOf(order) }

const agreed = (order: Fields): OrderAttribute[] => {
  const terms = termsIn(order)
  return terms === null ? [] : [{ name: 'Payment terms', value: terms }]
}

/** Advice of the platform, on which the merchant decides: it holds nothing by itself. */
function riskOf(order: Fields): string[] {
  const advice = maybeText(maybeFields(order, 'risk') ?? {}, 'recommendation')
  return advice === 'INVESTIGATE' || advice === 'CANCEL' ? [`risk:${advice.toLowerCase()}`] : []
}

/** Gift message, engraving, delivery instructions; keys of apps, which begin with `_`, among them. */
const attributesIn = (fields: Fields): OrderAttribute[] =>
  recordsIn({ customAttributes: [], ...fields }, 'customAttributes').flatMap((one) => {
    const value = maybeText(one, 'value')
    return value === null ? [] : [{ name: textIn(one, 'key'), value }]
  })

const toRefund = (refund: Fields): OrderRefund => ({
  remote_id: textIn(refund, 'id'),
  amount: moneyIn(refund, 'totalRefundedSet'),
  reason: maybeText(refund, 'note'),
  refunded_at: maybeTime(refund, 'createdAt'),
  lines: recordsIn({ lines: [], ...refund }, 'lines').map((line) => ({
    order_line_remote_id: textIn(fieldsIn(line, 'lineItem'), 'id'),
    quantity: numberIn(line, 'quantity'),
    amount: moneyIn(line, 'subtotalSet'),
  })),
})

/** Who buys without an account has left an address with the order at most. */
function customerOf(order: Fields): RemoteOrder['customer'] {
  const customer = maybeFields(order, 'customer')
  const within = (name: string, field: string) => {
    const inner = customer && maybeFields(customer, name)
    return inner && maybeText(inner, field)
  }
  return {
    remote_id: customer && textIn(customer, 'id'),
    email: within('defaultEmailAddress', 'emailAddress') ?? maybeText(order, 'email'),
    first_name: customer && maybeText(customer, 'firstName'),
    last_name: customer && maybeText(customer, 'lastName'),
    phone: within('defaultPhoneNumber', 'phoneNumber') ?? maybeText(order, 'phone'),
    is_guest: customer === null,
  }
}

export const toAddress = (place: Fields | null): Address | null =>
  place &&
  address({
    name: maybeText(place, 'name')?.trim() || null,
    first_name: maybeText(place, 'firstName'),
    last_name: maybeText(place, 'lastName'),
    company: maybeText(place, 'company'),
    line1: maybeText(place, 'address1'),
    line2: maybeText(place, 'address2'),
    city: maybeText(place, 'city'),
    region: maybeText(place, 'province'),
    region_code: maybeText(place, 'provinceCode'),
    postal_code: maybeText(place, 'zip'),
    country_code: maybeText(place, 'countryCodeV2'),
    phone: maybeText(place, 'phone'),
  })

function linesOf(order: Fields, shipments: readonly RemoteShipment[], refunds: readonly OrderRefund[]): OrderLine[] {
  if (nextIn(fieldsIn(order, 'lineItems')) !== null) throw new Unreadable(say('only_part_of', { name: 'lineItems' }))
  const sent = new Map<string, number>()
  for (const { order_line_remote_id: id, quantity } of shipments.filter(hasLeft).flatMap(({ lines }) => lines)) {
    sent.set(id, (sent.get(id) ?? 0) + quantity)
  }
  const exchanges = exchangesIn(order)
  return nodesIn(order, 'lineItems').map((line) => {
    const id = textIn(line, 'id')
    const own = toLine(line, sent.get(id) ?? 0)
    const exchange = exchanges.get(id)
    const attributes = exchange ? [...own.attributes, { name: 'Exchange', value: exchange }] : own.attributes
    return { ...own, attributes, quantity_refunded: refundedIn(refunds, id) }
  })
}

const hasLeft = ({ status }: RemoteShipment): boolean => status !== 'cancelled' && status !== 'failed'

function toLine(line: Fields, sent: number): OrderLine {
  const quantity = numberIn(line, 'quantity')
  const product = maybeFields(line, 'product')
  const variant = maybeFields(line, 'variant')
  const unit = moneyIn(line, 'originalUnitPriceSet')
  const money = (amount: string): Money => ({
    amount: decimal(amount, digitsOf(unit.currency)),
    currency: unit.currency,
  })
  const discount = discountOf(line)
  return {
    ...lineDefaults,
    remote_id: textIn(line, 'id'),
    sku: maybeText(line, 'sku'),
    product_remote_id: product && textIn(product, 'id'),
    variant_remote_id: variant && textIn(variant, 'id'),
    title: textIn(line, 'title'),
    variant_title: maybeText(line, 'variantTitle'),
    quantity,
    quantity_fulfilled: sent,
    quantity_cancelled: calledOff(line, sent),
    quantity_refunded: 0,
    unit_price: unit,
    discount: money(discount),
    tax: money(taxIn(line)),
    total: money(minus(times(unit.amount, quantity), discount)),
    requires_shipping: line['requiresShipping'] === true,
    attributes: attributesIn(line),
  }
}

/** Of what was refunded or removed, what has not left and will not: goods that came back had left. */
function calledOff(line: Fields, sent: number): number {
  const quantity = numberIn(line, 'quantity')
  const gone = quantity - numberIn(line, 'currentQuantity')
  const due = line['unfulfilledQuantity'] === undefined ? 0 : numberIn(line, 'unfulfilledQuantity')
  return Math.max(0, Math.min(gone, quantity - sent - due))
}

/** With its share of what was taken off the whole order; `totalDiscountSet` leaves that out. */
const discountOf = (line: Fields): string =>
  line['discountAllocations'] === undefined
    ? moneyIn(line, 'totalDiscountSet').amount
    : sum(recordsIn(line, 'discountAllocations').map((one) => moneyIn(one, 'allocatedAmountSet').amount))
