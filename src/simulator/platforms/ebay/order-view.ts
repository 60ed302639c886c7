import { decimal } from '../../amounts.ts'
import { day, type Moment } from '../../clock.ts'
import type { Address, OrderLine, Parcel, ShopOrder, Stage } from '../../shop/order.ts'
import { cancelIdOf, lineIdOf, listingIdOf, orderIdOf } from './ids.ts'

/** The one site that this seller sells on. */
export const marketplace = { id: 'EBAY_DE', currency: 'EUR' }

/** 2026-11-15T02:15:44.123Z */
export const time = (moment: Moment): string => new Date(Math.floor(moment / 1000)).toISOString()

export const money = (units: number, currency = marketplace.currency) => ({ value: decimal(units, currency), currency })

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

export function orderStatus({ stage }: ShopOrder): { status: string; remote_status: string } {
  const [payment, sent] = words[stage]
  if (stage === 'cancelled') return { status: 'CANCELLED', remote_status: 'CANCELED' }
  return { status: sent === 'FULFILLED' ? 'SHIPPED' : 'PENDING', remote_status: payment === 'PENDING' ? payment : sent }
}

/** Some buyers of paid orders want them cancelled, and nobody has answered yet. */
export const wantsCancel = ({ customStatus }: ShopOrder): boolean => customStatus !== null

const contactOf = (address: Address, email: string) => ({
  fullName: `${address.firstName} ${address.lastName}`,
  ...(address.company === null ? {} : { companyName: address.company }),
  contactAddress: {
    addressLine1: address.street,
    ...(address.extra === null ? {} : { addressLine2: address.extra }),
    ...{ city: address.city, stateOrProvince: address.region, postalCode: address.zip },
    countryCode: address.countryCode,
  },
  primaryPhone: { phoneNumber: address.phone },
  email,
})

function lineView(order: ShopOrder, line: OrderLine) {
  const { index, currency, taxIncluded } = order
  const amount = (units: number) => money(units, currency)
  const cost = line.unitPrice * line.quantity
  const delivery = line.line === 1 ? order.shipping : 0
  const sent = line.sent === line.quantity ? 'FULFILLED' : line.sent > 0 ? 'IN_PROGRESS' : 'NOT_STARTED'
  return {
    ...{ lineItemId: lineIdOf(index, line.line), legacyItemId: listingIdOf(line.product ?? 0), sku: line.sku },
    ...{ title: line.title, quantity: line.quantity, soldFormat: 'FIXED_PRICE' },
    ...(line.variantTitle === 'Default Title'
      ? {}
      : { variationAspects: [{ name: 'Colour', value: line.variantTitle }] }),
    lineItemCost: amount(cost),
    ...(line.discount === 0 ? {} : { discountedLineItemCost: amount(cost - line.discount) }),
    ...{ listingMarketplaceId: marketplace.id, purchaseMarketplaceId: marketplace.id },
    lineItemFulfillmentStatus: sent,
    total: amount(line.total + delivery),
    deliveryCost: { shippingCost: amount(delivery) },
    ...{ appliedPromotions: [], properties: { buyerProtection: true } },
    taxes: taxIncluded ? [] : [{ amount: amount(line.tax) }],
    lineItemFulfillmentInstructions: { shipByDate: time(order.placedAt + 3 * day), guaranteedDelivery: false },
  }
}

function cancelStatusOf(order: ShopOrder, whole: boolean) {
  const { index, stage, cancelledAt, cancelReason } = order
  const shared = { cancelRequestId: cancelIdOf(index) }
  const asked = { ...shared, cancelInitiator: 'BUYER', cancelReason: 'BUYER_CANCEL_ORDER' }
  const mine = { ...shared, cancelInitiator: 'SELLER', cancelReason }
  const done = cancelReason === 'customer' ? asked : mine
  const requests =
    stage === 'cancelled'
      ? [{ ...done, cancelRequestState: 'COMPLETED', cancelCompletedDate: time(cancelledAt ?? order.updatedAt) }]
      : wantsCancel(order)
        ? [{ ...asked, cancelRequestState: 'REQUESTED', cancelRequestedDate: time(order.updatedAt) }]
        : []
  return {
    cancelState: stage === 'cancelled' ? 'CANCELED' : requests.length > 0 ? 'IN_PROGRESS' : 'NONE_REQUESTED',
    ...(cancelledAt === null ? {} : { cancelledDate: time(cancelledAt) }),
    cancelRequests: whole ? requests : [],
  }
}

/** Only an order that is asked for by itself says why it is to be cancelled. */
export function orderView(order: ShopOrder, base: string, whole: boolean) {
  const { index, currency, stage, buyer, shipTo, billTo, lines, parcels } = order
  const [orderPaymentStatus, orderFulfillmentStatus] = words[stage]
  const id = orderIdOf(index)
  const amount = (units: number) => money(units, currency)
  const email = `${buyer.email.split('@')[0]}@members.ebay.com`
  const refunds = order.refunds.map(({ refund, at, amount: units }) => ({
    ...{ refundId: `${index}${refund}`, refundStatus: 'REFUNDED', refundDate: time(at), amount: amount(units) },
  }))
  const step = { shipTo: contactOf(shipTo, email), shippingCarrierCode: 'DHL', shippingServiceCode: 'DE_DHLPaket' }
  return {
    ...{ orderId: id, legacyOrderId: id, sellerId: 'harbour', salesRecordReference: String(index + 1) },
    ...{ creationDate: time(order.placedAt), lastModifiedDate: time(order.updatedAt) },
    ...{ orderFulfillmentStatus, orderPaymentStatus },
    buyer: {
      username: `buyer_${buyer.id ?? `g${index}`}`,
      buyerRegistrationAddress: contactOf(billTo, email),
    },
    ...(order.note === null ? {} : { buyerCheckoutNotes: order.note }),
    pricingSummary: {
      priceSubtotal: amount(order.goods),
      ...(order.discount === 0 ? {} : { priceDiscount: amount(-order.discount) }),
      deliveryCost: amount(order.shipping),
      ...(order.taxIncluded ? {} : { tax: amount(order.tax) }),
      total: amount(order.total),
    },
    cancelStatus: cancelStatusOf(order, whole),
    paymentSummary: { totalDueSeller: amount(order.total), refunds, payments: [] },
    fulfillmentStartInstructions: [
      { fulfillmentInstructionsType: 'SHIP_TO', ebaySupportedFulfillment: false, shippingStep: step },
    ],
    fulfillmentHrefs: parcels.map((parcel) => `${base}/order/${id}/shipping_fulfillment/${parcelIdOf(parcel)}`),
    lineItems: lines.map((line) => lineView(order, line)),
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
