import { decimal } from '../../amounts.ts'
import { day, type Moment } from '../../clock.ts'
import type { Address, OrderLine, Parcel, ShopOrder, Stage } from '../../shop/order.ts'

/** The one site that this seller sells on. */
export const marketplace = { id: 'EBAY_DE', currency: 'EUR' }

export const ordersPath = '/sell/fulfillment/v1/order'
export const ordersUrl = `https://api.ebay.com${ordersPath}`

/** `12-34567-89012`: the first two digits say nothing. */
export const orderIdOf = (index: number): string =>
  `${10 + (index % 90)}-${10_000 + Math.floor(index / 90_000)}-${10_000 + (index % 90_000)}`

/** Null for what looks like none. */
export function orderIndexOf(id: string): number | null {
  const [, high, low] = /^\d{2}-(\d{5})-(\d{5})$/.exec(id) ?? []
  const index = (Number(high) - 10_000) * 90_000 + Number(low) - 10_000
  return high !== undefined && orderIdOf(index) === id ? index : null
}

const firstLine = 10_000_000_000
export const lineIdOf = (index: number, line: number): string => String(firstLine + index * 100 + line)
export const lineOf = (index: number, id: unknown): number => Number(id) - firstLine - index * 100
export const cancelIdOf = (index: number): string => String(5_000_000_000 + index)
export const listingIdOf = (product: number): string => String(110_000_000_000 + product)

/** 2026-11-15T02:15:44.123Z */
export const time = (moment: Moment): string => new Date(Math.floor(moment / 1000)).toISOString()

export const money = (units: number) => ({
  ...{ value: decimal(units, marketplace.currency), currency: marketplace.currency },
})

const words: Readonly<Record<Stage, readonly [payment: string, fulfillment: string]>> = {
  unpaid: ['PENDING', 'NOT_STARTED'],
  held: ['PENDING', 'NOT_STARTED'],
  paid: ['PAID', 'NOT_STARTED'],
  part_sent: ['PAID', 'IN_PROGRESS'],
  sent: ['PAID', 'FULFILLED'],
  delivered: ['PAID', 'FULFILLED'],
  part_refunded: ['PARTIALLY_REFUNDED', 'FULFILLED'],
  refunded: ['FULLY_REFUNDED', 'FULFILLED'],
  cancelled: ['FULLY_REFUNDED', 'NOT_STARTED'],
}

export function remoteStatus({ stage }: ShopOrder): string {
  const [payment, sent] = words[stage]
  return stage === 'cancelled' ? 'CANCELED' : payment === 'PENDING' ? payment : sent
}

/** Some buyers of paid orders want them cancelled, and nobody has answered yet. */
export const wantsCancel = ({ customStatus }: ShopOrder): boolean => customStatus !== null

const contactOf = ({ company, extra, ...address }: Address, email: string) => ({
  ...{ fullName: `${address.firstName} ${address.lastName}`, email },
  ...(company === null ? {} : { companyName: company }),
  contactAddress: {
    ...{ addressLine1: address.street, ...(extra === null ? {} : { addressLine2: extra }), city: address.city },
    ...{ stateOrProvince: address.region, postalCode: address.zip, countryCode: address.countryCode },
  },
  primaryPhone: { phoneNumber: address.phone },
})

function lineView(order: ShopOrder, line: OrderLine) {
  const cost = line.unitPrice * line.quantity
  const delivery = line.line === 1 ? order.shipping : 0
  const sent = line.sent === line.quantity ? 'FULFILLED' : line.sent > 0 ? 'IN_PROGRESS' : 'NOT_STARTED'
  const aspects = [{ name: 'Colour', value: line.variantTitle }]
  return {
    ...{ lineItemId: lineIdOf(order.index, line.line), legacyItemId: listingIdOf(line.product ?? 0), sku: line.sku },
    ...{ title: line.title, quantity: line.quantity, soldFormat: 'FIXED_PRICE', lineItemCost: money(cost) },
    ...(line.variantTitle === 'Default Title' ? {} : { variationAspects: aspects }),
    ...(line.discount === 0 ? {} : { discountedLineItemCost: money(cost - line.discount) }),
    ...{ listingMarketplaceId: marketplace.id, purchaseMarketplaceId: marketplace.id, lineItemFulfillmentStatus: sent },
    ...{ total: money(line.total + delivery), deliveryCost: { shippingCost: money(delivery) } },
    ...{ appliedPromotions: [], properties: { buyerProtection: true } },
    taxes: order.taxIncluded ? [] : [{ amount: money(line.tax) }],
    lineItemFulfillmentInstructions: { shipByDate: time(order.placedAt + 3 * day), guaranteedDelivery: false },
  }
}

function cancelStatusOf(order: ShopOrder, whole: boolean) {
  const { index, stage, cancelledAt, cancelReason } = order
  const cancelRequestId = cancelIdOf(index)
  const asked = { cancelRequestId, cancelInitiator: 'BUYER', cancelReason: 'BUYER_CANCEL_ORDER' }
  const done = cancelReason === 'customer' ? asked : { cancelRequestId, cancelInitiator: 'SELLER', cancelReason }
  const completed = { cancelRequestState: 'COMPLETED', cancelCompletedDate: time(cancelledAt ?? order.updatedAt) }
  const waiting = { ...asked, cancelRequestState: 'REQUESTED', cancelRequestedDate: time(order.updatedAt) }
  const requests = stage === 'cancelled' ? [{ ...done, ...completed }] : wantsCancel(order) ? [waiting] : []
  return {
    cancelState: stage === 'cancelled' ? 'CANCELED' : requests.length > 0 ? 'IN_PROGRESS' : 'NONE_REQUESTED',
    ...(cancelledAt === null ? {} : { cancelledDate: time(cancelledAt) }),
    cancelRequests: whole ? requests : [],
  }
}

/** Only an order that is asked for by itself says why it is to be cancelled. */
export function orderView(order: ShopOrder, whole: boolean) {
  const { index, buyer, parcels } = order
  const [paid, orderFulfillmentStatus] = words[order.stage]
  const { refunded, total } = order
  const orderPaymentStatus = refunded === 0 ? paid : refunded < total ? 'PARTIALLY_REFUNDED' : 'FULLY_REFUNDED'
  const id = orderIdOf(index)
  const email = `${buyer.email.split('@')[0]}@members.ebay.com`
  const refunds = order.refunds.map(({ refund, at, amount }) => ({
    ...{ refundId: `${index}${refund}`, refundStatus: 'REFUNDED', refundDate: time(at), amount: money(amount) },
  }))
  const shipTo = contactOf(order.shipTo, email)
  const shippingStep = { shipTo, shippingCarrierCode: 'DHL', shippingServiceCode: 'DE_DHLPaket' }
  return {
    ...{ orderId: id, legacyOrderId: id, sellerId: 'harbour', salesRecordReference: String(index + 1) },
    ...{ creationDate: time(order.placedAt), lastModifiedDate: time(order.updatedAt) },
    ...{ orderFulfillmentStatus, orderPaymentStatus },
    buyer: { username: `buyer_${buyer.id ?? `g${index}`}`, buyerRegistrationAddress: contactOf(order.billTo, email) },
    ...(order.note === null ? {} : { buyerCheckoutNotes: order.note }),
    pricingSummary: {
      ...{ priceSubtotal: money(order.goods), deliveryCost: money(order.shipping), total: money(order.total) },
      ...(order.discount === 0 ? {} : { priceDiscount: money(-order.discount) }),
      ...(order.taxIncluded ? {} : { tax: money(order.tax) }),
    },
    cancelStatus: cancelStatusOf(order, whole),
    paymentSummary: { totalDueSeller: money(order.total), refunds, payments: [] },
    fulfillmentStartInstructions: [{ fulfillmentInstructionsType: 'SHIP_TO', shippingStep }],
    fulfillmentHrefs: parcels.map((parcel) => `${ordersUrl}/${id}/shipping_fulfillment/${parcelIdOf(parcel)}`),
    lineItems: order.lines.map((line) => lineView(order, line)),
  }
}

/** The tracking number is the parcel's name; those without have one and the same. */
export const parcelIdOf = ({ trackingNumber }: Parcel): string => trackingNumber || '999'

export const parcelView = (order: ShopOrder, parcel: Parcel) => ({
  fulfillmentId: parcelIdOf(parcel),
  ...(parcel.trackingNumber === '' ? {} : { shipmentTrackingNumber: parcel.trackingNumber }),
  ...{ shippingCarrierCode: parcel.carrier, shippedDate: time(parcel.sentAt) },
  lineItems: parcel.lines.map(({ line, quantity }) => ({ lineItemId: lineIdOf(order.index, line), quantity })),
})
