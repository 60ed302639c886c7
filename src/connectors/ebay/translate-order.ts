import { type Address, address } from '../../commerce/address.ts'
import { minus, share, sum } from '../../commerce/decimal.ts'
import { digitsOf, zero } from '../../commerce/money.ts'
import { lineDefaults, type OrderLine, orderDefaults, type RemoteOrder } from '../../commerce/order.ts'
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
import { shopStatuses } from '../../commerce/rules/order-words.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { amountIn, moneyIn, withoutSign } from './amounts.ts'
import { countIn, toShipments } from './parcels/translate-shipment.ts'
import { refundsIn } from './refunds/translate-refunds.ts'

export const cancelStateOf = (order: Fields): string => textIn(fieldsIn(order, 'cancelStatus'), 'cancelState')

const payments: Readonly<Record<string, RemoteOrder['payment_status']>> = {
  PENDING: 'pending',
  PAID: 'paid',
  FAILED: 'failed',
  PARTIALLY_REFUNDED: 'partially_refunded',
  FULLY_REFUNDED: 'refunded',
}

const fulfillments: Readonly<Record<string, RemoteOrder['fulfillment_status']>> = {
  NOT_STARTED: 'unfulfilled',
  IN_PROGRESS: 'partial',
  FULFILLED: 'fulfilled',
}

/** Undefined for a word that nobody knows. */
function wordIn<T>(order: Fields, name: string, words: Readonly<Record<string, T>>): T | undefined {
  const word = textIn(order, name)
  return Object.hasOwn(words, word) ? words[word] : undefined
}

/** By the money until it is there, then by the goods. */
export const statuses = shopStatuses({
  PENDING: 'pending',
  FAILED: 'pending',
  NOT_STARTED: 'open',
  IN_PROGRESS: 'open',
  FULFILLED: 'completed',
  CANCELED: 'cancelled',
})

export const isSent = (order: Fields): boolean =>
  Array.isArray(order['fulfillmentHrefs']) && order['fulfillmentHrefs'].length > 0

/** Lists leave out why an order is to be cancelled, and all of them what has been sent. */
const isIncomplete = (order: Fields): boolean =>
  order['fulfillments'] === undefined && (isSent(order) || cancelStateOf(order) !== 'NONE_REQUESTED')

/** An order of getOrders; or of getOrder, with its `fulfillments`. */
export function toOrder(raw: unknown): RemoteOrder {
  const order = fieldsOf(raw)
  const prices = fieldsIn(order, 'pricingSummary')
  const total = moneyIn(prices, 'total')
  const { currency } = total
  const digits = digitsOf(currency)
  const money = (amount: string) => ({ amount, currency })
  const part = (name: string) => amountIn(prices, name, currency)
  const discount = sum([withoutSign(part('priceDiscount')), withoutSign(part('deliveryDiscount'))], digits)
  const [paid, moved] = [
    wordIn(order, 'orderPaymentStatus', payments),
    wordIn(order, 'orderFulfillmentStatus', fulfillments),
  ]
  const [payment, sent] = [paid ?? 'unknown', moved ?? 'unfulfilled']
  const isCancelled = cancelStateOf(order) === 'CANCELED'
  const isPending = payment === 'pending' || payment === 'failed'
  const isKnown = isCancelled || (paid !== undefined && moved !== undefined)
  const word = textIn(order, isPending || paid === undefined ? 'orderPaymentStatus' : 'orderFulfillmentStatus')
  const status = isCancelled ? 'cancelled' : isPending ? 'pending' : sent === 'fulfilled' ? 'completed' : 'open'
  const shipments = toShipments(recordsIn({ fulfillments: [], ...order }, 'fulfillments'))
  const lines = recordsIn(order, 'lineItems')
  const refunds = refundsIn(order, currency)
  const [first] = lines
  const created = timeIn(order, 'creationDate')
  const changed = timeIn(order, 'lastModifiedDate')
  const id = textIn(order, 'orderId')
  const step = shippingStepIn(order)
  const recipient = step && maybeFields(step, 'shipTo')
  return {
    ...orderDefaults,
    remote_id: id,
    number: id,
    channel: 'ebay',
    marketplace: first ? (maybeText(first, 'purchaseMarketplaceId') ?? maybeText(first, 'listingMarketplaceId')) : null,
    ...(isKnown ? { status, hold_reason: null } : unknownStatus(word, null)),
    payment_status: payment,
    fulfillment_status: sent,
    remote_status: isCancelled ? 'CANCELED' : word,
    currency,
    subtotal: money(part('priceSubtotal')),
    discount_total: money(discount),
    shipping_total: money(part('deliveryCost')),
    tax_total: money(part('tax')),
    total,
    fee_total: money(part('fee')),
    refunded_total: money(
      sum(
        refunds.map(({ amount }) => amount.amount),
        digits,
      ),
    ),
    prices_include_tax: null,
    customer: customerOf(order, recipient),
    billing_address: addressOf(buyerAddressOf(order)),
    shipping_address: addressOf(recipient, step && maybeText(step, 'shipToReferenceId')),
    shipping_method: step ? maybeText(step, 'shippingServiceCode') : null,
    lines: lines.map((line) => toLine(line, { shipments, isCancelled, currency })),
    fees:
      part('fee') === zero(currency).amount
        ? []
        : [{ remote_id: null, title: 'Fee', amount: money(part('fee')), tax: zero(currency) }],
    refunds,
    shipments,
    admin_url: `https://www.ebay.com/mesh/ord/details?orderid=${encodeURIComponent(id)}`,
    note: maybeText(order, 'buyerCheckoutNotes'),
    tags: [],
    fulfilled_by: isSentByEbay(order) ? 'platform' : 'merchant',
    tax_ids: taxIdsOf(order),
    external_reference: null,
    acknowledged: null,
    test: false,
    placed_at: created,
    ship_by: shipByOf(lines),
    cancel_requested: isCancelRequested(order),
    incomplete: isIncomplete(order),
    cancelled_at: isCancelled ? maybeTime(fieldsIn(order, 'cancelStatus'), 'cancelledDate') : null,
    cancel_reason: isCancelled ? cancelReasonOf(order) : null,
    remote_created_at: created,
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/** Lists say only that something is under way; an order by itself says whose wish it is. */
function isCancelRequested(order: Fields): boolean {
  if (cancelStateOf(order) !== 'IN_PROGRESS') return false
  const requests = cancelRequestsIn(order)
  return requests.length === 0 || requests.some(isOpenWish)
}

/** The buyer's wish that nobody has answered. */
export const isOpenWish = (request: Fields): boolean =>
  request['cancelInitiator'] === 'BUYER' && request['cancelRequestState'] === 'REQUESTED'

export const cancelRequestsIn = (order: Fields): readonly Fields[] =>
  recordsIn({ cancelRequests: [], ...fieldsIn(order, 'cancelStatus') }, 'cancelRequests')

const instructionsIn = (order: Fields): readonly Fields[] =>
  recordsIn({ fulfillmentStartInstructions: [], ...order }, 'fulfillmentStartInstructions')

const isSentByEbay = (order: Fields): boolean =>
  instructionsIn(order).some((one) => one['fulfillmentInstructionsType'] === 'FULFILLED_BY_EBAY')

/** Of buyers in some countries. */
function taxIdsOf(order: Fields): RemoteOrder['tax_ids'] {
  const buyer = maybeFields(order, 'buyer')
  const reported = buyer && maybeFields(buyer, 'taxIdentifier')
  const value = reported && maybeText(reported, 'taxpayerId')
  return value ? [{ kind: maybeText(reported, 'taxIdentifierType') ?? 'TAX', value }] : []
}

function shippingStepIn(order: Fields): Fields | null {
  const steps = instructionsIn(order).map((one) => maybeFields(one, 'shippingStep'))
  return steps.find((step) => step !== null) ?? null
}

const buyerAddressOf = (order: Fields): Fields | null => {
  const buyer = maybeFields(order, 'buyer')
  return buyer && maybeFields(buyer, 'buyerRegistrationAddress')
}

/** eBay gives an alias of the buyer's address, good for some weeks. */
function customerOf(order: Fields, recipient: Fields | null): RemoteOrder['customer'] {
  const buyer = maybeFields(order, 'buyer')
  if (buyer === null) return null
  const contact = recipient ?? buyerAddressOf(order) ?? {}
  return {
    remote_id: maybeText(buyer, 'username'),
    email: maybeText(contact, 'email'),
    first_name: null,
    last_name: null,
    phone: phoneIn(contact),
    is_guest: false,
  }
}

function phoneIn(contact: Fields): string | null {
  const phone = maybeFields(contact, 'primaryPhone')
  return phone && maybeText(phone, 'phoneNumber')
}

/**
 * Parcels that eBay takes abroad go to a hub, which knows them by a reference alone: on the label it has to stand right
 * above the street.
 */
function addressOf(contact: Fields | null, reference: string | null = null): Address | null {
  const reported = contact && maybeFields(contact, 'contactAddress')
  if (!reported) return null
  return address({
    name: maybeText(contact, 'fullName'),
    company: [maybeText(contact, 'companyName'), reference].filter((part) => part !== null).join(', ') || null,
    line1: maybeText(reported, 'addressLine1'),
    line2: maybeText(reported, 'addressLine2'),
    city: maybeText(reported, 'city'),
    region: maybeText(reported, 'stateOrProvince'),
    postal_code: maybeText(reported, 'postalCode'),
    country_code: maybeText(reported, 'countryCode'),
    phone: phoneIn(contact),
    email: maybeText(contact, 'email'),
  })
}

function shipByOf(lines: readonly Fields[]): string | null {
  const times = lines.flatMap((line) => {
    const reported = maybeFields(line, 'lineItemFulfillmentInstructions')
    return (reported && maybeTime(reported, 'shipByDate')) ?? []
  })
  return times.sort()[0] ?? null
}

function cancelReasonOf(order: Fields): string | null {
  return (
    cancelRequestsIn(order)
      .map((one) => maybeText(one, 'cancelReason'))
      .find((reason) => reason !== null) ?? null
  )
}

interface Around {
  shipments: readonly RemoteShipment[]
  isCancelled: boolean
  currency: string
}

/** A line reports what all its pieces cost together. */
function toLine(line: Fields, { shipments, isCancelled, currency }: Around): OrderLine {
  const id = textIn(line, 'lineItemId')
  const quantity = numberIn(line, 'quantity')
  const digits = digitsOf(currency)
  const cost = moneyIn(line, 'lineItemCost').amount
  const paid = line['discountedLineItemCost'] == null ? cost : moneyIn(line, 'discountedLineItemCost').amount
  const taxes = line['taxes'] == null ? [] : recordsIn(line, 'taxes')
  const money = (amount: string) => ({ amount, currency })
  const isSent = line['lineItemFulfillmentStatus'] === 'FULFILLED'
  return {
    ...lineDefaults,
    remote_id: id,
    sku: maybeText(line, 'sku'),
    // A line names its listing, not the group that it was made from; articles are known by their sku.
    product_remote_id: null,
    variant_remote_id: maybeText(line, 'sku'),
    title: textIn(line, 'title'),
    variant_title: variantTitleOf(line),
    quantity,
    quantity_fulfilled: isSent ? quantity : Math.min(quantity, countIn(shipments, id)),
    quantity_cancelled: isCancelled ? quantity : 0,
    quantity_refunded: 0,
    unit_price: money(share(cost, quantity, digits)),
    discount: money(minus(cost, paid, digits)),
    tax: money(
      sum(
        taxes.map((tax) => amountIn(tax, 'amount', currency)),
        digits,
      ),
    ),
    total: money(paid),
    attributes: giftIn(line),
    requires_shipping: null,
  }
}

/** What goes with a gift card, and to whom. */
function giftIn(line: Fields): OrderLine['attributes'] {
  const gift = maybeFields(line, 'giftDetails') ?? {}
  return [
    ['gift_message', maybeText(gift, 'message')] as const,
    ['gift_recipient', maybeText(gift, 'recipientEmail')] as const,
    ['gift_sender', maybeText(gift, 'senderName')] as const,
  ].flatMap(([name, value]) => (value === null ? [] : [{ name, value }]))
}

function variantTitleOf(line: Fields): string | null {
  const aspects = line['variationAspects'] == null ? [] : recordsIn(line, 'variationAspects')
  return aspects.map((one) => textIn(one, 'value')).join(' / ') || null
}
