import { type Moment, toSecond } from '../../clock.ts'
import { type Fields, fieldsOf } from '../../json.ts'
import type { Product, Variant } from '../../shop/goods.ts'
import {
  type Address,
  customStatusOf,
  type OrderLine,
  type Parcel,
  type ShopOrder,
  type Stage,
} from '../../shop/order.ts'
import { isWithin } from './lists.ts'

/** Ids are numbers, written as text; parts of an order are numbered behind it. */
export const orderId = (index: number): string => String(index + 1)
export const productId = (index: number): string => String(index + 1)
export const variantId = ({ product, position }: Pick<Variant, 'product' | 'position'>): string =>
  String((product + 1) * 100 + position)
export const partId = (index: number, part: number): string => String((index + 1) * 100 + part)
export const indexOf = (id: unknown): number => (/^\d{1,12}$/.test(String(id)) ? Number(id) - 1 : -1)
/** The order or product that a part belongs to, and which of it. */
export const partIn = (id: unknown): readonly [index: number, part: number] =>
  /^\d{1,12}$/.test(String(id)) ? [Math.floor(Number(id) / 100) - 1, Number(id) % 100] : [-1, 0]

/** Whole seconds, as on SQLite. */
export const timeOf = (moment: Moment): string => new Date(toSecond(moment) / 1000).toISOString()

const states: Readonly<Record<Stage, string>> = {
  unpaid: 'PaymentAuthorized',
  held: 'Modifying',
  paid: 'PaymentSettled',
  part_sent: 'PartiallyShipped',
  sent: 'Shipped',
  delivered: 'Delivered',
  part_refunded: 'Delivered',
  refunded: 'Delivered',
  cancelled: 'Cancelled',
}

/** Servers may have states of their own; this one has if it is asked to. */
export const ownState = 'AwaitingPickup'
export const stateOf = (index: number, stage: Stage, own: boolean): string =>
  own && customStatusOf(index, stage) !== null ? ownState : states[stage]

/** An order's own time stays behind while payments are settled and parcels sent: these leave traces in its history. */
export const ownTime = (stage: Stage, placedAt: Moment, updatedAt: Moment): Moment =>
  toSecond(stage === 'cancelled' ? updatedAt : placedAt)

export interface Goods {
  product(index: number): Product | null
  view(product: Product, variant: Variant): Fields
}

export function orderView(order: ShopOrder, goods: Goods, own: boolean): Fields {
  const { index, stage, buyer, placedAt } = order
  const cancelled = stage === 'cancelled'
  const lines = order.lines.map((line) => lineView(order, line, goods))
  const shipping = cancelled ? 0 : order.shipping
  const goodsTotal = lines.reduce((sum, line) => sum + line.proratedLinePriceWithTax, 0)
  const tax = lines.reduce((sum, line) => sum + line.lineTax, 0)
  const refunds = order.refunds.map(({ amount }) => ({ state: 'Settled', total: amount }))
  const placed = timeOf(placedAt)
  return {
    ...{ __typename: 'Order', id: orderId(index), code: codeOf(order), type: 'Regular', active: false },
    ...{ state: stateOf(index, stage, own), createdAt: placed, orderPlacedAt: placed },
    updatedAt: timeOf(ownTime(stage, placedAt, order.updatedAt)),
    ...{ currencyCode: order.currency, subTotalWithTax: goodsTotal, shippingWithTax: shipping },
    ...{ total: goodsTotal + shipping - tax, totalWithTax: goodsTotal + shipping, couponCodes: [], surcharges: [] },
    customer: {
      ...{ id: String((buyer.id ?? 1_000_000 + index) + 1), firstName: buyer.firstName, lastName: buyer.lastName },
      ...{ emailAddress: buyer.email, phoneNumber: buyer.phone },
      user: buyer.id === null ? null : { id: String(buyer.id + 1) },
    },
    shippingAddress: addressView(order.shipTo),
    // Nothing in it where it is that of shipping.
    billingAddress: order.billTo === order.shipTo ? {} : addressView(order.billTo),
    shippingLines: [{ shippingMethod: { name: order.shippingMethod } }],
    lines,
    payments: [
      { id: orderId(index), state: stage === 'unpaid' ? 'Authorized' : 'Settled', amount: order.total, refunds },
    ],
    fulfillments: order.parcels.map((parcel) => parcelView(order, parcel)),
    history: (args: Fields) => historyOf(order, args),
  }
}

export const codeOf = ({ index }: ShopOrder): string => `HARBOUR${String(index + 1).padStart(9, '0')}`

/** What was cancelled is taken off a line; how many there were when the order was placed is kept beside it. */
function lineView({ index, stage, taxIncluded, taxRate }: ShopOrder, line: OrderLine, goods: Goods) {
  const product = line.product === null ? null : goods.product(line.product)
  const variant = product?.variants[line.position]
  const gone = stage === 'cancelled'
  const name = line.variantTitle === 'Default Title' ? line.title : `${line.title} ${line.variantTitle}`
  const sold = { id: variantId({ product: line.product ?? 0, position: line.position }), sku: line.sku, name }
  return {
    ...{ id: partId(index, line.line), quantity: gone ? 0 : line.quantity, orderPlacedQuantity: line.quantity },
    unitPriceWithTax: taxIncluded ? line.unitPrice : Math.round((line.unitPrice * (100 + taxRate)) / 100),
    linePriceWithTax: gone ? 0 : line.total + line.discount,
    ...{ proratedLinePriceWithTax: gone ? 0 : line.total, lineTax: gone ? 0 : line.tax },
    productVariant: {
      ...(product && variant ? goods.view(product, variant) : { product: { id: productId(line.product ?? 0) } }),
      ...sold,
    },
  }
}

const addressView = (address: Address) => ({
  ...{ fullName: `${address.firstName} ${address.lastName}`, company: address.company ?? '' },
  ...{ streetLine1: address.street, streetLine2: address.extra ?? '', city: address.city, province: address.region },
  ...{
    postalCode: address.zip,
    country: address.country,
    countryCode: address.countryCode,
    phoneNumber: address.phone,
  },
})

export const parcelView = ({ index }: ShopOrder, parcel: Parcel): Fields => ({
  ...{ __typename: 'Fulfillment', id: partId(index, parcel.parcel), method: parcel.carrier },
  state: parcel.packed ? 'Pending' : parcel.delivered ? 'Delivered' : 'Shipped',
  ...{ trackingCode: parcel.trackingNumber, createdAt: timeOf(parcel.sentAt), updatedAt: timeOf(parcel.sentAt) },
  lines: parcel.lines.map(({ line, quantity }) => ({ orderLineId: partId(index, line), quantity })),
})

/** An entry for each change. Notes are written whenever somebody likes, and mean nothing. */
function historyOf(order: ShopOrder, args: Fields) {
  const { placedAt, updatedAt, cancelledAt, version, index } = order
  const entry = (type: string, at: Moment, data: Fields = {}) => ({ type, createdAt: timeOf(at), data })
  const entries = [
    entry('ORDER_STATE_TRANSITION', placedAt),
    ...Array.from({ length: version }, () => entry('ORDER_STATE_TRANSITION', updatedAt)),
    ...(cancelledAt === null ? [] : [entry('ORDER_CANCELLATION', cancelledAt, { reason: order.cancelReason })]),
    ...(index % 7 === 0 ? [entry('ORDER_NOTE', updatedAt + 86_400_000_000, { note: 'Call back.' })] : []),
  ]
  const { filter, take } = fieldsOf(args['options'])
  const found = entries
    .filter(({ type }) => isWithin(fieldsOf(filter), () => type))
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  return { totalItems: found.length, items: typeof take === 'number' ? found.slice(0, take) : found }
}
