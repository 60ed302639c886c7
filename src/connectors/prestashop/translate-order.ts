import { address } from '../../commerce/address.ts'
import { compareDecimals, decimal, minus, rounded, sum } from '../../commerce/decimal.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import {
  lineDefaults,
  type OrderLine,
  type OrderRefund,
  orderDefaults,
  type RemoteOrder,
  refundedIn,
} from '../../commerce/order.ts'
import { type Fields, fieldsIn, fieldsOf, idIn, maybeFields, recordsIn } from '../../commerce/reading.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { adminPage } from '../../commerce/wire/admin-address.ts'
import { fromLocalTime } from '../../commerce/wire/local-time.ts'
import { associated, countIn, isYes, needed, valueIn } from './ask.ts'
import { amountIn, exactTotal, lineTotals, reckoned, rowsOf } from './rounding/amounts.ts'
import { type PrestaFacts, zoneOf } from './settings.ts'
import { fulfillmentOf, nameOfState, paymentOf, standingOf } from './statuses.ts'

/** An order with everything that it names by number (`complete-order.ts`). Amounts are those with tax. */
export function toOrder(raw: unknown, facts: PrestaFacts): RemoteOrder {
  const order = fieldsOf(raw)
  const currency = needed(fieldsIn(order, 'currency'), 'iso_code')
  const moneyIn = (name: string): Money => ({ amount: amountIn(order, name, currency), currency })
  const timeIn = (name: string): string => fromLocalTime(needed(order, name), zoneOf(facts))
  // A state that was deleted is known by its number alone.
  const known = maybeFields(order, 'state')
  const state = known ?? { id: needed(order, 'current_state') }
  const { status, hold_reason } = standingOf(known, state, facts.settings)
  const discount = amountIn(order, 'total_discounts_tax_incl', currency)
  const refunds = recordsIn({ slips: [], ...order }, 'slips').map((slip) =>
    toRefund(slip, { currency, facts, discount }),
  )
  const refunded = sum(
    refunds.map(({ amount }) => amount.amount),
    digitsOf(currency),
  )
  const fee = wrappingIn(order, 'incl', currency)
  const feeNet = wrappingIn(order, 'excl', currency)
  const rows = rowsOf(associated(order, 'order_rows'), order)
  const ofProducts = amountIn(order, 'total_products_wt', currency)
  const total = amountIn(order, 'total_paid_tax_incl', currency)
  const exact = rows.map((row) => exactTotal(row, 'incl'))
  const totals = lineTotals(exact, ofProducts, currency)
  const beside = minus(sum([amountIn(order, 'total_shipping_tax_incl', currency), fee]), discount)
  const { goods, rounding } = reckoned({ goods: ofProducts, lines: totals, beside, total, currency })
  const fees = [...ofWrapping(fee, feeNet, currency), ...ofRounding(rounding, currency)]
  const fulfillment = fulfillmentOf(state, facts.settings)
  const customer = maybeFields(order, 'customer')
  const delivery = maybeFields(order, 'delivery')
  const invoice = maybeFields(order, 'invoice')
  const changed = timeIn('date_upd')
  return {
    ...orderDefaults,
    remote_id: idIn(order, 'id'),
    number: needed(order, 'reference'),
    channel: 'prestashop',
    marketplace: null,
    status,
    payment_status: paymentOf(order, state, { settings: facts.settings, refunded }),
    fulfillment_status: fulfillment,
    remote_status: nameOfState(state),
    hold_reason,
    currency,
    subtotal: { amount: goods, currency },
    discount_total: moneyIn('total_discounts_tax_incl'),
    shipping_total: moneyIn('total_shipping_tax_incl'),
    tax_total: {
      amount: minus(total, amountIn(order, 'total_paid_tax_excl', currency), digitsOf(currency)),
      currency,
    },
    total: { amount: total, currency },
    fee_total: {
      amount: sum(
        fees.map(({ amount }) => amount.amount),
        digitsOf(currency),
      ),
      currency,
    },
    refunded_total: order['slips'] === undefined ? null : { amount: refunded, currency },
    prices_include_tax: true,
    customer: customer && {
      remote_id: idIn(customer, 'id'),
      email: valueIn(customer, 'email'),
      first_name: valueIn(customer, 'firstname'),
      last_name: valueIn(customer, 'lastname'),
      phone: invoice && (valueIn(invoice, 'phone_mobile') ?? valueIn(invoice, 'phone')),
      is_guest: isYes(customer, 'is_guest'),
    },
    billing_address: toAddress(invoice),
    shipping_address: toAddress(delivery),
    shipping_method: carrierName(maybeFields(order, 'carrier')),
    lines: rows.map((row, at) => toLine(row, { status, fulfillment, currency, refunds, total: totals[at] ?? '0' })),
    fees,
    refunds,
    shipments: recordsIn(order, 'parcels').flatMap((parcel) => ofParcel(parcel, fulfillment, facts)),
    admin_url: adminPage(facts, `/index.php?controller=AdminOrders&vieworder&id_order=${idIn(order, 'id')}`),
    note: noteIn(order),
    tags: [],
    external_reference: null,
    acknowledged: null,
    test: false,
    placed_at: timeIn('date_add'),
    ship_by: null,
    cancelled_at: status === 'cancelled' ? changed : null,
    cancel_reason: null,
    remote_created_at: timeIn('date_add'),
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/** What the customer wrote when ordering, and for whom the order is wrapped as a gift. */
function noteIn(order: Fields): string | null {
  const messages = recordsIn({ messages: [], ...order }, 'messages')
    .filter((message) => !isYes(message, 'private') && (valueIn(message, 'id_employee') ?? '0') === '0')
    .map((message) => valueIn(message, 'message'))
  return [...messages, valueIn(order, 'gift_message')].filter((text) => text !== null).join('\n') || null
}

const carrierName = (carrier: Fields | null): string | null => carrier && valueIn(carrier, 'name')

function toAddress(place: Fields | null) {
  if (!place) return null
  const country = maybeFields(place, 'country')
  const region = maybeFields(place, 'region')
  const names = [valueIn(place, 'firstname'), valueIn(place, 'lastname')].filter(Boolean)
  return address({
    name: names.join(' ') || null,
    first_name: valueIn(place, 'firstname'),
    last_name: valueIn(place, 'lastname'),
    company: valueIn(place, 'company'),
    line1: valueIn(place, 'address1'),
    line2: valueIn(place, 'address2'),
    city: valueIn(place, 'city'),
    region: region && valueIn(region, 'name'),
    region_code: region && valueIn(region, 'iso_code'),
    postal_code: valueIn(place, 'postcode'),
    country_code: country && valueIn(country, 'iso_code'),
    phone: valueIn(place, 'phone_mobile') ?? valueIn(place, 'phone'),
  })
}

interface LineFacts {
  status: RemoteOrder['status']
  fulfillment: RemoteOrder['fulfillment_status']
  currency: string
  refunds: readonly OrderRefund[]
  /** What the line comes to. */
  total: string
}

const wrappingIn = (order: Fields, kind: 'incl' | 'excl', currency: string): string =>
  rounded(decimal(valueIn(order, `total_wrapping_tax_${kind}`) ?? '0'), digitsOf(currency))

const ofWrapping = (amount: string, net: string, currency: string): RemoteOrder['fees'] =>
  feeOf('Gift wrapping', { amount, tax: minus(amount, net, digitsOf(currency)), currency })

const ofRounding = (amount: string, currency: string): RemoteOrder['fees'] =>
  feeOf('Rounding', { amount, tax: decimal('0', digitsOf(currency)), currency })

const feeOf = (
  title: string,
  { amount, tax, currency }: { amount: string; tax: string; currency: string },
): RemoteOrder['fees'] =>
  compareDecimals(amount, '0') === 0
    ? []
    : [{ remote_id: null, title, amount: { amount, currency }, tax: { amount: tax, currency } }]

/** Vouchers are taken off what goods are paid back for, or the merchant has chosen an amount. */
const [lessVouchers, chosenAmount] = ['1', '2']

/** A credit slip: goods, and what was paid for sending them. */
function toRefund(
  slip: Fields,
  { currency, facts, discount }: { currency: string; facts: PrestaFacts; discount: string },
): OrderRefund {
  const at = valueIn(slip, 'date_add')
  const lines = associated(slip, 'order_slip_details').map((line) => ({
    order_line_remote_id: needed(line, 'id_order_detail'),
    quantity: countIn(line, 'product_quantity'),
    amount: { amount: amountIn(line, 'amount_tax_incl', currency), currency },
  }))
  const ofLines = sum(
    lines.map(({ amount }) => amount.amount),
    digitsOf(currency),
  )
  const goods = goodsIn(slip, { currency, reduced: minus(ofLines, discount, digitsOf(currency)) })
  return {
    remote_id: idIn(slip, 'id'),
    amount: { amount: sum([goods, amountIn(slip, 'total_shipping_tax_incl', currency)], digitsOf(currency)), currency },
    reason: null,
    refunded_at: at === null ? null : fromLocalTime(at, zoneOf(facts)),
    lines,
  }
}

/** What was paid back for goods. Slips with postage say "chosen" too: their amount is that of the goods, with tax or without. */
function goodsIn(slip: Fields, { currency, reduced }: { currency: string; reduced: string }): string {
  const type = valueIn(slip, 'order_slip_type')
  if (type === lessVouchers) return compareDecimals(reduced, '0') < 0 ? decimal('0', digitsOf(currency)) : reduced
  const isChosen =
    type === chosenAmount &&
    ['incl', 'excl'].every((kind) => !isSame(needed(slip, 'amount'), needed(slip, `total_products_tax_${kind}`)))
  return amountIn(slip, isChosen ? 'amount' : 'total_products_tax_incl', currency)
}

const isSame = (one: string, other: string): boolean => compareDecimals(decimal(one), decimal(other)) === 0

/** Goods that were paid back with a voucher are on no slip. */
const takenBack = (row: Fields): number | null =>
  valueIn(row, 'product_quantity_refunded') === null
    ? null
    : countIn(row, 'product_quantity_refunded') +
      countIn({ product_quantity_return: '0', ...row }, 'product_quantity_return')

function toLine(row: Fields, { status, fulfillment, currency, refunds, total }: LineFacts): OrderLine {
  const digits = digitsOf(currency)
  const quantity = countIn(row, 'product_quantity')
  const [gross, net] = (['incl', 'excl'] as const).map((kind) => rounded(exactTotal(row, kind), digits))
  const product = needed(row, 'product_id')
  const combination = valueIn(row, 'product_attribute_id') ?? '0'
  return {
    ...lineDefaults,
    remote_id: idIn(row, 'id'),
    sku: valueIn(row, 'product_reference'),
    product_remote_id: product === '0' ? null : product,
    variant_remote_id: combination === '0' ? product : combination,
    title: needed(row, 'product_name'),
    variant_title: null,
    quantity,
    quantity_fulfilled: fulfillment === 'unfulfilled' ? 0 : quantity,
    quantity_cancelled: status === 'cancelled' ? quantity : 0,
    quantity_refunded: takenBack(row) ?? refundedIn(refunds, idIn(row, 'id')),
    unit_price: { amount: amountIn(row, 'unit_price_tax_incl', currency), currency },
    // Reductions are in the price already.
    discount: { amount: decimal('0', digits), currency },
    tax: { amount: minus(gross ?? '0', net ?? '0', digits), currency },
    total: { amount: total, currency },
    requires_shipping: null,
  }
}

/** When it left, by its history. The parcel's own time is when the order was placed. */
const sentAt = (parcel: Fields, facts: PrestaFacts): string | null => {
  const at = valueIn(parcel, 'sent_at')
  return at === null ? null : fromLocalTime(at, zoneOf(facts))
}

/** What the order is to be sent with counts as a parcel once it has a number, or has left without one. */
export function ofParcel(
  parcel: Fields,
  fulfillment: RemoteOrder['fulfillment_status'],
  facts: PrestaFacts,
): RemoteShipment[] {
  const number = valueIn(parcel, 'tracking_number')
  if (number === null && fulfillment === 'unfulfilled') return []
  const carrier = maybeFields(parcel, 'carrier')
  const template = carrier && valueIn(carrier, 'url')
  return [
    {
      remote_id: idIn(parcel, 'id'),
      status: fulfillment === 'delivered' ? 'delivered' : 'shipped',
      carrier_code: null,
      carrier_name: carrierName(carrier),
      service: null,
      tracking_number: number,
      tracking_url: template && number !== null ? template.replace('@', encodeURIComponent(number)) : null,
      shipped_at: sentAt(parcel, facts),
      delivered_at: null,
      location_remote_id: null,
      lines: [],
    },
  ]
}
