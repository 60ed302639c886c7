import { decimal, sumOf, unitsOf } from '../../amounts.ts'
import { day, type Moment, momentOf } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { fieldsOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import type { Address, OrderLine, Parcel, Refund, ShopOrder, Stage } from '../../shop/order.ts'
import { ordersOn, type World } from '../../world.ts'
import { no, oldNo } from './reply.ts'
import { isSigned } from './signatures.ts'

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

/** By which the older interface knows them. */
const legacyIdOf = (index: number): string => `${listingIdOf(0)}-${firstLine + index}`
const legacyIndexOf = (id: unknown): number => Number(String(id).split('-')[1] ?? Number.NaN) - firstLine

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

const refundView = (order: ShopOrder, { refund, at, amount }: Refund) => ({
  ...{ refundId: `${order.index}${refund}`, refundDate: time(at), amount: money(amount) },
})

/** What was for a single line is told there and nowhere else. */
const isForLine = ({ lines }: Refund): boolean => lines.length === 1

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
    refunds: order.refunds
      .filter((refund) => isForLine(refund) && refund.lines[0]?.line === line.line)
      .map((refund) => refundView(order, refund)),
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
  const refunds = order.refunds
    .filter((refund) => !isForLine(refund))
    .map((refund) => ({ ...refundView(order, refund), refundStatus: 'REFUNDED' }))
  const shipTo = contactOf(order.shipTo, email)
  const shippingStep = { shipTo, shippingCarrierCode: 'DHL', shippingServiceCode: 'DE_DHLPaket' }
  return {
    ...{ orderId: id, legacyOrderId: legacyIdOf(index), sellerId: 'harbour', salesRecordReference: String(index + 1) },
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

const millisecond = 1000
const filterPattern = /^lastmodifieddate:\[([^\]]+Z)\.\.([^\]]*)\]$/

export function orderRoutes(world: World): readonly RouteRow[] {
  const { clock } = world
  const { book, work } = world.shop

  /** What changed within a time, both ends included, to the millisecond; the newest first. */
  function list({ query }: Call): Answer {
    const [limit, offset] = [Number(query.get('limit') ?? 50), Number(query.get('offset') ?? 0)]
    const filter = query.get('filter')
    const [, after, until = ''] = filterPattern.exec(filter ?? '') ?? []
    if (limit < 1 || limit > 200) return no(400, 30_820, 'Invalid limit.')
    const from = filter === null ? clock.now() - 90 * day : momentOf(after ?? '')
    const to = until === '' ? null : momentOf(until)
    if (from === null || (until !== '' && to === null)) return no(400, 30_700, 'Invalid filter.')
    if (from < clock.now() - 730 * day) return no(400, 30_800, 'The start date is more than two years in the past.')
    const changed = { from, before: to === null ? null : to + millisecond }
    const asked: OrderQuery = { sort: 'changed', changed, backwards: true, limit, offset }
    const total = countOrders(book, asked)
    const page = listOrders(book, asked)
    const orders = ordersOn(world, page).map((order) => orderView(order, false))
    return answer(200, { total, limit, offset, orders })
  }

  /** Told twice, a parcel is written down twice, as long as there is something left to be sent. */
  function send(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { trackingNumber, shippingCarrierCode, shippedDate, lineItems } = call.fields()
    const [tracking, carrier] = [textOf(trackingNumber) ?? '', textOf(shippingCarrierCode) ?? '']
    if (!/^[A-Za-z0-9]*$/.test(tracking)) return no(400, 32_720, 'Invalid shipment tracking number.')
    if ((tracking === '') !== (carrier === '')) return no(400, 32_730, 'Tracking number and carrier go together.')
    const lines = rowsOf(lineItems).map(({ lineItemId: id, quantity }) => ({
      ...{ line: lineOf(order.index, id), quantity: wholeOf(quantity) ?? 1 },
    }))
    const worked = work.send(order, {
      ...{ carrier, trackingNumber: tracking, trackingUrl: null, lines: lines.length === 0 ? null : lines },
      sentAt: momentOf(textOf(shippedDate) ?? '') ?? clock.now(),
    })
    if (!worked.ok) return no(400, 32_110, worked.why)
    const id = orderIdOf(order.index)
    record.effect('shipment.create', id, null, `${id} ${tracking}`)
    const location = `${ordersUrl}/${id}/shipping_fulfillment/${parcelIdOf(worked.value)}`
    return answer(201, undefined, { location })
  }

  function parcels(order: ShopOrder): Answer {
    const fulfillments = order.parcels.map((parcel) => parcelView(order, parcel))
    return answer(200, { fulfillments, total: fulfillments.length })
  }

  /** Of the order as a whole, or of single lines; signed, as all that pays buyers back. */
  function refund(order: ShopOrder, call: Call, record: Recorder): Answer {
    if (!isSigned(call)) return no(403, 215_001, 'The message signature is missing or could not be verified.')
    const { refundItems, orderLevelRefundAmount, comment } = call.fields()
    const items = rowsOf(refundItems)
    const lines = items.map(({ lineItemId }) => ({
      ...{ line: lineOf(order.index, lineItemId), quantity: 0 },
    }))
    const amounts = items.length > 0 ? items.map(({ refundAmount }) => refundAmount) : [orderLevelRefundAmount]
    const amount = sumOf(amounts, (one) => unitsOf(fieldsOf(one)['value'], order.currency) ?? 0)
    const worked = work.refund(order, { amount, lines, reason: textOf(comment) ?? '', returned: false })
    if (!worked.ok) return no(400, 34_909, worked.why)
    record.effect('refund.create', orderIdOf(order.index))
    return answer(200, { refundId: `${order.index}${worked.value.refund}`, refundStatus: 'PENDING' })
  }

  /** By the older interface, which pays the buyer back as well: the seller lives in the EU and has to sign for that. */
  function cancel(call: Call, record: Recorder, order: ShopOrder | null, reason: string | null): Answer {
    if (!isSigned(call)) return no(403, 215_001, 'The message signature is missing or could not be verified.')
    if (call.header('x-ebay-c-marketplace-id') !== marketplace.id) return oldNo(400, 'The marketplace is missing.')
    if (!order) return oldNo(404, 'The order or cancellation was not found.')
    const worked = work.cancel(order, reason)
    if (!worked.ok) return oldNo(400, worked.why)
    if (worked.changed) record.effect('order.cancel', orderIdOf(order.index))
    return answer(200, { cancelId: cancelIdOf(order.index) })
  }
  function cancelNamed(call: Call, record: Recorder): Answer {
    const { legacyOrderId, cancelReason } = call.fields()
    return cancel(call, record, book.get(legacyIndexOf(legacyOrderId)), textOf(cancelReason))
  }
  /** What a buyer has asked for. */
  function approve(call: Call, record: Recorder, id: string): Answer {
    const order = book.get(Number(id) - Number(cancelIdOf(0)))
    return cancel(call, record, order && wantsCancel(order) ? order : null, 'customer')
  }
  function checkCancel(call: Call): Answer {
    const { legacyOrderId } = call.fields()
    const order = book.get(legacyIndexOf(legacyOrderId))
    const eligible = order !== null && order.parcels.length === 0 && order.stage !== 'cancelled'
    const failureReason = eligible ? [] : [order ? 'ORDER_ALREADY_SHIPPED' : 'INVALID_ORDER']
    return answer(200, { eligible, failureReason, legacyOrderId })
  }

  const find = (id: string): ShopOrder | null => book.get(orderIndexOf(id) ?? -1)
  /** Ids that nothing ever had are an error of another kind. */
  const ofOrder = forOne(find, (id) =>
    orderIndexOf(id) === null ? no(400, 32_100, 'Invalid order ID.') : no(404, 32_000, 'Order not found.'),
  )
  const cancellation = '/post-order/v2/cancellation'
  return [
    ['GET', ordersPath, 'orders.list', list],
    ['GET', `${ordersPath}/:id`, 'orders.get', ofOrder((order) => answer(200, orderView(order, true)))],
    ['GET', `${ordersPath}/:id/shipping_fulfillment`, 'shipments.list', ofOrder(parcels)],
    ['POST', `${ordersPath}/:id/shipping_fulfillment`, 'shipments.create', ofOrder(send)],
    ['POST', `${ordersPath}/:id/issue_refund`, 'orders.refund', ofOrder(refund)],
    ['POST', `${cancellation}/check_eligibility`, 'cancellation.check', checkCancel, { writes: false }],
    ['POST', cancellation, 'cancellation.create', cancelNamed],
    ['POST', `${cancellation}/:id/approve`, 'cancellation.approve', (call, record, [id]) => approve(call, record, id)],
  ]
}
