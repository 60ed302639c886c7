import { address } from '../../commerce/address.ts'
import { fromMinorUnits, zero } from '../../commerce/money.ts'
import { lineDefaults, orderDefaults, type RemoteOrder, refundedIn } from '../../commerce/order.ts'
import {
  arrayIn,
  type Fields,
  fieldsOf,
  isFields,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
} from '../../commerce/reading.ts'
import { shopStatuses } from '../../commerce/rules/order-words.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'

/** The shop's words for where an order stands, and ours. */
const meanings: Readonly<
  Record<string, Pick<RemoteOrder, 'status' | 'payment_status' | 'fulfillment_status'> | undefined>
> = {
  awaiting_payment: { status: 'pending', payment_status: 'pending', fulfillment_status: 'unfulfilled' },
  on_hold: { status: 'on_hold', payment_status: 'authorized', fulfillment_status: 'unfulfilled' },
  awaiting_shipment: { status: 'open', payment_status: 'paid', fulfillment_status: 'unfulfilled' },
  partly_shipped: { status: 'open', payment_status: 'paid', fulfillment_status: 'partial' },
  shipped: { status: 'completed', payment_status: 'paid', fulfillment_status: 'fulfilled' },
  delivered: { status: 'completed', payment_status: 'paid', fulfillment_status: 'delivered' },
  cancelled: { status: 'cancelled', payment_status: 'voided', fulfillment_status: 'unfulfilled' },
}

export const statuses = shopStatuses(
  Object.fromEntries(Object.entries(meanings).map(([word, one]) => [word, one?.status])),
)

const unsaid = { payment_status: 'unknown', fulfillment_status: 'unfulfilled' } as const

/** Of money that is reserved a part may have been taken. */
const partlyPaid = (order: Fields, payment: RemoteOrder['payment_status']): Partial<RemoteOrder> =>
  payment === 'authorized' && numberIn({ captured: 0, ...order }, 'captured') > 0
    ? { payment_status: 'partially_paid' }
    : {}

export function toOrder(raw: unknown): RemoteOrder {
  const order = fieldsOf(raw)
  const remoteStatus = textIn(order, 'status')
  const known = meanings[remoteStatus]
  const words = known ? { ...known, hold_reason: null } : { ...unsaid, ...unknownStatus(remoteStatus, null) }
  const currency = textIn(order, 'currency')
  const money = (fields: Fields, name: string) => fromMinorUnits(numberIn(fields, name), currency)
  const withTax = order['tax_included'] === true
  const buyer = fieldsOf(order['buyer'])
  const refunded = numberIn(order, 'refunded')
  const refunds = recordsIn({ refunds: [], ...order }, 'refunds').map((refund) => ({
    remote_id: textIn(refund, 'id'),
    amount: money(refund, 'amount'),
    reason: maybeText(refund, 'reason'),
    refunded_at: textIn(refund, 'made_at'),
    lines: recordsIn(refund, 'lines').map((part) => ({
      order_line_remote_id: textIn(part, 'line'),
      quantity: numberIn(part, 'quantity'),
      amount: null,
    })),
  }))
  return {
    ...orderDefaults,
    remote_id: textIn(order, 'id'),
    number: textIn(order, 'number'),
    channel: 'sandbox',
    marketplace: null,
    ...words,
    ...(refunded === 0
      ? partlyPaid(order, words.payment_status)
      : { payment_status: refunded < numberIn(order, 'total') ? 'partially_refunded' : 'refunded' }),
    remote_status: remoteStatus,
    currency,
    subtotal: money(order, 'goods_total'),
    discount_total: money(order, 'discount'),
    shipping_total: money(order, 'shipping'),
    tax_total: money(order, 'tax'),
    total: money(order, 'total'),
    fee_total: zero(currency),
    refunded_total: refunded === 0 ? null : money(order, 'refunded'),
    prices_include_tax: withTax,
    customer: {
      remote_id: maybeText(buyer, 'id'),
      email: maybeText(buyer, 'email'),
      first_name: maybeText(buyer, 'first_name'),
      last_name: maybeText(buyer, 'last_name'),
      phone: maybeText(buyer, 'phone'),
      is_guest: maybeText(buyer, 'id') === null,
    },
    billing_address: addressIn(order['bill_to']),
    shipping_address: addressIn(order['ship_to']),
    shipping_method: textIn(order, 'shipping_method'),
    lines: arrayIn(order, 'lines').map((value) => {
      const line = fieldsOf(value)
      return {
        ...lineDefaults,
        remote_id: textIn(line, 'id'),
        sku: maybeText(line, 'sku'),
        product_remote_id: null,
        variant_remote_id: null,
        title: textIn(line, 'title'),
        variant_title: null,
        quantity: numberIn(line, 'quantity'),
        quantity_fulfilled: numberIn(line, 'shipped'),
        quantity_cancelled: numberIn(line, 'cancelled'),
        quantity_refunded: refundedIn(refunds, textIn(line, 'id')),
        unit_price: money(line, 'unit_price'),
        discount: money(line, 'discount'),
        tax: money(line, 'tax'),
        // Told with the tax, also where that comes on top of the prices.
        total: withTax
          ? money(line, 'total')
          : fromMinorUnits(numberIn(line, 'total') - numberIn(line, 'tax'), currency),
        requires_shipping: true,
      }
    }),
    fees: [],
    refunds,
    shipments: arrayIn(order, 'shipments').map(toShipment),
    admin_url: null,
    note: maybeText(order, 'note'),
    tags: order['tags'] == null ? [] : arrayIn(order, 'tags').map(String),
    external_reference: maybeText(order, 'reference'),
    acknowledged: order['acknowledged'] === true,
    test: true,
    placed_at: textIn(order, 'placed_at'),
    ship_by: null,
    cancelled_at: maybeText(order, 'cancelled_at'),
    cancel_reason: maybeText(order, 'cancel_reason'),
    remote_created_at: textIn(order, 'placed_at'),
    remote_updated_at: textIn(order, 'updated_at'),
    remote_version: textIn(order, 'updated_at'),
    raw,
  }
}

export const addressIn = (value: unknown): RemoteOrder['shipping_address'] =>
  isFields(value)
    ? address({
        name: maybeText(value, 'name'),
        line1: maybeText(value, 'street'),
        city: maybeText(value, 'city'),
        postal_code: maybeText(value, 'zip'),
        country_code: maybeText(value, 'country'),
      })
    : null

export function toShipment(raw: unknown): RemoteShipment {
  const shipment = fieldsOf(raw)
  const delivered = shipment['delivered'] === true
  return {
    remote_id: textIn(shipment, 'id'),
    status: delivered ? 'delivered' : 'shipped',
    carrier_code: null,
    carrier_name: textIn(shipment, 'carrier'),
    service: null,
    tracking_number: textIn(shipment, 'tracking_number'),
    tracking_url: maybeText(shipment, 'tracking_url'),
    shipped_at: textIn(shipment, 'shipped_at'),
    delivered_at: null,
    location_remote_id: null,
    lines: arrayIn(shipment, 'lines').map((value) => {
      const part = fieldsOf(value)
      return { order_line_remote_id: textIn(part, 'line'), quantity: numberIn(part, 'quantity') }
    }),
  }
}
