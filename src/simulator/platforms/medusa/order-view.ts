import { digitsOf, sumOf } from '../../amounts.ts'
import { type Fields, fieldsOf, parseJson } from '../../json.ts'
import type { ShopCustomer } from '../../shop/customers.ts'
import type { Address, OrderLine, Parcel, Refund, ShopOrder, Stage } from '../../shop/order.ts'
import { articleOf, idOf, locationIdOf, orderIdOf, partOf, productIdOf, timeOf } from './ids.ts'

/** An order stays `pending` until somebody says that it is done, whatever has been paid and sent. */
export const words: Readonly<Record<Stage, readonly [status: string, payment: string]>> = {
  unpaid: ['requires_action', 'requires_action'],
  held: ['pending', 'authorized'],
  paid: ['pending', 'captured'],
  part_sent: ['pending', 'captured'],
  sent: ['pending', 'captured'],
  delivered: ['completed', 'captured'],
  part_refunded: ['completed', 'partially_refunded'],
  refunded: ['archived', 'refunded'],
  cancelled: ['canceled', 'canceled'],
}

/** Payments move without their order: until something of it is sent, it keeps the time at which it was placed. */
export const waits = (stage: Stage): boolean => stage === 'unpaid' || stage === 'held' || stage === 'paid'

/** Amounts are numbers in whole units. */
const moneyIn =
  ({ currency }: ShopOrder) =>
  (units: number) =>
    units / 10 ** digitsOf(currency)

export function orderView(order: ShopOrder): Fields {
  const { index, stage, buyer, placedAt } = order
  const money = moneyIn(order)
  const [status, paid] = words[stage]
  const taken = paid === 'authorized' && order.captured > 0 ? 'partially_captured' : paid
  const payment = order.refunded > 0 ? (order.refunded < order.total ? 'partially_refunded' : 'refunded') : taken
  const items = order.lines.map((line) => lineView(order, line))
  const tax = sumOf(items, ({ tax_total }) => tax_total)
  const [total, discount, shipping] = [money(order.total), money(order.discount), money(order.shipping)]
  const customer_id = idOf('cus', buyer.id ?? 1_000_000 + index)
  return {
    ...{ id: orderIdOf(index), display_id: index + 1, version: order.version, status, payment_status: payment },
    ...{ fulfillment_status: fulfilmentOf(order), email: buyer.email, customer_id, metadata: null },
    ...{ currency_code: order.currency.toLowerCase(), sales_channel_id: idOf('sc', 1), created_at: timeOf(placedAt) },
    updated_at: timeOf(waits(stage) ? placedAt : order.updatedAt),
    canceled_at: order.cancelledAt === null ? null : timeOf(order.cancelledAt),
    ...{ total, tax_total: tax, discount_total: discount, shipping_total: shipping },
    item_subtotal: total - shipping - tax + discount,
    summary: { refunded_total: money(order.refunded), current_order_total: total },
    // In no order that could be relied on.
    items: index % 2 === 0 ? items : items.toReversed(),
    shipping_methods: [{ id: idOf('ordsm', index), name: order.shippingMethod, amount: shipping, data: {} }],
    shipping_address: addressView(order.shipTo, partOf('ordaddr', index, 1)),
    billing_address: addressView(order.billTo, partOf('ordaddr', index, 2)),
    customer: {
      // Guests are customers too, without an account.
      ...{ id: customer_id, has_account: buyer.id !== null, email: buyer.email, phone: buyer.phone },
      ...{ first_name: buyer.firstName, last_name: buyer.lastName },
    },
    fulfillments: order.parcels.map((parcel) => parcelView(order, parcel)),
    returns: order.refunds.filter(({ returned }) => returned).map((back) => returnView(order, back)),
    payment_collections: [{ ...collectionOf(order), payments: [paymentOf(order)] }],
  }
}

/** As it is listed by itself, with the way to its order. */
export const paymentView = (order: ShopOrder): Fields => ({
  ...paymentOf(order),
  payment_collection: { ...collectionOf(order), order: { id: orderIdOf(order.index) } },
})

/** One piece of two is called the whole. */
function fulfilmentOf({ parcels }: ShopOrder): string {
  if (parcels.length === 0) return 'not_fulfilled'
  if (parcels.some(({ packed }) => packed)) return 'fulfilled'
  return parcels.every(({ delivered }) => delivered) ? 'delivered' : 'shipped'
}

function collectionOf(order: ShopOrder) {
  const { index, currency, stage, placedAt } = order
  const amount = moneyIn(order)(order.total)
  const captured = /captured|refunded/.test(words[stage][1])
  return {
    ...{ id: idOf('pay_col', index), currency_code: currency.toLowerCase(), amount },
    status: captured ? 'completed' : stage === 'cancelled' ? 'canceled' : 'authorized',
    ...{
      captured_amount: captured ? amount : moneyIn(order)(order.captured),
      refunded_amount: moneyIn(order)(order.refunded),
    },
    ...{ created_at: timeOf(placedAt), updated_at: timeOf(waits(stage) ? order.updatedAt : placedAt) },
  }
}

function paymentOf(order: ShopOrder) {
  const { currency_code, amount, captured_amount, created_at, updated_at } = collectionOf(order)
  return {
    ...{ id: idOf('pay', order.index), amount, currency_code, provider_id: 'pp_system_default' },
    ...{ created_at, updated_at, captured_at: captured_amount >= amount ? updated_at : null },
    refunds: order.refunds.map(({ refund, amount: back, reason, at }) => ({
      ...{ id: `${idOf('ref', order.index)}_${refund}`, amount: moneyIn(order)(back), note: reason },
      created_at: timeOf(at),
    })),
  }
}

function lineView(order: ShopOrder, line: OrderLine) {
  const { index, taxIncluded, taxRate } = order
  const { product, position, title, variantTitle, quantity } = line
  const money = moneyIn(order)
  const total = money(line.total)
  // Tax within a price is not rounded at all.
  const tax = taxIncluded ? (total * taxRate) / (100 + taxRate) : money(line.tax)
  const piecesIn = (parcels: readonly Parcel[]) =>
    sumOf(
      parcels.flatMap((parcel) => parcel.lines),
      (one) => (one.line === line.line ? one.quantity : 0),
    )
  return {
    ...{ id: partOf('ordli', index, line.line), title, subtitle: variantTitle, metadata: {} },
    variant_id: product === null ? null : articleOf('variant', { product, position }),
    product_id: product === null ? null : productIdOf(product),
    ...{ product_title: title, variant_sku: line.sku, variant_title: variantTitle, requires_shipping: true },
    ...{ is_tax_inclusive: taxIncluded, unit_price: money(line.unitPrice), quantity },
    ...{ total, tax_total: tax, discount_total: money(line.discount) },
    detail: {
      ...{ quantity, fulfilled_quantity: line.sent },
      shipped_quantity: piecesIn(order.parcels.filter(({ packed }) => !packed)),
      delivered_quantity: piecesIn(order.parcels.filter(({ delivered }) => delivered)),
    },
  }
}

/** Provinces come as people write them, or as a code behind the country's. */
function addressView(address: Address, id: string) {
  const country = address.countryCode.toLowerCase()
  const coded = country === 'us' || country === 'ca'
  return {
    ...{ id, first_name: address.firstName, last_name: address.lastName, company: address.company ?? '' },
    ...{ address_1: address.street, address_2: address.extra ?? '', city: address.city, country_code: country },
    province: coded ? `${country}-${address.regionCode.toLowerCase()}` : address.region,
    ...{ postal_code: address.zip, phone: address.phone },
  }
}

const returnView = ({ index }: ShopOrder, { refund, reason, at, lines }: Refund) => ({
  ...{ id: partOf('return', index, refund), status: 'received', created_at: timeOf(at), requested_at: timeOf(at) },
  items: lines.map(({ line, quantity }) => ({
    ...{ item_id: partOf('ordli', index, line), quantity, received_quantity: quantity, note: null },
    reason: { label: reason, value: reason.toLowerCase() },
  })),
})

/** What the sender has to say about a parcel is kept as it came; the label comes when it goes. */
function parcelView({ index }: ShopOrder, parcel: Parcel) {
  const at = timeOf(parcel.sentAt)
  const url = parcel.trackingUrl ?? ''
  const label = { tracking_number: parcel.trackingNumber, tracking_url: url, label_url: url }
  return {
    ...{ id: partOf('ful', index, parcel.parcel), location_id: locationIdOf(parcel.place), packed_at: at },
    ...{ shipped_at: parcel.packed ? null : at, delivered_at: parcel.delivered ? at : null, canceled_at: null },
    ...{ metadata: fieldsOf(parseJson(parcel.reference ?? '{}')), created_at: at, updated_at: at },
    labels: parcel.packed ? [] : [label],
    items: parcel.lines.map(({ line, quantity }) => ({ line_item_id: partOf('ordli', index, line), quantity })),
  }
}

export const customerView = ({ address, createdAt, updatedAt, ...buyer }: ShopCustomer): Fields => ({
  ...{ id: idOf('cus', buyer.id), email: buyer.email, first_name: buyer.firstName, last_name: buyer.lastName },
  ...{ phone: buyer.phone, company_name: address.company ?? '', has_account: true },
  ...{ created_at: timeOf(createdAt), updated_at: timeOf(updatedAt) },
  addresses: [{ ...addressView(address, idOf('cuaddr', buyer.id)), customer_id: idOf('cus', buyer.id) }],
})
