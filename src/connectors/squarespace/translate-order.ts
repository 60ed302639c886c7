import { address } from '../../commerce/address.ts'
import { decimal, times } from '../../commerce/decimal.ts'
import { digitsOf, zero } from '../../commerce/money.ts'
import {
  lineDefaults,
  type OrderAttribute,
  type OrderLine,
  orderDefaults,
  type RemoteOrder,
  shippingMethodOf,
} from '../../commerce/order.ts'
import {
  type Fields,
  fieldsOf,
  idIn,
  maybeFields,
  maybeText,
  maybeTime,
  numberIn,
  textIn,
  timeIn,
} from '../../commerce/reading.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { amountIn, moneyIn } from './amounts.ts'
import { rowsIn } from './ask.ts'
import type { SquareFacts } from './settings.ts'
import { type Words, wordsOf } from './statuses.ts'

export function toOrder(raw: unknown, { shop }: Pick<SquareFacts, 'shop'>): RemoteOrder {
  const order = fieldsOf(raw)
  const id = idIn(order, 'id')
  const total = moneyIn(order, 'grandTotal')
  const { currency } = total
  const money = (amount: string) => ({ amount, currency })
  const part = (name: string) => amountIn(order, name, currency)
  const items = rowsIn(order, 'lineItems')
  const refunded = part('refundedTotal')
  const isSent = items.length === 0 || items.some((line) => requiresShipping(line) !== false)
  const words = wordsOf(order, { total: total.amount, refunded, isSent })
  const email = maybeText(order, 'customerEmail')
  const created = timeIn(order, 'createdOn')
  const changed = timeIn(order, 'modifiedOn')
  return {
    ...orderDefaults,
    remote_id: id,
    number: idIn(order, 'orderNumber'),
    channel: 'squarespace',
    marketplace: null,
    ...words,
    currency,
    subtotal: money(part('subtotal')),
    discount_total: money(part('discountTotal')),
    shipping_total: money(part('shippingTotal')),
    tax_total: money(part('taxTotal')),
    fee_total: zero(currency),
    total,
    refunded_total: money(refunded),
    prices_include_tax: interpretation[maybeText(order, 'priceTaxInterpretation') ?? ''] ?? null,
    customer: customerOf(order, email),
    billing_address: addressIn(order, 'billingAddress', email),
    shipping_address: addressIn(order, 'shippingAddress', email),
    shipping_method: methodIn(order),
    service_level: maybeText(order, 'shippingOptionServiceType'),
    sales_channel: maybeText(order, 'channelName') ?? maybeText(order, 'channel'),
    lines: items.map((line) => toLine(line, { words, currency })),
    fees: [],
    // That money went back is told, and not for what or when.
    refunds: [],
    shipments: shipmentsOf(order),
    admin_url: `https://${shop}/config/commerce/orders/${id}`,
    note: null,
    attributes: labelledIn(order, 'formSubmission'),
    fulfilled_by: 'merchant',
    tags: [],
    external_reference: maybeText(order, 'externalOrderReference'),
    acknowledged: null,
    test: order['testmode'] === true,
    placed_at: created,
    ship_by: null,
    cancelled_at: null,
    cancel_reason: null,
    remote_created_at: created,
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

const methodIn = (order: Fields): string | null =>
  shippingMethodOf(rowsIn(order, 'shippingLines').map((one) => maybeText(one, 'method'))) ??
  maybeText(order, 'shippingOptionName')

const interpretation: Readonly<Record<string, boolean | undefined>> = { INCLUSIVE: true, EXCLUSIVE: false }

/** Who bought is told by e-mail and address; whether with an account is not. */
function customerOf(order: Fields, email: string | null): RemoteOrder['customer'] {
  const bill = maybeFields(order, 'billingAddress') ?? {}
  const id = maybeText(order, 'customerId')
  if (id === null && email === null) return null
  return {
    remote_id: id,
    email,
    first_name: maybeText(bill, 'firstName'),
    last_name: maybeText(bill, 'lastName'),
    phone: maybeText(bill, 'phone'),
    is_guest: id === null,
  }
}

/** What is not sent goes nowhere: then the address is missing, or has nothing in it. */
function addressIn(order: Fields, name: string, email: string | null): RemoteOrder['shipping_address'] {
  const place = maybeFields(order, name)
  if (place === null || Object.values(place).every((part) => part == null || part === '')) return null
  const country = maybeText(place, 'countryCode')
  return address({
    first_name: maybeText(place, 'firstName'),
    last_name: maybeText(place, 'lastName'),
    line1: maybeText(place, 'address1'),
    line2: maybeText(place, 'address2'),
    city: maybeText(place, 'city'),
    region: maybeText(place, 'state'),
    postal_code: maybeText(place, 'postalCode'),
    country_code: country?.toUpperCase() ?? null,
    phone: maybeText(place, 'phone'),
    email,
  })
}

/** What buyers were asked and have answered: in the checkout, or for one article. */
const labelledIn = (fields: Fields, name: string): OrderAttribute[] =>
  rowsIn(fields, name).flatMap((one) => {
    const [label, value] = [maybeText(one, 'label'), maybeText(one, 'value')]
    return label !== null && value !== null ? [{ name: label, value }] : []
  })

const sentTypes: Readonly<Record<string, boolean | undefined>> = {
  PHYSICAL_PRODUCT: true,
  SERVICE: false,
  GIFT_CARD: false,
  DIGITAL: false,
  PAYWALL_PRODUCT: false,
}

/** Of custom items, and of kinds that are yet to come, nobody knows. */
const requiresShipping = (line: Fields): boolean | null => sentTypes[maybeText(line, 'lineItemType') ?? ''] ?? null

function toLine(line: Fields, { words, currency }: { words: Words; currency: string }): OrderLine {
  const digits = digitsOf(currency)
  const quantity = numberIn(line, 'quantity')
  const price = moneyIn(line, 'unitPricePaid').amount
  const money = (amount: string) => ({ amount, currency })
  const options = rowsIn(line, 'variantOptions').map((one) => maybeText(one, 'value'))
  return {
    ...lineDefaults,
    remote_id: idIn(line, 'id'),
    sku: maybeText(line, 'sku'),
    product_remote_id: maybeText(line, 'productId'),
    variant_remote_id: maybeText(line, 'variantId'),
    title: maybeText(line, 'productName') ?? textIn(line, 'id'),
    variant_title: options.filter((value) => value !== null).join(' / ') || null,
    quantity,
    quantity_fulfilled: words.status === 'completed' ? quantity : 0,
    quantity_cancelled: words.status === 'cancelled' ? quantity : 0,
    quantity_refunded: 0,
    unit_price: money(price),
    // Discounts and taxes are told of the whole order only.
    discount: money(decimal('0', digits)),
    tax: money(decimal('0', digits)),
    total: money(times(price, quantity, digits)),
    attributes: labelledIn(line, 'customizations'),
    requires_shipping: requiresShipping(line),
  }
}

/** What is in a parcel is not told: a single one of an order that has left has everything. */
export function shipmentsOf(order: Fields): RemoteShipment[] {
  const parcels = rowsIn(order, 'fulfillments')
  const isWhole = parcels.length === 1 && order['fulfillmentStatus'] === 'FULFILLED'
  const all = rowsIn(order, 'lineItems').flatMap((line) =>
    requiresShipping(line) === false
      ? []
      : [{ order_line_remote_id: idIn(line, 'id'), quantity: numberIn(line, 'quantity') }],
  )
  return parcels.map((parcel) => ({
    remote_id: null,
    status: 'shipped',
    carrier_code: null,
    carrier_name: maybeText(parcel, 'carrierName'),
    service: maybeText(parcel, 'service'),
    tracking_number: maybeText(parcel, 'trackingNumber'),
    tracking_url: maybeText(parcel, 'trackingUrl'),
    shipped_at: maybeTime(parcel, 'shipDate'),
    delivered_at: null,
    location_remote_id: null,
    lines: isWhole ? all : [],
  }))
}
