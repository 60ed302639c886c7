import { address } from '../../commerce/address.ts'
import { compareDecimals, decimal, minus, rounded, sum, times } from '../../commerce/decimal.ts'
import { digitsOf, type Money } from '../../commerce/money.ts'
import { type OrderLine, type OrderRefund, type RemoteOrder, refundedIn } from '../../commerce/order.ts'
import { type Fields, fieldsIn, fieldsOf, idIn, maybeFields, recordsIn } from '../../commerce/reading.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { fromLocalTime } from '../../commerce/wire/local-time.ts'
import { associated, countIn, isYes, needed, textOf, valueIn } from './ask.ts'
import { type PrestaFacts, type Settings, zoneOf } from './settings.ts'

/** An order with everything that it names by number (`complete-order.ts`). Amounts are those with tax. */
export function toOrder(raw: unknown, facts: PrestaFacts): RemoteOrder {
  const order = fieldsOf(raw)
  const currency = needed(fieldsIn(order, 'currency'), 'iso_code')
  const moneyIn = (name: string): Money => ({ amount: amountIn(order, name, currency), currency })
  const timeIn = (name: string): string => fromLocalTime(needed(order, name), zoneOf(facts))
  // A state that was deleted is known by its number alone.
  const known = maybeFields(order, 'state')
  const state = known ?? { id: needed(order, 'current_state') }
  const { status, hold_reason } = known
    ? { status: meaningOf(known, facts.settings), hold_reason: holdOf(known, facts.settings) }
    : unknownStatus(idIn(state, 'id'), 'order_states')
  const refunds = recordsIn({ slips: [], ...order }, 'slips').map((slip) => toRefund(slip, { currency, facts }))
  const refunded = sum(
    refunds.map(({ amount }) => amount.amount),
    digitsOf(currency),
  )
  const fee = wrappingIn(order, 'incl', currency)
  const feeNet = wrappingIn(order, 'excl', currency)
  const details = new Map(recordsIn({ details: [], ...order }, 'details').map((one) => [idIn(one, 'id'), one]))
  const fulfillment = fulfillmentOf(state, facts.settings)
  const customer = maybeFields(order, 'customer')
  const delivery = maybeFields(order, 'delivery')
  const invoice = maybeFields(order, 'invoice')
  const changed = timeIn('date_upd')
  return {
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
    subtotal: moneyIn('total_products_wt'),
    discount_total: moneyIn('total_discounts_tax_incl'),
    shipping_total: moneyIn('total_shipping_tax_incl'),
    tax_total: {
      amount: minus(
        amountIn(order, 'total_paid_tax_incl', currency),
        amountIn(order, 'total_paid_tax_excl', currency),
        digitsOf(currency),
      ),
      currency,
    },
    total: moneyIn('total_paid_tax_incl'),
    fee_total: { amount: fee, currency },
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
    lines: associated(order, 'order_rows').map((row) =>
      toLine({ ...details.get(idIn(row, 'id')), ...row }, { status, fulfillment, currency, refunds }),
    ),
    fees: compareDecimals(fee, '0') === 0 ? [] : [giftWrap(fee, feeNet, currency)],
    refunds,
    shipments: recordsIn(order, 'parcels').flatMap((parcel) => ofParcel(parcel, fulfillment, facts)),
    admin_url: null,
    note: valueIn(order, 'gift_message'),
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

/** Which states mean what, in shops that were not asked: as the platform comes. */
export const stateOf = (settings: Settings) => ({
  canceled: settings.state_canceled ?? 6,
  refunded: settings.state_refunded ?? 7,
  failed: settings.state_failed ?? 8,
  shipped: settings.state_shipped ?? 4,
  delivered: settings.state_delivered ?? 5,
  backorders: [settings.state_backorder_paid ?? 9, settings.state_backorder_unpaid ?? 12],
})

export const nameOfState = (state: Fields): string => textOf(state, 'name') ?? idIn(state, 'id')

/** States are the shop's own; what they mean is in their flags, but for the few that the platform itself needs. */
export function meaningOf(state: Fields, settings: Settings): RemoteOrder['status'] {
  const id = Number(idIn(state, 'id'))
  const explained = settings.order_states?.find((one) => one.id === id)?.means
  if (explained) return explained
  const known = stateOf(settings)
  if (id === known.canceled) return 'cancelled'
  if (known.backorders.includes(id)) return 'on_hold'
  if (isYes(state, 'shipped')) return 'completed'
  // Paid back: what had not left by then will not.
  if (id === known.refunded) return 'open'
  return isYes(state, 'paid') ? 'open' : 'pending'
}

/** A backorder waits for its goods, and the state's name says so. */
const holdOf = (state: Fields, settings: Settings): string | null =>
  meaningOf(state, settings) === 'on_hold' ? nameOfState(state) : null

function paymentOf(
  order: Fields,
  state: Fields,
  { settings, refunded }: { settings: Settings; refunded: string },
): RemoteOrder['payment_status'] {
  const id = Number(idIn(state, 'id'))
  const known = stateOf(settings)
  if (id === known.refunded) return 'refunded'
  const paid = decimal(needed(order, 'total_paid_real'))
  if (compareDecimals(refunded, '0') > 0) {
    return compareDecimals(refunded, decimal(needed(order, 'total_paid_tax_incl'))) < 0
      ? 'partially_refunded'
      : 'refunded'
  }
  const whole = compareDecimals(paid, decimal(needed(order, 'total_paid_tax_incl'))) >= 0
  if (isYes(state, 'paid') || whole) return 'paid'
  if (compareDecimals(paid, '0') > 0) return 'partially_paid'
  if (id === known.failed) return 'failed'
  return id === known.canceled ? 'voided' : 'pending'
}

function fulfillmentOf(state: Fields, settings: Settings): RemoteOrder['fulfillment_status'] {
  if (Number(idIn(state, 'id')) === stateOf(settings).delivered) return 'delivered'
  return isYes(state, 'shipped') ? 'fulfilled' : 'unfulfilled'
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
}

/** Six places come, whatever the currency has. */
const amountIn = (record: Fields, name: string, currency: string): string =>
  rounded(decimal(needed(record, name)), digitsOf(currency))

const wrappingIn = (order: Fields, kind: 'incl' | 'excl', currency: string): string =>
  rounded(decimal(valueIn(order, `total_wrapping_tax_${kind}`) ?? '0'), digitsOf(currency))

const giftWrap = (amount: string, net: string, currency: string): RemoteOrder['fees'][number] => ({
  remote_id: null,
  title: 'Gift wrapping',
  amount: { amount, currency },
  tax: { amount: minus(amount, net, digitsOf(currency)), currency },
})

/** A credit slip: goods, and what was paid for sending them. */
function toRefund(slip: Fields, { currency, facts }: { currency: string; facts: PrestaFacts }): OrderRefund {
  const parts = ['total_products_tax_incl', 'total_shipping_tax_incl'].map((name) => amountIn(slip, name, currency))
  const at = valueIn(slip, 'date_add')
  return {
    remote_id: idIn(slip, 'id'),
    amount: { amount: sum(parts, digitsOf(currency)), currency },
    reason: null,
    refunded_at: at === null ? null : fromLocalTime(at, zoneOf(facts)),
    lines: associated(slip, 'order_slip_details').map((line) => ({
      order_line_remote_id: needed(line, 'id_order_detail'),
      quantity: countIn(line, 'product_quantity'),
      amount: { amount: amountIn(line, 'amount_tax_incl', currency), currency },
    })),
  }
}

/** The shop's own sum, where it was asked for: it rounds by the piece, by the line or in the end, as the merchant likes. */
function lineTotal(row: Fields, kind: 'incl' | 'excl', currency: string): string {
  const own = valueIn(row, `total_price_tax_${kind}`)
  const each = decimal(needed(row, `unit_price_tax_${kind}`))
  return rounded(own === null ? times(each, countIn(row, 'product_quantity')) : decimal(own), digitsOf(currency))
}

function toLine(row: Fields, { status, fulfillment, currency, refunds }: LineFacts): OrderLine {
  const digits = digitsOf(currency)
  const quantity = countIn(row, 'product_quantity')
  const [total, net] = [lineTotal(row, 'incl', currency), lineTotal(row, 'excl', currency)]
  const product = needed(row, 'product_id')
  const combination = valueIn(row, 'product_attribute_id') ?? '0'
  return {
    remote_id: idIn(row, 'id'),
    sku: valueIn(row, 'product_reference'),
    product_remote_id: product === '0' ? null : product,
    variant_remote_id: combination === '0' ? product : combination,
    title: needed(row, 'product_name'),
    variant_title: null,
    quantity,
    quantity_fulfilled: fulfillment === 'unfulfilled' ? 0 : quantity,
    quantity_cancelled: status === 'cancelled' ? quantity : 0,
    quantity_refunded: refundedIn(refunds, idIn(row, 'id')),
    unit_price: { amount: amountIn(row, 'unit_price_tax_incl', currency), currency },
    // Reductions are in the price already.
    discount: { amount: decimal('0', digits), currency },
    tax: { amount: minus(total, net, digits), currency },
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
