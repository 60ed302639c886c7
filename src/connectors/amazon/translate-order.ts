import { type Address, address } from '../../commerce/address.ts'
import { decimal, minus, share, sum, times } from '../../commerce/decimal.ts'
import { digitsOf, type Money, zero } from '../../commerce/money.ts'
import {
  lineDefaults,
  type OrderAttribute,
  type OrderLine,
  orderDefaults,
  type RemoteOrder,
} from '../../commerce/order.ts'
import {
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
import { marketplaceById } from './marketplaces.ts'
import { type AmazonFacts, homeOf } from './settings.ts'
import { wordsOf } from './statuses.ts'

export function toOrder(raw: unknown, facts: AmazonFacts): RemoteOrder {
  const order = fieldsOf(raw)
  const channel = fieldsIn(order, 'salesChannel')
  const place = maybeText(channel, 'marketplaceId')
  const items = recordsIn(order, 'orderItems')
  const proceeds = maybeFields(order, 'proceeds')
  const currency = currencyOf([proceeds, ...items], place, facts)
  const digits = digitsOf(currency)
  const money = (amount: string): Money => ({ amount: decimal(amount, digits), currency })
  const words = wordsOf(order)
  const fulfillment = fieldsIn(order, 'fulfillment')
  const parts = listIn(proceeds, 'breakdowns')
  const shares = parts.length > 0 ? parts : items.flatMap((item) => listIn(maybeFields(item, 'proceeds'), 'breakdowns'))
  const changed = timeIn(order, 'lastUpdatedTime')
  const cancelled = words.status === 'cancelled'
  const recipient = maybeFields(order, 'recipient')
  return {
    ...orderDefaults,
    service_level: maybeText(fulfillment, 'fulfillmentServiceLevel'),
    fulfilled_by: isSentByAmazon(order) ? 'platform' : 'merchant',
    sales_channel: maybeText(channel, 'channelName'),
    purchase_order: maybeText(maybeFields(order, 'buyer') ?? {}, 'buyerPurchaseOrderNumber'),
    tax_ids: buyersRegistrations(order).flatMap((one) => {
      const value = maybeText(one, 'taxRegistrationNumber')
      return value === null ? [] : [{ kind: maybeText(one, 'taxRegistrationType') ?? 'TAX', value }]
    }),
    attributes: attributesOf({
      drop_off_location: maybeFields(recipient ?? {}, 'deliveryPreference')?.['dropOffLocation'],
    }),
    cancel_requested: !cancelled && words.status !== 'completed' && items.some(isUnwanted),
    remote_id: textIn(order, 'orderId'),
    number: textIn(order, 'orderId'),
    channel: 'amazon',
    marketplace: maybeText(channel, 'marketplaceName') ?? place,
    ...words,
    currency,
    subtotal: money(partOf(shares, 'ITEM')),
    discount_total: money(size(partOf(shares, 'DISCOUNT'))),
    shipping_total: money(partOf(shares, 'SHIPPING')),
    tax_total: money(partOf(shares, 'TAX')),
    total: money(totalOf(proceeds, items)),
    fee_total: money(
      sum(
        otherParts(shares).map(({ amount }) => amount),
        0,
      ),
    ),
    refunded_total: null,
    prices_include_tax: false,
    customer: customerOf(maybeFields(order, 'buyer')),
    billing_address: billingOf(order),
    shipping_address: recipient && toAddress(maybeFields(recipient, 'deliveryAddress')),
    shipping_method: maybeText(fulfillment, 'fulfillmentServiceLevel'),
    lines: items.map((item) => toLine(item, { money, digits, sentByAmazon: isSentByAmazon(order) })),
    fees: otherParts(shares).map(({ title, amount }) => ({
      remote_id: null,
      title,
      amount: money(amount),
      tax: zero(currency),
    })),
    refunds: [],
    shipments: listIn(order, 'packages').map(toShipment),
    admin_url: sellerPage(place, textIn(order, 'orderId')),
    note: maybeText((recipient && maybeFields(recipient, 'deliveryPreference')) ?? {}, 'addressInstruction'),
    tags: order['programs'] == null ? [] : listOfText(order['programs']),
    external_reference: ownNumberOf(order),
    acknowledged: null,
    test: false,
    placed_at: timeIn(order, 'createdTime'),
    ship_by: maybeTime(maybeFields(fulfillment, 'shipByWindow') ?? {}, 'latestDateTime'),
    cancelled_at: cancelled ? changed : null,
    cancel_reason: cancelled ? cancelReasonIn(items) : null,
    remote_created_at: timeIn(order, 'createdTime'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/** From a warehouse of its own (FBA); all others are the seller's to send. */
export const isSentByAmazon = (order: Fields): boolean => fieldsIn(order, 'fulfillment')['fulfilledBy'] === 'AMAZON'

/** Where a seller finds it. */
function sellerPage(place: string | null, id: string): string | null {
  const host = marketplaceById(place)?.sellerCentral
  return host === undefined ? null : `https://${host}/orders-v3/order/${id}`
}

const listIn = (fields: Fields | null, name: string): readonly Fields[] =>
  fields === null || fields[name] == null ? [] : recordsIn(fields, name)

const listOfText = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Pending orders have no amounts yet: their marketplace knows the currency. */
function currencyOf(holders: readonly (Fields | null)[], place: string | null, facts: AmazonFacts): string {
  const amounts = holders.flatMap((holder) => {
    if (holder === null) return []
    const price = maybeFields(maybeFields(holder, 'product') ?? {}, 'price')
    const own = maybeFields(holder, 'proceeds')
    return [holder['grandTotal'], own?.['proceedsTotal'], price?.['unitPrice']].filter((one) => one != null)
  })
  const [first] = amounts.map((amount) => textIn(fieldsOf(amount), 'currencyCode'))
  return first ?? marketplaceById(place)?.currency ?? homeOf(facts).currency
}

const amountIn = (holder: Fields, name: string): string => decimal(fieldsIn(holder, name)['amount'], 0)

const titles: Readonly<Record<string, string>> = {
  GIFT_WRAP: 'Gift wrap',
  COD_FEE: 'Cash on delivery',
  DELIVERY_TIP: 'Tip',
}
const ownFields = ['ITEM', 'SHIPPING', 'TAX', 'DISCOUNT']

/** What is neither goods nor their way, tax or discount. */
function otherParts(parts: readonly Fields[]): { title: string; amount: string }[] {
  const types = new Set(parts.map((part) => textIn(part, 'type')).filter((type) => !ownFields.includes(type)))
  return [...types]
    .map((type) => ({ title: titles[type] ?? type, amount: partOf(parts, type) }))
    .filter(({ amount }) => Number(amount) !== 0)
}

const partOf = (parts: readonly Fields[], type: string): string =>
  sum(
    parts.filter((part) => part['type'] === type).map((part) => amountIn(part, 'subtotal')),
    0,
  )

/** Discounts are reported below zero. */
const size = (amount: string): string => amount.replace(/^-/, '')

function totalOf(proceeds: Fields | null, items: readonly Fields[]): string {
  if (proceeds?.['grandTotal'] != null) return amountIn(proceeds, 'grandTotal')
  const own = items.map((item) => maybeFields(item, 'proceeds')).filter((one) => one?.['proceedsTotal'] != null)
  return sum(
    own.map((one) => amountIn(one ?? {}, 'proceedsTotal')),
    0,
  )
}

/** As the tax office knows the buyer; those of the seller and of Amazon stand beside it. */
const buyersRegistrations = (order: Fields): readonly Fields[] =>
  listIn(maybeFields(order, 'tax'), 'taxRegistrations').filter((one) => one['entityType'] === 'BUYER')

/** Where the bill goes is said of companies alone. */
function billingOf(order: Fields): Address | null {
  const [registration] = buyersRegistrations(order)
  const place = registration ? maybeFields(registration, 'taxRegistrationAddress') : null
  const company =
    maybeText(registration ?? {}, 'legalName') ?? maybeText(maybeFields(order, 'buyer') ?? {}, 'buyerCompanyName')
  const known = toAddress(place)
  if (known) return { ...known, company: known.company ?? company }
  return company === null ? null : address({ company })
}

/** Those that are there. */
const attributesOf = (named: Readonly<Record<string, unknown>>): OrderAttribute[] =>
  Object.entries(named).flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [{ name, value }] : []))

/** What has to be known to pack a line. */
function lineAttributes(item: Fields): OrderAttribute[] {
  const fulfillment = maybeFields(item, 'fulfillment') ?? {}
  const packing = maybeFields(fulfillment, 'packing') ?? {}
  const gift = maybeFields(packing, 'giftOption') ?? {}
  const abroad = maybeFields(maybeFields(fulfillment, 'shipping') ?? {}, 'internationalShipping') ?? {}
  const programs = item['programs'] == null ? [] : listOfText(item['programs'])
  return [
    ...attributesOf({
      gift_message: gift['giftMessage'],
      gift_wrap: gift['giftWrapLevel'],
      customization_url: maybeFields(fieldsIn(item, 'product'), 'customization')?.['customizedUrl'],
      ioss_number: abroad['iossNumber'],
      serial_numbers: maybeFields(packing, 'serialNumberRequirement')?.['requirementType'],
    }),
    ...programs.map((value) => ({ name: 'program', value })),
  ]
}

/** The buyer wants it cancelled, and nobody has done so. */
export function isUnwanted(item: Fields): boolean {
  const cancellation = maybeFields(item, 'cancellation') ?? {}
  return cancellation['cancellationRequest'] != null && cancellation['cancellationExecution'] == null
}

/** The buyer's name comes in one piece, and the address for letters is an alias. */
function customerOf(buyer: Fields | null): RemoteOrder['customer'] {
  if (buyer === null) return null
  return {
    remote_id: null,
    email: maybeText(buyer, 'buyerEmail'),
    first_name: null,
    last_name: maybeText(buyer, 'buyerName'),
    phone: null,
    is_guest: false,
  }
}

function toAddress(place: Fields | null): Address | null {
  if (place === null) return null
  return address({
    name: maybeText(place, 'name'),
    company: maybeText(place, 'companyName'),
    line1: maybeText(place, 'addressLine1'),
    line2: maybeText(place, 'addressLine2'),
    line3: maybeText(place, 'addressLine3'),
    city: maybeText(place, 'city') ?? maybeText(place, 'municipality'),
    region: maybeText(place, 'stateOrRegion'),
    postal_code: maybeText(place, 'postalCode'),
    country_code: maybeText(place, 'countryCode'),
    phone: maybeText(place, 'phone'),
  })
}

interface LineContext {
  money: (amount: string) => Money
  digits: number
  sentByAmazon: boolean
}

function toLine(item: Fields, { money, digits, sentByAmazon }: LineContext): OrderLine {
  const product = fieldsIn(item, 'product')
  const parts = listIn(maybeFields(item, 'proceeds'), 'breakdowns')
  const quantity = numberIn(item, 'quantityOrdered')
  const price = maybeFields(product, 'price')
  const itemPart = partOf(parts, 'ITEM')
  const each =
    price?.['unitPrice'] != null
      ? amountIn(price, 'unitPrice')
      : quantity === 0
        ? '0'
        : share(itemPart, quantity, digits)
  const goods = parts.some((part) => part['type'] === 'ITEM') ? itemPart : times(each, quantity, 0)
  const discount = size(partOf(parts, 'DISCOUNT'))
  const sent = maybeFields(item, 'fulfillment')
  const [done, due] = sent ? [countIn(sent, 'quantityFulfilled'), countIn(sent, 'quantityUnfulfilled')] : [0, quantity]
  const [asin, sku] = [maybeText(product, 'asin'), maybeText(product, 'sellerSku')]
  return {
    ...lineDefaults,
    attributes: lineAttributes(item),
    remote_id: textIn(item, 'orderItemId'),
    sku,
    // Of which family it is, if it is of one, an order does not say.
    product_remote_id: null,
    variant_remote_id: sku,
    title: maybeText(product, 'title') ?? sku ?? asin ?? textIn(item, 'orderItemId'),
    variant_title: null,
    quantity,
    quantity_fulfilled: done,
    quantity_cancelled: Math.max(0, quantity - done - due),
    quantity_refunded: 0,
    unit_price: money(each),
    discount: money(discount),
    tax: money(partOf(parts, 'TAX')),
    total: money(minus(goods, discount, 0)),
    requires_shipping: !sentByAmazon,
  }
}

const countIn = (fields: Fields, name: string): number => (fields[name] == null ? 0 : numberIn(fields, name))

const parcelWords: Readonly<Record<string, RemoteShipment['status']>> = {
  PENDING: 'pending',
  SHIPPED: 'shipped',
  IN_TRANSIT: 'in_transit',
  DELIVERED: 'delivered',
  CANCELLED: 'cancelled',
  UNDELIVERABLE: 'failed',
}

export function toShipment(parcel: Fields): RemoteShipment {
  const reported = maybeText(maybeFields(parcel, 'packageStatus') ?? {}, 'status')
  const status = reported === null ? 'shipped' : parcelWords[reported]
  if (!status) throw new Unreadable(say('unknown_value', { name: 'status', value: reported }))
  return {
    remote_id: textIn(parcel, 'packageReferenceId'),
    status,
    carrier_code: null,
    carrier_name: maybeText(parcel, 'carrier'),
    service: maybeText(parcel, 'shippingService'),
    tracking_number: maybeText(parcel, 'trackingNumber'),
    tracking_url: null,
    shipped_at: maybeTime(parcel, 'shipTime'),
    delivered_at: null,
    location_remote_id: null,
    lines: listIn(parcel, 'packageItems').map((one) => ({
      order_line_remote_id: textIn(one, 'orderItemId'),
      quantity: numberIn(one, 'quantity'),
    })),
  }
}

/** What the seller calls the order, where a seller does. */
function ownNumberOf(order: Fields): string | null {
  const alias = listIn(order, 'orderAliases').find((one) => one['aliasType'] === 'SELLER_ORDER_ID')
  return alias ? textIn(alias, 'aliasId') : null
}

function cancelReasonIn(items: readonly Fields[]): string | null {
  const reasons = items.map((item) => {
    const cancellation = maybeFields(item, 'cancellation') ?? {}
    const [done, asked] = ['cancellationExecution', 'cancellationRequest'].map((name) =>
      maybeFields(cancellation, name),
    )
    return maybeText(done ?? asked ?? {}, 'cancelReason')
  })
  return reasons.find((reason) => reason !== null) ?? null
}
