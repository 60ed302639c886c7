import { address } from '../../../commerce/address.ts'
import { fromMinorUnits, type Money, toMinorUnits } from '../../../commerce/money.ts'
import type { OrderLine, RemoteOrder } from '../../../commerce/order.ts'
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
import { nodesIn } from './graphql.ts'

/** In the currency of the shop's books; what the buyer saw may be in another. */
export function moneyIn(fields: Fields, name: string): Money {
  const money = fieldsIn(fieldsIn(fields, name), 'shopMoney')
  return { amount: textIn(money, 'amount'), currency: textIn(money, 'currencyCode') }
}

const plus = (one: Money, other: Money): Money => fromMinorUnits(toMinorUnits(one) + toMinorUnits(other), one.currency)

const payments: Readonly<Record<string, RemoteOrder['payment_status'] | undefined>> = {
  PENDING: 'pending',
  AUTHORIZED: 'authorized',
  PARTIALLY_PAID: 'partially_paid',
  PAID: 'paid',
  PARTIALLY_REFUNDED: 'partially_refunded',
  REFUNDED: 'refunded',
  VOIDED: 'voided',
}

const fulfillments: Readonly<Record<string, RemoteOrder['fulfillment_status'] | undefined>> = {
  UNFULFILLED: 'unfulfilled',
  ON_HOLD: 'unfulfilled',
  PARTIALLY_FULFILLED: 'partial',
  FULFILLED: 'fulfilled',
}

export function toOrder(raw: unknown): RemoteOrder {
  const order = fieldsOf(raw)
  const changed = timeIn(order, 'updatedAt')
  const discount = moneyIn(order, 'totalDiscountsSet')
  const customer = maybeFields(order, 'customer')
  const lines = fieldsIn(order, 'lineItems')
  if (fieldsIn(lines, 'pageInfo')['hasNextPage'] !== false)
    throw new TypeError('The order has more lines than were told.')
  return {
    remote_id: textIn(order, 'id'),
    number: textIn(order, 'name'),
    channel: 'sandbox',
    marketplace: null,
    ...wordsOf(order),
    currency: textIn(order, 'currencyCode'),
    // Theirs is after discounts.
    subtotal: plus(moneyIn(order, 'subtotalPriceSet'), discount),
    discount_total: discount,
    shipping_total: moneyIn(order, 'totalShippingPriceSet'),
    tax_total: moneyIn(order, 'totalTaxSet'),
    total: moneyIn(order, 'totalPriceSet'),
    refunded_total: moneyIn(order, 'totalRefundedSet'),
    prices_include_tax: order['taxesIncluded'] === true,
    customer: {
      remote_id: customer && textIn(customer, 'id'),
      email: (customer && maybeText(customer, 'email')) ?? maybeText(order, 'email'),
      first_name: customer && maybeText(customer, 'firstName'),
      last_name: customer && maybeText(customer, 'lastName'),
      phone: (customer && maybeText(customer, 'phone')) ?? maybeText(order, 'phone'),
      is_guest: customer === null,
    },
    billing_address: toAddress(maybeFields(order, 'billingAddress')),
    shipping_address: toAddress(maybeFields(order, 'shippingAddress')),
    shipping_method: nodesIn(order, 'shippingLines').map((one) => maybeText(one, 'title'))[0] ?? null,
    lines: recordsIn(lines, 'nodes').map(toLine),
    shipments: arrayIn(order, 'fulfillments').map(toShipment),
    note: maybeText(order, 'note'),
    tags: arrayIn(order, 'tags').map(String),
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

type Words = Pick<RemoteOrder, 'status' | 'payment_status' | 'fulfillment_status' | 'remote_status'>

function wordsOf(order: Fields): Words {
  const financial = textIn(order, 'displayFinancialStatus')
  const sent = textIn(order, 'displayFulfillmentStatus')
  const payment = payments[financial]
  const fulfillment = fulfillments[sent]
  if (!payment || !fulfillment) throw new TypeError(`The shop has a status that we do not know: ${financial}/${sent}.`)
  if (maybeText(order, 'cancelledAt') !== null) {
    return {
      status: 'cancelled',
      payment_status: payment,
      fulfillment_status: fulfillment,
      remote_status: 'CANCELLED',
    }
  }
  const parcels = recordsIn(order, 'fulfillments')
  const arrived = parcels.length > 0 && parcels.every((parcel) => parcel['displayStatus'] === 'DELIVERED')
  return {
    status: statusOf(financial, sent),
    payment_status: payment,
    fulfillment_status: fulfillment === 'fulfilled' && arrived ? 'delivered' : fulfillment,
    remote_status: `${financial}/${sent}`,
  }
}

function statusOf(financial: string, sent: string): RemoteOrder['status'] {
  if (sent === 'FULFILLED') return 'completed'
  if (sent === 'ON_HOLD') return 'on_hold'
  return financial === 'PENDING' ? 'pending' : 'open'
}

const toAddress = (place: Fields | null) =>
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

function toLine(line: Fields): OrderLine {
  const quantity = numberIn(line, 'quantity')
  const current = numberIn(line, 'currentQuantity')
  const product = maybeFields(line, 'product')
  const variant = maybeFields(line, 'variant')
  const unit = moneyIn(line, 'originalUnitPriceSet')
  const nothing = fromMinorUnits(0, unit.currency)
  return {
    remote_id: textIn(line, 'id'),
    sku: maybeText(line, 'sku'),
    product_remote_id: product && textIn(product, 'id'),
    variant_remote_id: variant && textIn(variant, 'id'),
    title: textIn(line, 'title'),
    variant_title: maybeText(line, 'variantTitle'),
    quantity,
    quantity_fulfilled: current - numberIn(line, 'unfulfilledQuantity'),
    quantity_cancelled: quantity - current,
    unit_price: unit,
    discount: moneyIn(line, 'totalDiscountSet'),
    tax: recordsIn(line, 'taxLines')
      .map((one) => moneyIn(one, 'priceSet'))
      .reduce(plus, nothing),
    total: moneyIn(line, 'discountedTotalSet'),
    requires_shipping: line['requiresShipping'] === true,
  }
}

export function toShipment(raw: unknown): RemoteShipment {
  const parcel = fieldsOf(raw)
  const [tracking = {}] = recordsIn(parcel, 'trackingInfo')
  const location = maybeFields(parcel, 'location')
  return {
    remote_id: textIn(parcel, 'id'),
    status: textIn(parcel, 'displayStatus') === 'DELIVERED' ? 'delivered' : 'shipped',
    carrier_code: null,
    carrier_name: maybeText(tracking, 'company'),
    service: null,
    tracking_number: maybeText(tracking, 'number'),
    tracking_url: maybeText(tracking, 'url'),
    shipped_at: maybeTime(parcel, 'createdAt'),
    delivered_at: maybeTime(parcel, 'deliveredAt'),
    location_remote_id: location && textIn(location, 'id'),
    lines: nodesIn(parcel, 'fulfillmentLineItems').map((one) => ({
      order_line_remote_id: textIn(fieldsIn(one, 'lineItem'), 'id'),
      quantity: numberIn(one, 'quantity'),
    })),
  }
}
