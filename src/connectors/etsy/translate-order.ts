import { address } from '../../commerce/address.ts'
import { compareDecimals, decimal, minus, sum, times } from '../../commerce/decimal.ts'
import { digitsOf, zero } from '../../commerce/money.ts'
import {
  lineDefaults,
  type OrderLine,
  orderDefaults,
  type RemoteOrder,
  shippingMethodOf,
} from '../../commerce/order.ts'
import {
  type Fields,
  fieldsOf,
  idIn,
  maybeText,
  numberIn,
  recordsIn,
  textIn,
  timeOfUnix,
} from '../../commerce/reading.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { amountIn, moneyIn } from './amounts.ts'
import { type Words, wordsOf } from './statuses.ts'

/** Of each time there are two names, an old one and a new one. */
export const changedAt = (receipt: Fields): string =>
  timeOfUnix(numberIn(receipt, receipt['updated_timestamp'] == null ? 'update_timestamp' : 'updated_timestamp'))

const createdAt = (receipt: Fields): string =>
  timeOfUnix(numberIn(receipt, receipt['created_timestamp'] == null ? 'create_timestamp' : 'created_timestamp'))

const refundsIn = (receipt: Fields) => (receipt['refunds'] == null ? [] : recordsIn(receipt, 'refunds'))

/** A receipt, with its transactions and shipments as it comes. */
export function toOrder(raw: unknown): RemoteOrder {
  const receipt = fieldsOf(raw)
  const total = moneyIn(receipt, 'grandtotal')
  const { currency } = total
  const digits = digitsOf(currency)
  const money = (amount: string) => ({ amount, currency })
  const part = (name: string) => amountIn(receipt, name, currency)
  const transactions = recordsIn(receipt, 'transactions')
  const isDigital = transactions.length > 0 && transactions.every((one) => one['is_digital'] === true)
  const words = wordsOf(receipt, { isDigital, isPaidBack: refundsIn(receipt).length > 0 })
  const wrapping = part('gift_wrap_price')
  const id = idIn(receipt, 'receipt_id')
  const created = createdAt(receipt)
  const changed = changedAt(receipt)
  return {
    ...orderDefaults,
    remote_id: id,
    number: id,
    channel: 'etsy',
    marketplace: null,
    ...words,
    currency,
    // Etsy calls a subtotal what is left after the discount, which is distinguished here.
    subtotal: money(part('total_price')),
    discount_total: money(part('discount_amt')),
    shipping_total: money(part('total_shipping_cost')),
    tax_total: money(sum([part('total_tax_cost'), part('total_vat_cost')], digits)),
    total,
    fee_total: money(wrapping),
    refunded_total: money(
      sum(
        refundsIn(receipt).map((refund) => amountIn(refund, 'amount', currency)),
        digits,
      ),
    ),
    prices_include_tax: null,
    customer: {
      remote_id: receipt['buyer_user_id'] == null ? null : idIn(receipt, 'buyer_user_id'),
      email: maybeText(receipt, 'buyer_email'),
      first_name: null,
      last_name: null,
      phone: null,
      is_guest: false,
    },
    billing_address: null,
    shipping_address: addressOf(receipt),
    shipping_method: shippingMethodOf(transactions.map((one) => maybeText(one, 'shipping_method'))),
    lines: transactions.map((one) => toLine(one, { words, currency })),
    fees:
      compareDecimals(wrapping, '0') === 0
        ? []
        : [{ remote_id: null, title: 'Gift wrapping', amount: money(wrapping), tax: zero(currency) }],
    refunds: refundsIn(receipt).map((refund) => ({
      remote_id: null,
      amount: money(amountIn(refund, 'amount', currency)),
      reason: maybeText(refund, 'reason'),
      refunded_at: refund['created_timestamp'] == null ? null : timeOfUnix(numberIn(refund, 'created_timestamp')),
      lines: [],
    })),
    shipments: shipmentsOf(receipt),
    admin_url: `https://www.etsy.com/your/orders/sold?order_id=${id}`,
    note: maybeText(receipt, 'message_from_buyer'),
    attributes: ['gift_message', 'gift_sender'].flatMap((name) => {
      const value = maybeText(receipt, name)
      return value ? [{ name, value }] : []
    }),
    fulfilled_by: 'merchant',
    tags: [],
    external_reference: null,
    acknowledged: null,
    test: false,
    placed_at: created,
    ship_by: shipByOf(transactions),
    cancelled_at: null,
    cancel_reason: null,
    remote_created_at: created,
    remote_updated_at: changed,
    remote_version: changed,
    raw,
  }
}

/** Digital goods are sent to nobody's door. */
function addressOf(receipt: Fields): RemoteOrder['shipping_address'] {
  const line1 = maybeText(receipt, 'first_line')
  const country = maybeText(receipt, 'country_iso')
  if (line1 === null && country === null) return null
  return address({
    name: maybeText(receipt, 'name'),
    line1,
    line2: maybeText(receipt, 'second_line'),
    city: maybeText(receipt, 'city'),
    region: maybeText(receipt, 'state'),
    postal_code: maybeText(receipt, 'zip'),
    country_code: country,
    email: maybeText(receipt, 'buyer_email'),
  })
}

function shipByOf(transactions: readonly Fields[]): string | null {
  const times = transactions.flatMap((one) =>
    one['expected_ship_date'] == null ? [] : [timeOfUnix(numberIn(one, 'expected_ship_date'))],
  )
  return times.sort()[0] ?? null
}

function toLine(line: Fields, { words, currency }: { words: Words; currency: string }): OrderLine {
  const digits = digitsOf(currency)
  const quantity = numberIn(line, 'quantity')
  const price = moneyIn(line, 'price').amount
  const discount = sum([couponIn(line, 'shop_coupon', digits), couponIn(line, 'buyer_coupon', digits)], digits)
  const money = (amount: string) => ({ amount, currency })
  const chosen = line['variations'] == null ? [] : recordsIn(line, 'variations')
  const variations = chosen.filter((one) => !isWritten(one))
  return {
    ...lineDefaults,
    remote_id: idIn(line, 'transaction_id'),
    sku: maybeText(line, 'sku'),
    product_remote_id: line['listing_id'] == null ? null : idIn(line, 'listing_id'),
    variant_remote_id: line['product_id'] == null ? null : idIn(line, 'product_id'),
    title: textIn(line, 'title'),
    variant_title: variations.map((one) => textIn(one, 'formatted_value')).join(' / ') || null,
    quantity,
    quantity_fulfilled: words.fulfillment_status === 'fulfilled' ? quantity : 0,
    quantity_cancelled: words.status === 'cancelled' ? quantity : 0,
    quantity_refunded: 0,
    unit_price: money(price),
    discount: money(discount),
    tax: money(decimal('0', digits)),
    total: money(minus(times(price, quantity, digits), discount, digits)),
    attributes: chosen
      .filter(isWritten)
      .map((one) => ({ name: textIn(one, 'formatted_name'), value: textIn(one, 'formatted_value') })),
    requires_shipping: typeof line['is_digital'] === 'boolean' ? !line['is_digital'] : null,
  }
}

/** What Etsy calls what a buyer has written, where it asks a single question. */
const personalization = 54

/** An answer of the buyer's, such as a name to be engraved, and not one of the kinds that the listing is sold in. */
const isWritten = (one: Fields): boolean => one['question_id'] != null || one['property_id'] === personalization

/** The only amounts that are floating numbers. */
const couponIn = (line: Fields, name: string, digits: number): string =>
  decimal(typeof line[name] === 'number' ? line[name].toFixed(digits) : '0', digits)

/** Etsy does not say what is in a parcel: a single one has everything. */
export function shipmentsOf(receipt: Fields): RemoteShipment[] {
  const reported = receipt['shipments'] == null ? [] : recordsIn(receipt, 'shipments')
  const lines = recordsIn(receipt, 'transactions').map((line) => ({
    order_line_remote_id: idIn(line, 'transaction_id'),
    quantity: numberIn(line, 'quantity'),
  }))
  return reported.map((parcel) => ({
    remote_id: parcel['receipt_shipping_id'] == null ? null : idIn(parcel, 'receipt_shipping_id'),
    status: 'shipped',
    carrier_code: maybeText(parcel, 'carrier_name'),
    carrier_name: maybeText(parcel, 'carrier_name'),
    service: null,
    tracking_number: maybeText(parcel, 'tracking_code'),
    tracking_url: null,
    shipped_at:
      parcel['shipment_notification_timestamp'] == null
        ? null
        : timeOfUnix(numberIn(parcel, 'shipment_notification_timestamp')),
    delivered_at: null,
    location_remote_id: null,
    lines: reported.length === 1 ? lines : [],
  }))
}
