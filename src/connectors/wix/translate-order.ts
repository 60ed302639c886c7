import { type Address, address } from '../../commerce/address.ts'
import { compareDecimals, decimal, minus, sum, times } from '../../commerce/decimal.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import { type OrderLine, orderDefaults, type RemoteOrder } from '../../commerce/order.ts'
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
import { amountIn, taxOf, totalsOf, unitPricesOf } from './amounts.ts'
import { toRefund } from './refunds.ts'
import { siteIdOf, type WixFacts } from './settings.ts'
import { wordsOf } from './statuses.ts'
import { sentOf, toShipment } from './translate-shipment.ts'

/** An order with its `fulfillments` and `refunds`, which are asked for apart. */
export function toOrder(raw: unknown, facts?: Pick<WixFacts, 'shop'>): RemoteOrder {
  const order = fieldsOf(raw)
  const id = textIn(order, 'id')
  const currency = textIn(order, 'currency')
  const money = (amount: string): Money => ({ amount, currency })
  const rawLines = recordsIn(order, 'lineItems')
  const words = wordsOf(order, { isSendable: rawLines.some((line) => isSendable(line) !== false) })
  const parcels = recordsIn({ fulfillments: [], ...order }, 'fulfillments')
  const refunds = recordsIn({ refunds: [], ...order }, 'refunds').flatMap((one) => toRefund(one, currency) ?? [])
  const changed = timeIn(order, 'updatedDate')
  const shipping = maybeFields(order, 'shippingInfo') ?? {}
  const logistics = maybeFields(shipping, 'logistics') ?? {}
  const channel = maybeFields(order, 'channelInfo') ?? {}
  const line = lineReader(order, { currency, parcels, words })
  return {
    ...orderDefaults,
    remote_id: id,
    number: maybeText(order, 'number') ?? id,
    channel: 'wix',
    marketplace: null,
    ...words,
    currency,
    ...totalsOf(order, currency),
    refunded_total: money(refundedIn(order, refunds, digitsOf(currency))),
    customer: customerOf(order),
    billing_address: toAddress(maybeFields(order, 'billingInfo')),
    shipping_address: toAddress(maybeFields(logistics, 'shippingDestination') ?? maybeFields(order, 'recipientInfo')),
    shipping_method: maybeText(shipping, 'title'),
    sales_channel: maybeText(channel, 'type'),
    tax_ids: taxIdsOf(order),
    attributes: attributesOf(order, logistics),
    lines: rawLines.map(line),
    refunds,
    shipments: parcels.map((parcel) => toShipment(parcel, rawLines)),
    admin_url:
      facts === undefined
        ? null
        : `https://manage.wix.com/dashboard/${siteIdOf(facts)}/ecom-platform/order-details/${id}`,
    note: maybeText(order, 'buyerNote'),
    tags: [],
    external_reference: maybeText(channel, 'externalOrderId'),
    acknowledged: null,
    test: false,
    placed_at: maybeTime(order, 'purchasedDate') ?? timeIn(order, 'createdDate'),
    ship_by: null,
    cancelled_at: order['status'] === 'CANCELED' ? (cancelledAt(order) ?? changed) : null,
    cancel_reason: null,
    remote_created_at: timeIn(order, 'createdDate'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/** What is listed counts; where nothing is listed, what the order says of it. */
function refundedIn(order: Fields, refunds: RemoteOrder['refunds'], digits: number): string {
  const listed = sum(
    refunds.map(({ amount }) => amount.amount),
    digits,
  )
  const told = amountIn(maybeFields(order, 'balanceSummary') ?? {}, 'refunded', digits)
  return compareDecimals(listed, '0') > 0 ? listed : told
}

function cancelledAt(order: Fields): string | null {
  const activities = order['activities'] == null ? [] : recordsIn(order, 'activities')
  const one = activities.findLast(({ type }) => type === 'ORDER_CANCELED')
  return one ? maybeTime(one, 'createdDate') : null
}

/** Whoever has no account is known as a contact. */
function customerOf(order: Fields): RemoteOrder['customer'] {
  const buyer = maybeFields(order, 'buyerInfo') ?? {}
  const bill = maybeFields(order, 'billingInfo') ?? {}
  const contact = maybeFields(bill, 'contactDetails') ?? {}
  const member = maybeText(buyer, 'memberId')
  return {
    remote_id: member ?? maybeText(buyer, 'contactId'),
    email: maybeText(buyer, 'email'),
    first_name: maybeText(contact, 'firstName'),
    last_name: maybeText(contact, 'lastName'),
    phone: maybeText(contact, 'phone'),
    is_guest: member === null,
  }
}

function toAddress(place: Fields | null): Address | null {
  const where = place && maybeFields(place, 'address')
  if (!place || !where) return null
  const contact = maybeFields(place, 'contactDetails') ?? {}
  const [first, last] = [maybeText(contact, 'firstName'), maybeText(contact, 'lastName')]
  const street = maybeFields(where, 'streetAddress') ?? {}
  const parts = [maybeText(street, 'name'), maybeText(street, 'number')].filter((part) => part !== null)
  const region = maybeText(where, 'subdivision')
  return address({
    name: [first, last].filter((part) => part !== null).join(' ') || null,
    first_name: first,
    last_name: last,
    company: maybeText(contact, 'company'),
    line1: maybeText(where, 'addressLine') ?? maybeText(where, 'addressLine1') ?? (parts.join(' ') || null),
    line2: maybeText(where, 'addressLine2'),
    city: maybeText(where, 'city'),
    region: maybeText(where, 'subdivisionFullname') ?? region?.replace(/^[A-Z]{2}-/, '') ?? null,
    region_code: region?.replace(/^[A-Z]{2}-/, '') ?? null,
    postal_code: maybeText(where, 'postalCode'),
    country_code: maybeText(where, 'country'),
    phone: maybeText(contact, 'phone'),
  })
}

/** Brazilian numbers, which are asked for at checkout there. */
function taxIdsOf(order: Fields): RemoteOrder['tax_ids'] {
  const contact = maybeFields(maybeFields(order, 'billingInfo') ?? {}, 'contactDetails') ?? {}
  const vat = maybeFields(contact, 'vatId')
  const value = vat && maybeText(vat, 'id')
  return vat && value ? [{ kind: maybeText(vat, 'type') ?? 'VAT', value }] : []
}

function attributesOf(order: Fields, logistics: Fields): RemoteOrder['attributes'] {
  const fields = order['customFields'] == null ? [] : recordsIn(order, 'customFields')
  const said = [
    ...fields.map((one) => [one['title'], one['value']]),
    ['Delivery time', logistics['deliveryTime']],
    ['Instructions', logistics['instructions']],
  ]
  return said.flatMap(([name, value]) =>
    typeof name === 'string' && typeof value === 'string' && value !== '' ? [{ name, value }] : [],
  )
}

/** Null where Wix does not say. */
export function isSendable(line: Fields): boolean | null {
  const properties = maybeFields(line, 'physicalProperties') ?? {}
  if (typeof properties['shippable'] === 'boolean') return properties['shippable']
  const kind = maybeText(maybeFields(line, 'itemType') ?? {}, 'preset')
  return kind === null ? null : kind === 'PHYSICAL'
}

/** What all lines without kinds have as the id of their kind in the catalogue before. */
const noVariant = /^[0-]+$/

interface About {
  currency: string
  parcels: readonly Fields[]
  words: Pick<RemoteOrder, 'status' | 'fulfillment_status'>
}

function lineReader(order: Fields, { currency, parcels, words }: About): (line: Fields) => OrderLine {
  const digits = digitsOf(currency)
  const money = (amount: string): Money => ({ amount, currency })
  const unitPrice = unitPricesOf(order, currency)
  return (line) => {
    const id = textIn(line, 'id')
    const quantity = numberIn(line, 'quantity')
    const price = unitPrice(line)
    const discount = amountIn(line, 'totalDiscount', digits)
    const source = maybeFields(line, 'catalogReference') ?? {}
    const options = maybeFields(source, 'options') ?? {}
    const variant = maybeText(options, 'variantId')
    const sent = sentOf(parcels, line)
    return {
      remote_id: id,
      sku: maybeText(maybeFields(line, 'physicalProperties') ?? {}, 'sku'),
      product_remote_id: maybeText(source, 'catalogItemId'),
      variant_remote_id: variant === null || noVariant.test(variant) ? null : variant,
      title: textIn(fieldsIn(line, 'productName'), 'original'),
      ...described(line, options),
      quantity,
      quantity_fulfilled: parcels.length === 0 && words.fulfillment_status === 'fulfilled' ? quantity : sent,
      quantity_cancelled: words.status === 'cancelled' ? quantity - sent : 0,
      quantity_refunded: line['refundQuantity'] == null ? 0 : numberIn(line, 'refundQuantity'),
      unit_price: money(price),
      discount: money(discount),
      tax: money(taxOf(line, digits)),
      total: money(minus(times(price, quantity, digits), decimal(discount, digits), digits)),
      requires_shipping: isSendable(line),
    }
  }
}

/** Kinds that were chosen, and texts that the buyer has written, are shown alike; the texts are told by their names. */
function described(line: Fields, options: Fields): Pick<OrderLine, 'variant_title' | 'attributes'> {
  const written = Object.keys(maybeFields(options, 'customTextFields') ?? {})
  const lines = line['descriptionLines'] == null ? [] : recordsIn(line, 'descriptionLines')
  const said = lines.flatMap((one) => {
    const [name, value] = [originalIn(one, 'name'), originalIn(one, 'plainText') ?? originalIn(one, 'colorInfo')]
    return name !== null && value !== null ? [{ name, value }] : []
  })
  const amount = originalIn(maybeFields(line, 'decimalQuantity') ?? {}, 'description')
  return {
    variant_title: said.flatMap(({ name, value }) => (written.includes(name) ? [] : value)).join(' / ') || null,
    attributes: [
      ...said.filter(({ name }) => written.includes(name)),
      ...(amount === null ? [] : [{ name: 'Quantity', value: amount }]),
    ],
  }
}

const originalIn = (fields: Fields, name: string): string | null =>
  maybeText(maybeFields(fields, name) ?? {}, 'original')
