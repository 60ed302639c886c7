import { type Address, address } from '../../commerce/address.ts'
import type { Customer } from '../../commerce/customer.ts'
import { minus, sum, times } from '../../commerce/decimal.ts'
import type { Definition } from '../../commerce/definition/definition.ts'
import type { Format, Place } from '../../commerce/definition/place.ts'
import type { Money } from '../../commerce/money.ts'
import {
  lineDefaults,
  type OrderAttribute,
  type OrderFee,
  type OrderLine,
  type OrderRefund,
  type OrderReturn,
  orderDefaults,
  type RemoteOrder,
  refundedIn,
} from '../../commerce/order.ts'
import { type Fields, fieldsOf } from '../../commerce/reading.ts'
import { unknownStatus } from '../../commerce/rules/unknown-status.ts'
import type { RemoteShipment } from '../../commerce/shipment.ts'
import { say } from '../../commerce/words/say.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { type Reader, readerOf } from './values.ts'

export type OrderRules = NonNullable<Definition['orders']>
type Paths = OrderRules['fields']

type Words<Ours extends string> = readonly { theirs: string; ours: Ours }[]

/** Our word for theirs, or the one for all others (`*`); undefined where there is neither. */
const knownWord = <Ours extends string>(table: Words<Ours> | undefined, theirs: string): Ours | undefined =>
  (table?.find((one) => one.theirs === theirs) ?? table?.find((one) => one.theirs === '*'))?.ours

/** One that the table does not have is not guessed at. */
export function wordFor<Ours extends string>(table: Words<Ours> | undefined, theirs: string, name: string): Ours {
  const word = knownWord(table, theirs)
  if (word === undefined) throw new Unreadable(say('undefined_word', { value: theirs, name }))
  return word
}

export function toOrder(type: string, rules: OrderRules, format: Format, raw: unknown): RemoteOrder {
  const order = fieldsOf(raw)
  const read = readerOf(order, format)
  const { fields } = rules
  const currency = currencyIn(read, fields.currency, format, fields.total)
  const zero = { amount: '0.00', currency }
  const remoteStatus = read.text(fields.status)
  const known = knownWord(rules.statuses, remoteStatus)
  const { status, hold_reason } = known
    ? { status: known, hold_reason: null }
    : unknownStatus(remoteStatus, 'statuses of the definition')
  const fulfilled = read.maybeText(fields.fulfillment_status)
  const paid = read.maybeText(fields.payment_status)
  const fulfillment =
    fulfilled === null
      ? status === 'completed'
        ? 'fulfilled'
        : 'unfulfilled'
      : wordFor(rules.fulfillment_statuses, fulfilled, 'orders.fulfillment_statuses')
  const whole = { sent: fulfillment === 'fulfilled' || fulfillment === 'delivered', cancelled: status === 'cancelled' }
  const refunds = refundsIn(rules, format, order, currency)
  const lines = read
    .records(rules.lines.items)
    .map((line) => toLine(rules, format, line, { currency, refunds, ...whole }))
  const fees = feesIn(rules, format, order, currency)
  const updatedAt = read.time(fields.updated_at)
  const remoteId = read.text(fields.remote_id)
  const placedAt = read.time(fields.placed_at)
  return {
    ...orderDefaults,
    remote_id: remoteId,
    number: read.maybeText(fields.number) ?? remoteId,
    channel: type,
    marketplace: null,
    status,
    payment_status: paid === null ? 'unknown' : wordFor(rules.payment_statuses, paid, 'orders.payment_statuses'),
    fulfillment_status: fulfillment,
    remote_status: remoteStatus,
    hold_reason: hold_reason ?? (status === 'on_hold' ? read.maybeText(fields.hold_reason) : null),
    currency,
    subtotal: read.maybeMoney(fields.subtotal, currency) ?? subtotalOf(lines, currency),
    discount_total: read.maybeMoney(fields.discount_total, currency) ?? zero,
    shipping_total: read.maybeMoney(fields.shipping_total, currency) ?? zero,
    tax_total: read.maybeMoney(fields.tax_total, currency) ?? zero,
    total: read.money(fields.total, currency),
    fee_total: fees.length === 0 ? zero : { amount: sum(fees.map(({ amount }) => amount.amount)), currency },
    refunded_total: read.maybeMoney(fields.refunded_total, currency) ?? refundedBy(refunds, currency),
    prices_include_tax: read.maybeFlag(fields.prices_include_tax),
    customer: toCustomer(read, fields.customer),
    billing_address: toAddress(read, fields.billing_address),
    shipping_address: toAddress(read, fields.shipping_address),
    shipping_method: read.maybeText(fields.shipping_method),
    service_level: read.maybeText(fields.service_level),
    fulfilled_by: fulfillerIn(read, rules),
    sales_channel: read.maybeText(fields.sales_channel),
    purchase_order: read.maybeText(fields.purchase_order),
    tax_ids: [read.maybeText(fields.tax_id)].flatMap((value) => (value === null ? [] : [{ kind: 'tax_id', value }])),
    attributes: attributesIn(read, rules.attributes, format),
    lines,
    fees,
    refunds,
    ...(rules.returns && { returns: returnsIn(rules.returns, format, order) }),
    shipments: parcelsIn(rules, format, order),
    admin_url: read.maybeText(fields.admin_url),
    note: read.maybeText(fields.note),
    tags: read.texts(fields.tags),
    external_reference: read.maybeText(fields.external_reference),
    acknowledged: null,
    test: read.maybeFlag(fields.test) ?? false,
    placed_at: placedAt,
    ship_by: read.maybeTime(fields.ship_by),
    cancel_requested: read.maybeFlag(fields.cancel_requested) ?? false,
    cancelled_at: read.maybeTime(fields.cancelled_at),
    cancel_reason: read.maybeText(fields.cancel_reason),
    remote_created_at: read.maybeTime(fields.created_at) ?? placedAt,
    remote_updated_at: updatedAt,
    remote_version: updatedAt,
    raw,
  }
}

/** As the record names it, else the amount itself, else the definition. */
export function currencyIn(read: Reader, place: Place | undefined, { currency }: Format, amount?: Place): string {
  const code = (read.maybeText(place) ?? read.currencyAt(amount) ?? currency ?? '').toUpperCase()
  if (!/^[A-Z]{3}$/.test(code)) throw new Unreadable(say('no_currency', { value: code }))
  return code
}

const subtotalOf = (lines: readonly OrderLine[], currency: string): Money => ({
  amount: sum(lines.map(({ unit_price: { amount }, quantity }) => times(amount, quantity))),
  currency,
})

/** Platforms send some orders from their own warehouse: by these words. */
function fulfillerIn(read: Reader, { fulfillers }: OrderRules): RemoteOrder['fulfilled_by'] {
  const word = read.maybeText(fulfillers?.field)
  if (!fulfillers || word === null) return null
  return fulfillers.platform.includes(word) ? 'platform' : 'merchant'
}

const attributesIn = (read: Reader, rules: OrderRules['attributes'], format: Format): OrderAttribute[] =>
  (rules ? read.records(rules.items) : []).flatMap((one) => {
    const [name, value] = [rules?.name, rules?.value].map((place) => readerOf(one, format).maybeText(place))
    return name && value ? [{ name, value }] : []
  })

const feesIn = ({ fees }: OrderRules, format: Format, order: Fields, currency: string): OrderFee[] =>
  (fees ? readerOf(order, format).records(fees.items) : []).map((fee) => {
    const read = readerOf(fee, format)
    return {
      remote_id: read.maybeText(fees?.fields.remote_id),
      title: read.text(fees?.fields.title ?? ''),
      amount: read.money(fees?.fields.amount ?? '', currency),
      tax: read.maybeMoney(fees?.fields.tax, currency) ?? { amount: '0.00', currency },
    }
  })

function toLine(
  { lines: { fields, attributes } }: OrderRules,
  format: Format,
  line: Fields,
  {
    currency,
    refunds,
    sent,
    cancelled,
  }: { currency: string; refunds: readonly OrderRefund[]; sent: boolean; cancelled: boolean },
): OrderLine {
  const read = readerOf(line, format)
  const zero = { amount: '0.00', currency }
  const quantity = read.whole(fields.quantity)
  const unitPrice = read.money(fields.unit_price, currency)
  const discount = read.maybeMoney(fields.discount, currency) ?? zero
  const computed = { amount: minus(times(unitPrice.amount, quantity), discount.amount), currency }
  return {
    ...lineDefaults,
    remote_id: read.text(fields.remote_id),
    sku: read.maybeText(fields.sku),
    product_remote_id: read.maybeText(fields.product_remote_id),
    variant_remote_id: read.maybeText(fields.variant_remote_id),
    title: read.text(fields.title),
    variant_title: read.maybeText(fields.variant_title),
    quantity,
    quantity_fulfilled: read.maybeWhole(fields.quantity_fulfilled) ?? (sent ? quantity : 0),
    quantity_cancelled: read.maybeWhole(fields.quantity_cancelled) ?? (cancelled ? quantity : 0),
    quantity_refunded: refundedIn(refunds, read.text(fields.remote_id)),
    unit_price: unitPrice,
    discount,
    tax: read.maybeMoney(fields.tax, currency) ?? zero,
    total: read.maybeMoney(fields.total, currency) ?? computed,
    requires_shipping: read.maybeFlag(fields.requires_shipping),
    attributes: attributesIn(read, attributes, format),
  }
}

/** What went back, and for which lines where the service says so. */
function refundsIn({ refunds }: OrderRules, format: Format, order: Fields, currency: string): OrderRefund[] {
  if (!refunds) return []
  const { items, fields, lines } = refunds
  return readerOf(order, format)
    .records(items)
    .map((refund) => {
      const read = readerOf(refund, format)
      return {
        remote_id: read.maybeText(fields.remote_id),
        amount: read.money(fields.amount, currency),
        reason: read.maybeText(fields.reason),
        refunded_at: read.maybeTime(fields.refunded_at),
        lines: (lines ? read.records(lines.items) : []).map((line) => {
          const part = readerOf(line, format)
          return {
            order_line_remote_id: part.text(lines?.fields.order_line_remote_id ?? ''),
            quantity: part.whole(lines?.fields.quantity ?? ''),
            amount: part.maybeMoney(lines?.fields.amount, currency),
          }
        }),
      }
    })
}

/** A word that nobody has explained is still a return. */
const returnsIn = (
  { items, fields, lines, statuses }: NonNullable<OrderRules['returns']>,
  format: Format,
  order: Fields,
): OrderReturn[] =>
  readerOf(order, format)
    .records(items)
    .map((back) => {
      const read = readerOf(back, format)
      const word = read.text(fields.status)
      return {
        remote_id: read.text(fields.remote_id),
        status: knownWord(statuses, word) ?? 'unknown',
        remote_status: word,
        requested_at: read.maybeTime(fields.requested_at),
        lines: (lines ? read.records(lines.items) : []).map((line) => {
          const part = readerOf(line, format)
          return {
            order_line_remote_id: part.maybeText(lines?.fields.order_line_remote_id),
            quantity: part.whole(lines?.fields.quantity ?? ''),
            reason: part.maybeText(lines?.fields.reason),
          }
        }),
      }
    })

const refundedBy = (refunds: readonly OrderRefund[], currency: string): Money | null =>
  refunds.length === 0 ? null : { amount: sum(refunds.map(({ amount }) => amount.amount)), currency }

function toCustomer(read: Reader, paths: Paths['customer']): Customer | null {
  if (!paths) return null
  const remoteId = read.maybeText(paths.remote_id)
  const known = {
    remote_id: remoteId,
    email: read.maybeText(paths.email),
    ...namesIn(read, paths),
    phone: read.maybeText(paths.phone),
  }
  return Object.values(known).every((value) => value === null) ? null : { ...known, is_guest: remoteId === null }
}

/** A whole name is parted before its last word; whoever knows better says first and last name. */
function namesIn(read: Reader, paths: NonNullable<Paths['customer']>) {
  const whole = (read.maybeText(paths.name) ?? '').trim().split(/\s+/)
  const last = whole.pop()
  return {
    first_name: read.maybeText(paths.first_name) ?? (whole.join(' ') || null),
    last_name: read.maybeText(paths.last_name) ?? (last || null),
  }
}

function toAddress(read: Reader, paths: Paths['shipping_address']): Address | null {
  if (!paths) return null
  const parts = Object.entries(paths).map(
    ([name, place]) => [name, read.maybeText(place)?.slice(0, 255) ?? null] as const,
  )
  if (parts.every(([, value]) => value === null)) return null
  const known: Partial<Address> = Object.fromEntries(parts)
  const country = known.country_code?.toUpperCase() ?? null
  if (country !== null && !/^[A-Z]{2}$/.test(country)) throw new Unreadable(say('no_country', { value: country }))
  return address({ ...known, country_code: country })
}

/** The parcels that an order contains. */
export function parcelsIn({ shipments }: OrderRules, format: Format, order: Fields): RemoteShipment[] {
  if (!shipments) return []
  const { fields } = shipments
  return readerOf(order, format)
    .records(shipments.items)
    .map((parcel) => {
      const read = readerOf(parcel, format)
      return {
        remote_id: read.maybeText(fields.remote_id),
        status: 'shipped',
        carrier_code: null,
        carrier_name: read.maybeText(fields.carrier),
        service: read.maybeText(fields.service),
        tracking_number: read.maybeText(fields.tracking_number),
        tracking_url: read.maybeText(fields.tracking_url),
        shipped_at: read.maybeTime(fields.shipped_at),
        delivered_at: null,
        location_remote_id: null,
        lines: [],
      }
    })
}
