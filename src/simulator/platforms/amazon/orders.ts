import { hash } from 'node:crypto'
import { decimal } from '../../amounts.ts'
import { day, inSeconds, minute, momentOf } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { fieldsOf, parseJson, rowsOf, textOf, wholeOf } from '../../json.ts'
import { mix } from '../../random.ts'
import { listOrders, type Position } from '../../shop/list-orders.ts'
import type { Address, OrderLine, Parcel, ShopOrder, Stage } from '../../shop/order.ts'
import { firstDay } from '../../shop/order-columns.ts'
import { ordersOn, type World } from '../../world.ts'
import { invalid, no } from './reply.ts'

export const marketplace = { id: 'A1PA6795UKMFR9', name: 'Amazon.de', currency: 'EUR' } as const

/** The last part keeps anyone from guessing the next one. */
const check = (index: number): string => String(1_000_000 + (mix(77, index) % 9_000_000))
export const orderIdOf = (index: number): string => `302-${String(index + 1).padStart(7, '0')}-${check(index)}`
export function orderIndexOf(id: string): number {
  const [, number, checked] = /^302-(\d{7})-(\d{7})$/.exec(id) ?? []
  const index = Number(number) - 1
  return checked === check(index) ? index : -1
}

const firstItem = 40_000_000_000_000
const itemIdOf = ({ index }: ShopOrder, line: number): string => String(firstItem + index * 100 + line)
export const lineOf = ({ index }: ShopOrder, id: unknown): number => Number(id) - firstItem - index * 100

export const statuses: Readonly<Record<Stage, string>> = {
  ...{ unpaid: 'PENDING', held: 'PENDING_AVAILABILITY', paid: 'UNSHIPPED', part_sent: 'PARTIALLY_SHIPPED' },
  ...{ sent: 'SHIPPED', delivered: 'SHIPPED', part_refunded: 'SHIPPED', refunded: 'SHIPPED', cancelled: 'CANCELLED' },
}

/** While an order is pending nobody knows its amounts, nor where it goes. */
export const isPending = ({ stage }: ShopOrder): boolean => statuses[stage].startsWith('PENDING')

/** Where a seller has some articles sent by Amazon (variant `fulfilled_by: both`), every fifth order is. */
export const senderOf = (index: number, both: boolean) => (both && index % 5 === 4 ? 'AMAZON' : 'MERCHANT')

/** Some articles are sent by Amazon; some buyers want theirs cancelled. */
interface Variant {
  both: boolean
  wishes: boolean
}

/** Each data set comes for the asking only. */
const asked = (wanted: ReadonlySet<string>, parts: Readonly<Record<string, object>>): object =>
  Object.assign({}, ...Object.entries(parts).map(([name, part]) => (wanted.has(name) ? part : {})))

const money = (units: number) => ({
  amount: decimal(units, marketplace.currency),
  currencyCode: marketplace.currency,
})
const breakdownsOf = (parts: Readonly<Record<string, number>>) =>
  Object.entries(parts)
    .filter(([type, units]) => type === 'ITEM' || units !== 0)
    .map(([type, units]) => ({ type, subtotal: money(units) }))

export function orderView(order: ShopOrder, wanted: ReadonlySet<string>, { both, wishes }: Variant) {
  const { index, stage, buyer, note, placedAt } = order
  const amounts = { ITEM: order.goods, SHIPPING: order.shipping, TAX: order.taxIncluded ? 0 : order.tax }
  const breakdowns = breakdownsOf({ ...amounts, DISCOUNT: -order.discount })
  const recipient = {
    deliveryAddress: addressView(order.shipTo),
    ...(note === null ? {} : { deliveryPreference: { addressInstruction: note } }),
  }
  const fulfillment = {
    ...{ fulfillmentStatus: statuses[stage], fulfilledBy: senderOf(index, both) },
    fulfillmentServiceLevel: order.shippingMethod === 'Express' ? 'EXPEDITED' : 'STANDARD',
    shipByWindow: { earliestDateTime: inSeconds(placedAt), latestDateTime: inSeconds(placedAt + 2 * day) },
  }
  return {
    orderId: orderIdOf(index),
    ...(index % 3 === 0 ? { orderAliases: [{ aliasId: `HARBOUR-${index + 1}`, aliasType: 'SELLER_ORDER_ID' }] } : {}),
    ...{ createdTime: inSeconds(placedAt), lastUpdatedTime: inSeconds(order.updatedAt) },
    programs: order.tags.length > 0 ? ['PRIME'] : [],
    salesChannel: { channelName: 'AMAZON', marketplaceId: marketplace.id, marketplaceName: marketplace.name },
    orderItems: order.lines.map((line) => itemView(order, line, wanted, wishes && index % 4 === 1)),
    ...asked(wanted, {
      BUYER: {
        buyer: { buyerName: `${buyer.firstName} ${buyer.lastName}`, buyerEmail: `${index}x@marketplace.amazon.de` },
      },
      ...(isPending(order)
        ? {}
        : { RECIPIENT: { recipient }, PROCEEDS: { proceeds: { grandTotal: money(order.total), breakdowns } } }),
      FULFILLMENT: { fulfillment },
      PACKAGES: { packages: order.parcels.map((parcel) => packageView(order, parcel)) },
    }),
  }
}

function itemView(order: ShopOrder, line: OrderLine, wanted: ReadonlySet<string>, unwanted: boolean) {
  const goods = line.unitPrice * line.quantity
  const tax = order.taxIncluded ? 0 : line.tax
  const proceeds = {
    proceedsTotal: money(goods - line.discount + tax),
    breakdowns: breakdownsOf({ ITEM: goods, TAX: tax, DISCOUNT: -line.discount }),
  }
  const cancellationRequest = { requester: 'BUYER', cancelReason: 'Changed mind' }
  const cancellationExecution = { cancelledBy: 'BUYER', cancelReason: order.cancelReason ?? 'OTHER' }
  const left = line.quantity - line.sent - line.cancelled
  return {
    ...{ orderItemId: itemIdOf(order, line.line), quantityOrdered: line.quantity },
    product: {
      ...{ asin: asinOf(line.product ?? 0, line.position), title: line.title, sellerSku: line.sku },
      ...(isPending(order) ? {} : { price: { unitPrice: money(line.unitPrice) } }),
    },
    ...asked(wanted, {
      ...(isPending(order) ? {} : { PROCEEDS: { proceeds } }),
      ...(order.stage === 'cancelled' ? { CANCELLATION: { cancellation: { cancellationExecution } } } : {}),
      ...(unwanted && order.stage === 'paid' ? { CANCELLATION: { cancellation: { cancellationRequest } } } : {}),
      FULFILLMENT: { fulfillment: { quantityFulfilled: line.sent, quantityUnfulfilled: left } },
    }),
  }
}

export const asinOf = (product: number, position: number): string =>
  `B0${String(product * 10 + position).padStart(8, '0')}`

const packageView = (order: ShopOrder, parcel: Parcel) => ({
  ...{ packageReferenceId: parcel.reference ?? String(parcel.parcel), createdTime: inSeconds(parcel.sentAt) },
  packageStatus: { status: parcel.delivered ? 'DELIVERED' : 'SHIPPED' },
  ...{ carrier: parcel.carrier, shipTime: inSeconds(parcel.sentAt), trackingNumber: parcel.trackingNumber },
  packageItems: parcel.lines.map(({ line, quantity }) => ({ orderItemId: itemIdOf(order, line), quantity })),
})

const addressView = ({ firstName, lastName, company, street, extra, city, countryCode, phone, ...more }: Address) => ({
  ...{ name: `${firstName} ${lastName}`, ...(company === null ? {} : { companyName: company }) },
  ...{ addressLine1: street, addressLine2: extra ?? '', city, stateOrRegion: more.region, postalCode: more.zip },
  ...{ countryCode, phone, addressType: company === null ? 'RESIDENTIAL' : 'COMMERCIAL' },
})

const wordsIn = (query: URLSearchParams, name: string): readonly string[] => query.get(name)?.split(',') ?? []

export function orderRoutes(world: World): readonly RouteRow[] {
  const { clock, settings, shop } = world
  const { book, work } = shop
  const both = settings.variant['fulfilled_by'] === 'both'
  const wishes = settings.variant['cancel_wishes'] === 'yes'
  // What changed in the last two minutes is not listed there; here only if that is wanted.
  const delay = settings.variant['list_delay'] === 'yes' ? 2 * minute : 0
  const view = (order: ShopOrder, { query }: Call) =>
    orderView(order, new Set(wordsIn(query, 'includedData')), { both, wishes })

  /** A token holds for the same question alone, and for a day. */
  function positionIn(query: URLSearchParams, question: string): Position | null | 'bad' {
    const token = query.get('paginationToken')
    if (token === null) return null
    const read = fieldsOf(parseJson(Buffer.from(token, 'base64url').toString()))
    const { at, index, madeAt } = read
    if (typeof at !== 'number' || typeof index !== 'number' || typeof madeAt !== 'number') return 'bad'
    return read['question'] === question && madeAt > clock.now() - day ? { at, index } : 'bad'
  }

  function search(call: Call): Answer {
    const { query } = call
    const asked = new URLSearchParams(query)
    asked.delete('paginationToken')
    const question = hash('sha256', asked.toString()).slice(0, 16)
    const after = positionIn(query, question)
    if (after === 'bad') return invalid('Invalid request parameters: paginationToken')
    const limit = wholeOf(query.get('maxResultsPerPage') ?? 100) ?? 0
    if (limit < 1 || limit > 100) return invalid('Invalid request parameters: maxResultsPerPage')
    const from = momentOf(query.get('lastUpdatedAfter') ?? '')
    if (from === null) return invalid('lastUpdatedAfter is required.')
    const until = clock.now() - delay
    const [wanted, senders] = [wordsIn(query, 'fulfillmentStatuses'), wordsIn(query, 'fulfilledBy')]
    const fits = (index: number) =>
      (wanted.length === 0 || wanted.includes(statuses[book.stageAt(index)])) &&
      (senders.length === 0 || senders.includes(senderOf(index, both)))
    const anything = wanted.length === 0 && (senders.length === 0 || (!both && senders.includes('MERCHANT')))
    const page = listOrders(book, {
      ...{ sort: 'changed', limit, after, test: anything ? null : fits },
      // Nothing is older than the shop, and nothing newer than now: then all of it is asked for.
      changed: { from: from < firstDay ? null : from, before: delay === 0 ? null : until },
    })
    const last = page.indexes.at(-1)
    const token = { at: last === undefined ? 0 : book.updatedAt(last), index: last, question, madeAt: clock.now() }
    const nextToken = Buffer.from(JSON.stringify(token)).toString('base64url')
    return answer(200, {
      orders: ordersOn(world, page).map((order) => view(order, call)),
      ...(page.more ? { pagination: { nextToken } } : {}),
      lastUpdatedBefore: inSeconds(until),
    })
  }

  /** The same reference again corrects the parcel, and sends nothing twice. */
  function confirm(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { marketplaceId, packageDetail } = call.fields()
    const detail = fieldsOf(packageDetail)
    const text = (name: string) => textOf(detail[name]) ?? ''
    const [reference, trackingNumber] = [text('packageReferenceId'), text('trackingNumber')]
    const sentAt = momentOf(text('shipDate'))
    const carrier = text('carrierCode') === 'Other' ? text('carrierName') : text('carrierCode')
    if (marketplaceId !== marketplace.id || !/^[1-9]\d*$/.test(reference)) return invalid()
    if (sentAt === null || carrier === '' || trackingNumber === '') return invalid('PackageDetail is not complete.')
    if (senderOf(order.index, both) === 'AMAZON') return invalid('The order is fulfilled by Amazon.')
    const lines = rowsOf(detail['orderItems']).map(({ orderItemId, quantity }) => ({
      ...{ line: lineOf(order, orderItemId), quantity: wholeOf(quantity) ?? 0 },
    }))
    if (lines.length === 0 || lines.some(({ quantity }) => quantity < 1)) return invalid('OrderItems')
    const parcel = { carrier, trackingNumber, trackingUrl: null, sentAt, reference, lines }
    const known = order.parcels.find((one) => (one.reference ?? String(one.parcel)) === reference)
    const worked = known ? work.amend(order, known, parcel) : work.send(order, parcel)
    if (!worked.ok) return invalid(worked.why)
    const subject = `${orderIdOf(order.index)} ${reference}`
    if (worked.changed && known) record.effect('shipment.amend', subject)
    if (worked.changed && !known) record.effect('shipment.create', subject, null, `${order.index} ${trackingNumber}`)
    return answer(204)
  }

  const find = (id: string) => book.get(orderIndexOf(id))
  const ofOrder = forOne(find, () => no(404, 'NotFound', 'The requested order was not found.'))
  const base = '/orders/2026-01-01/orders'
  return [
    ['GET', base, 'searchOrders', search],
    ['GET', `${base}/:id`, 'getOrder', ofOrder((order, call) => answer(200, { order: view(order, call) }))],
    ['POST', '/orders/v0/orders/:id/shipmentConfirmation', 'confirmShipment', forOne(find, () => invalid())(confirm)],
  ]
}
