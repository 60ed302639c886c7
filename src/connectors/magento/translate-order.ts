import { address } from '../../commerce/address.ts'
import { compareDecimals, minus } from '../../commerce/decimal.ts'
import { digitsOf, zero } from '../../commerce/money.ts'
import { lineDefaults, type OrderLine, orderDefaults, type RemoteOrder } from '../../commerce/order.ts'
import {
  type Fields,
  fieldsOf,
  idIn,
  isFields,
  maybeFields,
  maybeText,
  recordsIn,
  textIn,
  timeIn,
} from '../../commerce/reading.ts'
import { exactQuantity } from '../../commerce/rules/quantities.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'
import { adminPage } from '../../commerce/wire/admin-address.ts'
import { amountIn, maybeAmount, moneyIn } from './amounts.ts'
import { ofCreditMemo } from './refunds.ts'
import type { MagentoFacts } from './settings.ts'
import { ofShipment } from './translate-shipment.ts'

/** An order, with its shipments under `shipments`. */
export function toOrder(raw: unknown, facts?: MagentoFacts): RemoteOrder {
  const order = fieldsOf(raw)
  const currency = textIn(order, 'order_currency_code')
  const items = recordsIn(order, 'items')
  const lines = items.filter((item) => item['parent_item_id'] == null).map((item) => toLine(item, items, currency))
  const discount = maybeAmount(order, 'discount_amount', currency)
  const changed = timeIn(order, 'updated_at')
  const state = textIn(order, 'state')
  return {
    ...orderDefaults,
    remote_id: idIn(order, 'entity_id'),
    number: textIn(order, 'increment_id'),
    channel: 'magento',
    marketplace: null,
    // Paid back in full: what had left before that stays sold.
    ...(state === 'closed' && lines.some((line) => line.quantity_fulfilled > 0)
      ? { status: 'completed', hold_reason: null }
      : statusOf(order, state)),
    payment_status: paymentOf(order, currency),
    fulfillment_status: fulfillmentOf(order, lines),
    remote_status: maybeText(order, 'status') ?? state,
    currency,
    subtotal: moneyIn(order, 'subtotal', currency),
    // Reported as a negative amount.
    discount_total: { amount: discount.replace(/^-/, ''), currency },
    shipping_total: moneyIn(order, 'shipping_amount', currency),
    tax_total: moneyIn(order, 'tax_amount', currency),
    total: { amount: amountIn(order, 'grand_total', currency), currency },
    fee_total: zero(currency),
    refunded_total: moneyIn(order, 'total_refunded', currency),
    prices_include_tax: null,
    customer: {
      remote_id: order['customer_id'] == null ? null : idIn(order, 'customer_id'),
      email: maybeText(order, 'customer_email'),
      first_name: maybeText(order, 'customer_firstname'),
      last_name: maybeText(order, 'customer_lastname'),
      phone: maybeText(maybeFields(order, 'billing_address') ?? {}, 'telephone'),
      is_guest: order['customer_is_guest'] === 1,
    },
    billing_address: toAddress(maybeFields(order, 'billing_address')),
    shipping_address: toAddress(shippingAddressOf(order)),
    shipping_method: maybeText(order, 'shipping_description'),
    lines,
    fees: [],
    refunds: recordsIn({ creditmemos: [], ...order }, 'creditmemos').map((memo) =>
      ofCreditMemo(memo, { currency, lines: new Set(lines.map((line) => line.remote_id)) }),
    ),
    shipments: recordsIn(order, 'shipments').flatMap(ofShipment),
    admin_url: adminPage(facts, `/sales/order/view/order_id/${idIn(order, 'entity_id')}/`),
    note: maybeText(order, 'customer_note'),
    tags: [],
    external_reference: maybeText(order, 'ext_order_id'),
    acknowledged: null,
    test: false,
    placed_at: timeIn(order, 'created_at'),
    ship_by: null,
    cancelled_at: state === 'canceled' ? changed : null,
    cancel_reason: null,
    remote_created_at: timeIn(order, 'created_at'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

export const statuses: Readonly<Record<string, RemoteOrder['status'] | undefined>> = {
  new: 'pending',
  pending_payment: 'pending',
  processing: 'open',
  holded: 'on_hold',
  payment_review: 'on_hold',
  complete: 'completed',
  // Paid back in full.
  closed: 'open',
  canceled: 'cancelled',
}

/** By the state, of which there are eight; the status beside it is a word that merchants choose. */
function statusOf(order: Fields, state: string): Pick<RemoteOrder, 'status' | 'hold_reason'> {
  const status = statuses[state]
  if (!status) return unknownStatus(state, null)
  // The word that the merchant chose says more than the state: suspected fraud, say.
  return { status, hold_reason: status === 'on_hold' ? (maybeText(order, 'status') ?? state) : null }
}

function paymentOf(order: Fields, currency: string): RemoteOrder['payment_status'] {
  const total = amountIn(order, 'grand_total', currency)
  const [refunded, paid] = ['total_refunded', 'total_paid'].map((name) => maybeAmount(order, name, currency))
  const reaches = (amount = '0') => compareDecimals(amount, total) >= 0
  const isSome = (amount = '0') => compareDecimals(amount, '0') > 0
  if (isSome(refunded)) return reaches(refunded) ? 'refunded' : 'partially_refunded'
  if (reaches(paid)) return 'paid'
  if (isSome(paid)) return 'partially_paid'
  if (order['state'] === 'canceled') return 'voided'
  const payment = maybeFields(order, 'payment') ?? {}
  return isSome(maybeAmount(payment, 'amount_authorized', currency)) ? 'authorized' : 'pending'
}

function fulfillmentOf(order: Fields, lines: readonly OrderLine[]): RemoteOrder['fulfillment_status'] {
  if (order['is_virtual'] === 1) return 'not_required'
  if (order['state'] === 'complete') return 'fulfilled'
  const sent = lines.filter((line) => line.quantity_fulfilled > 0)
  if (sent.length === 0) return 'unfulfilled'
  const whole = lines.every(
    (line) => line.requires_shipping === false || line.quantity_fulfilled >= line.quantity - line.quantity_cancelled,
  )
  return whole ? 'fulfilled' : 'partial'
}

function shippingAddressOf(order: Fields): Fields | null {
  const assignments = maybeFields(order, 'extension_attributes')?.['shipping_assignments']
  const [first] = Array.isArray(assignments) ? assignments : []
  const shipping = isFields(first) ? first['shipping'] : null
  return isFields(shipping) ? maybeFields(shipping, 'address') : null
}

function toAddress(place: Fields | null) {
  if (!place) return null
  const street = Array.isArray(place['street']) ? place['street'].map(String) : []
  const names = ['firstname', 'middlename', 'lastname'].map((name) => maybeText(place, name)).filter(Boolean)
  return address({
    name: names.join(' ') || null,
    first_name: maybeText(place, 'firstname'),
    last_name: maybeText(place, 'lastname'),
    company: maybeText(place, 'company'),
    line1: street[0] || null,
    line2: street[1] || null,
    line3: street.slice(2).join(', ') || null,
    city: maybeText(place, 'city'),
    region: maybeText(place, 'region'),
    region_code: maybeText(place, 'region_code'),
    postal_code: maybeText(place, 'postcode'),
    country_code: maybeText(place, 'country_id'),
    phone: maybeText(place, 'telephone'),
    email: maybeText(place, 'email'),
  })
}

/**
 * What was chosen of a configurable product comes as two items: the parent has the price, the child is the article. They
 * are one line, under the parent's id, which is what parcels refer to. Bundles are one line as well.
 */
function toLine(item: Fields, items: readonly Fields[], currency: string): OrderLine {
  const id = idIn(item, 'item_id')
  const configurable = item['product_type'] === 'configurable'
  const child = configurable
    ? items.find((one) => one['parent_item_id'] != null && idIn(one, 'parent_item_id') === id)
    : null
  const article = child ?? item
  const digits = digitsOf(currency)
  const discount = maybeAmount(item, 'discount_amount', currency)
  const shipped = Math.max(quantityIn(item, 'qty_shipped'), child ? quantityIn(child, 'qty_shipped') : 0)
  return {
    ...lineDefaults,
    remote_id: id,
    sku: maybeText(article, 'sku'),
    product_remote_id: item['product_id'] == null ? null : idIn(item, 'product_id'),
    variant_remote_id: article['product_id'] == null ? null : idIn(article, 'product_id'),
    title: maybeText(item, 'name') ?? textIn(item, 'sku'),
    variant_title: child ? maybeText(child, 'name') : null,
    quantity: quantityIn(item, 'qty_ordered'),
    quantity_fulfilled: shipped,
    quantity_cancelled: quantityIn(item, 'qty_canceled'),
    quantity_refunded: Math.max(quantityIn(item, 'qty_refunded'), child ? quantityIn(child, 'qty_refunded') : 0),
    unit_price: moneyIn(item, 'price', currency),
    discount: { amount: discount, currency },
    tax: moneyIn(item, 'tax_amount', currency),
    total: { amount: minus(maybeAmount(item, 'row_total', currency), discount, digits), currency },
    requires_shipping: item['is_virtual'] === 1 ? false : item['is_virtual'] === 0 ? true : null,
  }
}

/** Goods by weight or length have quantities that are no whole numbers, of which the platform keeps four places. */
function quantityIn(item: Fields, name: string): number {
  const reported = item[name] ?? 0
  if (typeof reported !== 'number' || !Number.isFinite(reported)) throw new TypeError(`"${name}" is no number.`)
  return exactQuantity(reported)
}
