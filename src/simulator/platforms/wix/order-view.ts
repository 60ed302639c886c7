import { decimal } from '../../amounts.ts'
import type { Moment } from '../../clock.ts'
import { type Address, isSent, type OrderLine, type Parcel, type ShopOrder, type Stage } from '../../shop/order.ts'
import { guidOf, locationIdOf, orderIdOf, productIdOf } from './ids.ts'

/** Thousandths of a second, and no finer. */
export const shown = (moment: Moment): Moment => moment - (moment % 1000)
export const dateOf = (moment: Moment): string => new Date(Math.floor(moment / 1000)).toISOString()

const storesApp = '215238eb-22a5-4c36-9e7b-e7c08025e04e'

const [open, paid] = ['APPROVED', 'PAID'] as const
const words: Readonly<Record<Stage, readonly [status: string, payment: string]>> = {
  ...{ unpaid: ['PENDING', 'PENDING'], held: [open, 'PENDING_MERCHANT'], paid: [open, paid], part_sent: [open, paid] },
  ...{ sent: [open, paid], delivered: [open, paid], part_refunded: [open, paid], refunded: [open, paid] },
  cancelled: ['CANCELED', 'CANCELED'],
}

/** Three words for one order: where it stands, what became of the money, and of the goods. */
export function wordsOf({ stage, refunded, total }: ShopOrder) {
  const [status, payment] = words[stage]
  const paymentStatus = refunded === 0 ? payment : refunded < total ? 'PARTIALLY_REFUNDED' : 'FULLY_REFUNDED'
  const fulfillmentStatus = isSent(stage)
    ? 'FULFILLED'
    : stage === 'part_sent'
      ? 'PARTIALLY_FULFILLED'
      : 'NOT_FULFILLED'
  return { status, paymentStatus, fulfillmentStatus }
}

export const priceIn = (currency: string) => (units: number) => ({
  ...{ amount: decimal(units, currency), formattedAmount: `${decimal(units, currency)} ${currency}` },
})

const contactOf = ({ firstName, lastName, phone, company }: Address) => ({
  ...{ firstName, lastName, phone },
  ...(company === null ? {} : { company }),
})
const addressOf = (place: Address) => ({
  ...{ country: place.countryCode, countryFullname: place.country, city: place.city, postalCode: place.zip },
  ...(place.regionCode ? { subdivision: `${place.countryCode}-${place.regionCode}` } : {}),
  ...(place.region ? { subdivisionFullname: place.region } : {}),
  addressLine: place.street,
  ...(place.extra === null ? {} : { addressLine2: place.extra }),
})
const placeOf = (place: Address) => ({ address: addressOf(place), contactDetails: contactOf(place) })

export const lineIdOf = (index: number, line: number): string => guidOf('line', index, line)
export const paymentIdOf = (index: number): string => guidOf('payment', index)
export const fulfillmentIdOf = (index: number, parcel: number): string => guidOf('fulfillment', index, parcel)

export function orderView(order: ShopOrder) {
  const { index, buyer, currency, taxIncluded } = order
  const price = priceIn(currency)
  const { paymentStatus, fulfillmentStatus, status } = wordsOf(order)
  return {
    ...{ id: orderIdOf(index), number: String(10_001 + index), status, paymentStatus, fulfillmentStatus },
    ...{ createdDate: dateOf(order.placedAt), updatedDate: dateOf(order.updatedAt) },
    lineItems: order.lines.map((line) => lineView(order, line)),
    buyerInfo: {
      ...(buyer.id === null
        ? { visitorId: guidOf('payment', index, 1) }
        : { memberId: guidOf('payment', buyer.id, 2) }),
      ...{ contactId: guidOf('payment', buyer.id ?? index, 3), email: buyer.email },
    },
    ...{ buyerLanguage: 'en', siteLanguage: 'en', weightUnit: 'KG', currency, taxIncludedInPrices: taxIncluded },
    priceSummary: {
      ...{ subtotal: price(order.goods), shipping: price(order.shipping), tax: price(order.tax) },
      ...{ discount: price(order.discount), total: price(order.total), totalAdditionalFees: price(0) },
    },
    billingInfo: placeOf(order.billTo),
    shippingInfo: {
      ...{ title: order.shippingMethod, logistics: { shippingDestination: placeOf(order.shipTo) } },
      cost: { price: price(order.shipping) },
    },
    recipientInfo: placeOf(order.shipTo),
    ...(order.note === null ? {} : { buyerNote: order.note }),
    ...{ archived: false, additionalFees: [], customFields: [], imported: false },
    balanceSummary: { balance: price(0), paid: price(order.total), refunded: price(order.refunded) },
    channelInfo: { type: 'WEB' },
    activities: order.cancelledAt === null ? [] : [{ type: 'ORDER_CANCELED', createdDate: dateOf(order.cancelledAt) }],
  }
}

function lineView({ index, currency, taxIncluded }: ShopOrder, line: OrderLine) {
  const price = priceIn(currency)
  const { quantity, unitPrice, discount, tax, product, variantTitle } = line
  const goods = unitPrice * quantity - discount
  const variantId = guidOf('variant', product ?? 0, line.position)
  const chosen = variantTitle === 'Default Title' ? {} : { options: { Colour: variantTitle } }
  return {
    id: lineIdOf(index, line.line),
    productName: { original: line.title, translated: line.title },
    catalogReference: {
      ...{ catalogItemId: productIdOf(product ?? 0), appId: storesApp, options: { variantId, ...chosen } },
    },
    ...{ quantity, refundQuantity: line.refunded, totalDiscount: price(discount) },
    descriptionLines:
      variantTitle === 'Default Title' ? [] : [{ name: { original: 'Colour' }, plainText: { original: variantTitle } }],
    physicalProperties: { sku: line.sku, shippable: true, weight: 0.4 },
    itemType: { preset: 'PHYSICAL' },
    ...{
      price: price(Math.round(goods / quantity)),
      priceBeforeDiscounts: price(unitPrice),
      lineItemPrice: price(goods),
    },
    totalPriceBeforeTax: price(goods - (taxIncluded ? tax : 0)),
    totalPriceAfterTax: price(goods + (taxIncluded ? 0 : tax)),
    taxInfo: { taxAmount: price(tax), taxableAmount: price(goods), taxIncludedInPrice: taxIncluded },
    paymentOption: 'FULL_PAYMENT_ONLINE',
  }
}

export const fulfillmentView = (index: number, parcel: Parcel) => ({
  ...{ id: fulfillmentIdOf(index, parcel.parcel), createdDate: dateOf(parcel.sentAt), completed: true },
  lineItems: parcel.lines.map(({ line, quantity }) => ({ id: lineIdOf(index, line), quantity })),
  trackingInfo: {
    ...{ trackingNumber: parcel.trackingNumber, shippingProvider: parcel.carrier },
    ...(parcel.trackingUrl === null ? {} : { trackingLink: parcel.trackingUrl }),
  },
})

export const fulfillmentsOf = ({ index, parcels }: ShopOrder) => ({
  orderId: orderIdOf(index),
  fulfillments: parcels.map((parcel) => fulfillmentView(index, parcel)),
})

/** Payments and refunds are no part of the order. */
export function transactionsOf({ index, currency, stage, total, placedAt, refunds }: ShopOrder) {
  const price = priceIn(currency)
  const paymentId = paymentIdOf(index)
  const payment = {
    ...{ id: paymentId, createdDate: dateOf(placedAt), amount: price(total), refundDisabled: false },
    regularPaymentDetails: { paymentMethod: 'CreditCard', offlinePayment: false, status: 'APPROVED' },
  }
  return {
    orderId: orderIdOf(index),
    payments: stage === 'unpaid' ? [] : [payment],
    refunds: refunds.map(({ refund, amount, at, reason, lines }) => ({
      ...{ id: guidOf('refund', index, refund), createdDate: dateOf(at) },
      transactions: [{ paymentId, amount: price(amount), refundStatus: 'SUCCEEDED', externalRefund: false }],
      details: {
        items: lines.map(({ line, quantity }) => ({ lineItemId: lineIdOf(index, line), quantity })),
        ...{ shippingIncluded: false, ...(reason === '' ? {} : { reason }) },
      },
    })),
  }
}

export const locationsView = (names: readonly string[]) =>
  names.map((name, place) => ({
    id: locationIdOf(place),
    name,
    locationType: 'BUSINESS',
    defaultLocation: place === 0,
  }))
