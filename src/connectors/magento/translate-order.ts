import { address } from '../../commerce/address.ts'
import { compareDecimals } from '../../commerce/decimal.ts'
import { type OrderLine, orderDefaults, type RemoteOrder } from '../../commerce/order.ts'
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
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'
import { adminPage } from '../../commerce/wire/admin-address.ts'
import { amountIn, maybeAmount, moneyIn, totalsOf } from './amounts.ts'
import { giftMessageOf } from './lines/attributes.ts'
import { billedItems, toLines } from './lines/to-lines.ts'
import { ofCreditMemo } from './refunds.ts'
import type { MagentoFacts } from './settings.ts'
import { ofShipment } from './translate-shipment.ts'

/** An order, with its shipments under `shipments`. */
export function toOrder(raw: unknown, facts?: MagentoFacts): RemoteOrder {
  const order = fieldsOf(raw)
  const currency = textIn(order, 'order_currency_code')
  const items = recordsIn(order, 'items')
  const lines = toLines(order, currency)
  const billed = billedItems(order, currency)
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
    ...totalsOf(order, billed, currency),
    refunded_total: moneyIn(order, 'total_refunded', currency),
    prices_include_tax: false,
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
    sales_channel: storeOf(order),
    purchase_order: maybeText(maybeFields(order, 'payment') ?? {}, 'po_number'),
    tax_ids: taxIdsOf(order),
    attributes: [...giftMessageOf(order), ...pickupOf(order)],
    lines,
    refunds: recordsIn({ creditmemos: [], ...order }, 'creditmemos').map((memo) =>
      ofCreditMemo(memo, { currency, lines: new Set(billed.map((item) => idIn(item, 'item_id'))) }),
    ),
    shipments: recordsIn(order, 'shipments').flatMap((shipment) => ofShipment(shipment, items)),
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
  const status = state === 'new' && !waitsForMoney(order) ? 'open' : statuses[state]
  if (!status) return unknownStatus(state, null)
  // The word that the merchant chose says more than the state: suspected fraud, say.
  return { status, hold_reason: status === 'on_hold' ? (maybeText(order, 'status') ?? state) : null }
}

/** Methods by which money comes after the goods: those orders stay "new" until they are invoiced, and are to be sent. */
const paidLater: readonly unknown[] = ['cashondelivery', 'purchaseorder', 'companycredit']

function waitsForMoney(order: Fields): boolean {
  const method = maybeFields(order, 'payment')?.['method']
  return !paidLater.includes(method) && order['grand_total'] !== 0
}

/** The store view: of `website`, `store` and `view` on a line each. */
const storeOf = (order: Fields): string | null =>
  maybeText(order, 'store_name')
    ?.split(/\s*\n\s*/)
    .join(' / ') ?? null

function taxIdsOf(order: Fields): RemoteOrder['tax_ids'] {
  const told = [
    maybeText(order, 'customer_taxvat'),
    ...[maybeFields(order, 'billing_address'), shippingAddressOf(order)].map(
      (place) => place && maybeText(place, 'vat_id'),
    ),
  ]
  return [...new Set(told.flatMap((value) => value ?? []))].map((value) => ({ kind: 'VAT', value }))
}

/** What the buyer fetches has no parcel; the source is where. */
function pickupOf(order: Fields): RemoteOrder['attributes'] {
  const place = maybeText(maybeFields(order, 'extension_attributes') ?? {}, 'pickup_location_code')
  return place === null ? [] : [{ name: 'Pickup location', value: place }]
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

export function toAddress(place: Fields | null) {
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
