import { sumOf } from '../../amounts.ts'
import { day, type Moment, toSecond } from '../../clock.ts'
import { type Fields, fieldsOf } from '../../json.ts'
import type { Variant } from '../../shop/goods.ts'
import {
  type Address,
  customStatusOf,
  type OrderLine,
  type Parcel,
  type ShopOrder,
  type Stage,
} from '../../shop/order.ts'
import { isWithin } from './lists.ts'

/** Ids are numbers, written as text; parts of an order, and articles, are numbered behind it. */
export const idOf = (index: number): string => String(index + 1)
export const partId = (index: number, part: number): string => String((index + 1) * 100 + part)
export const variantId = ({ product, position }: Pick<Variant, 'product' | 'position'>) => partId(product, position)
export const indexOf = (id: unknown): number => (/^\d{1,12}$/.test(String(id)) ? Number(id) - 1 : -1)
/** The order or product that a part belongs to, and which of it. */
export const partIn = (id: unknown): readonly [index: number, part: number] =>
  /^\d{1,12}$/.test(String(id)) ? [Math.floor(Number(id) / 100) - 1, Number(id) % 100] : [-1, 0]

/** Whole seconds, as on SQLite. */
export const timeOf = (moment: Moment): string => new Date(toSecond(moment) / 1000).toISOString()

const states: Readonly<Record<Stage, string>> = {
  ...{ unpaid: 'PaymentAuthorized', held: 'Modifying', paid: 'PaymentSettled', part_sent: 'PartiallyShipped' },
  ...{ sent: 'Shipped', delivered: 'Delivered', part_refunded: 'Delivered', refunded: 'Delivered' },
  cancelled: 'Cancelled',
}

/** Servers may have states of their own; this one has if it is asked to. */
export const ownState = 'AwaitingPickup'
export const stateOf = (index: number, stage: Stage, own: boolean): string =>
  own && customStatusOf(index, stage) !== null ? ownState : states[stage]

/** An order's own time stays behind while payments are settled and parcels sent: these leave traces in its history. */
export const ownTime = (stage: Stage, placedAt: Moment, updatedAt: Moment): Moment =>
  toSecond(stage === 'cancelled' ? updatedAt : placedAt)

export function orderView(order: ShopOrder, own: boolean): Fields {
  const { index, stage, buyer, placedAt, total: amount } = order
  const lines = order.lines.map((line) => lineView(order, line))
  const shipping = stage === 'cancelled' ? 0 : order.shipping
  const goodsTotal = sumOf(lines, (line) => line.proratedLinePriceWithTax)
  const tax = sumOf(lines, (line) => line.lineTax)
  const refunds = order.refunds.map(({ refund, amount: back, reason, at, lines: parts }) => ({
    ...{ id: idOf(index * 10 + refund), state: 'Settled', total: back, reason, createdAt: timeOf(at) },
    lines: parts.map(({ line, quantity }) => ({ orderLineId: lines[line - 1]?.id, quantity })),
  }))
  const placed = timeOf(placedAt)
  return {
    ...{ __typename: 'Order', id: idOf(index), code: codeOf(order), type: 'Regular', active: false },
    ...{ state: stateOf(index, stage, own), createdAt: placed, orderPlacedAt: placed },
    updatedAt: timeOf(ownTime(stage, placedAt, order.updatedAt)),
    ...{ currencyCode: order.currency, subTotalWithTax: goodsTotal, shippingWithTax: shipping },
    ...{ total: goodsTotal + shipping - tax, totalWithTax: goodsTotal + shipping, couponCodes: [], surcharges: [] },
    customer: {
      ...{ id: idOf(buyer.id ?? 1_000_000 + index), firstName: buyer.firstName, lastName: buyer.lastName },
      ...{ emailAddress: buyer.email, phoneNumber: buyer.phone },
      user: buyer.id === null ? null : { id: idOf(buyer.id) },
    },
    shippingAddress: addressView(order.shipTo),
    // Nothing in it where it is that of shipping.
    billingAddress: order.billTo === order.shipTo ? {} : addressView(order.billTo),
    shippingLines: [{ shippingMethod: { name: order.shippingMethod } }],
    lines,
    payments: [{ id: idOf(index), state: stage === 'unpaid' ? 'Authorized' : 'Settled', amount, refunds }],
    fulfillments: order.parcels.map((parcel) => parcelView(order, parcel)),
    history: (args: Fields) => historyOf(order, args),
  }
}

export const codeOf = ({ index }: ShopOrder): string => `HARBOUR${String(index + 1).padStart(9, '0')}`

/** What was cancelled is taken off a line; how many there were when the order was placed is kept beside it. */
function lineView({ index, taxIncluded, taxRate }: ShopOrder, line: OrderLine) {
  const { position, sku, title, variantTitle, quantity, unitPrice } = line
  const product = line.product ?? 0
  const unlessGone = (number: number) => Math.round((number * (quantity - line.cancelled)) / quantity)
  const name = variantTitle === 'Default Title' ? title : `${title} ${variantTitle}`
  return {
    ...{ id: partId(index, line.line), quantity: unlessGone(quantity), orderPlacedQuantity: quantity },
    unitPriceWithTax: taxIncluded ? unitPrice : Math.round((unitPrice * (100 + taxRate)) / 100),
    linePriceWithTax: unlessGone(line.total + line.discount),
    ...{ proratedLinePriceWithTax: unlessGone(line.total), lineTax: unlessGone(line.tax) },
    productVariant: { id: variantId({ product, position }), sku, name, product: { id: idOf(product) } },
  }
}

const addressView = ({ firstName, lastName, company, extra, city, country, countryCode, ...address }: Address) => ({
  ...{ fullName: `${firstName} ${lastName}`, company: company ?? '', streetLine1: address.street },
  ...{ streetLine2: extra ?? '', city, province: address.region, postalCode: address.zip, country, countryCode },
  phoneNumber: address.phone,
})

export const parcelView = ({ index }: ShopOrder, parcel: Parcel): Fields => ({
  ...{ __typename: 'Fulfillment', id: partId(index, parcel.parcel), method: parcel.carrier },
  state: parcel.packed ? 'Pending' : parcel.delivered ? 'Delivered' : 'Shipped',
  ...{ trackingCode: parcel.trackingNumber, createdAt: timeOf(parcel.sentAt), updatedAt: timeOf(parcel.sentAt) },
  lines: parcel.lines.map(({ line, quantity }) => ({ orderLineId: partId(index, line), quantity })),
})

/** An entry for each change, the newest first. Notes are written whenever somebody likes, and mean nothing. */
function historyOf({ placedAt, updatedAt, cancelledAt, cancelReason, version, index }: ShopOrder, args: Fields) {
  const entry = (type: string, at: Moment, data: Fields = {}) => ({ type, createdAt: timeOf(at), data })
  const entries = [
    ...(index % 7 === 0 ? [entry('ORDER_NOTE', updatedAt + day, { note: 'Call back.' })] : []),
    ...(cancelledAt === null ? [] : [entry('ORDER_CANCELLATION', cancelledAt, { reason: cancelReason })]),
    ...Array.from({ length: version }, () => entry('ORDER_STATE_TRANSITION', updatedAt)),
    entry('ORDER_STATE_TRANSITION', placedAt),
  ]
  const { filter, take } = fieldsOf(args['options'])
  const found = entries.filter(({ type }) => isWithin(fieldsOf(filter), () => type))
  return { totalItems: found.length, items: found.slice(0, Number(take ?? found.length)) }
}
