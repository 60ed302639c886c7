import { decimal, sumOf, unitsOf } from '../../amounts.ts'
import { day, inSeconds, type Moment, momentOf } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Fields, fieldsOf, rowsOf, textOf, wholeOf } from '../../json.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import type { OrderLine, Parcel, ShopOrder } from '../../shop/order.ts'
import { countries } from '../../shop/people.ts'
import { ordersOn, type World } from '../../world.ts'
import { invalid, notFound } from './reply.ts'

const firstOrder = 1_796_000_000_000
export const orderIdOf = (index: number): string => String(firstOrder + index)
export const orderIndexOf = (id: string): number => (/^\d{13}$/.test(id) ? Number(id) - firstOrder : -1)
export const numberOf = ({ index }: Pick<ShopOrder, 'index'>): string => String(5_281_000_000_000 + index)

/** Orders have no status here: they are where the last of their lines is. Buyers pay before an order is told. */
export function statusOf({ stage, acknowledgedAt }: Pick<ShopOrder, 'stage' | 'acknowledgedAt'>): string {
  if (stage === 'cancelled') return 'Cancelled'
  if (stage === 'sent') return 'Shipped'
  if (stage === 'delivered' || stage === 'part_refunded' || stage === 'refunded') return 'Delivered'
  return acknowledgedAt === null ? 'Created' : 'Acknowledged'
}

const milliseconds = (moment: Moment): number => Math.floor(moment / 1000)
const each = (amount: number) => ({ unitOfMeasurement: 'EACH', amount: String(amount) })
const money = (units: number) => ({ currency: 'USD', amount: Number(decimal(units, 'USD')) })
const methodOf = ({ shippingMethod }: ShopOrder) => (shippingMethod === 'Express' ? 'Express' : 'Value')

/** Where Walmart sends some for the seller (variant `fulfilled_by: both`), that is every fifth order. */
const nodeOf = (index: number, both: boolean) => (both && index % 5 === 4 ? 'WFSFulfilled' : 'SellerFulfilled')

export function orderView(order: ShopOrder, { both, unwanted }: { both: boolean; unwanted: boolean }) {
  const { index, shipTo, placedAt } = order
  return {
    ...{ purchaseOrderId: orderIdOf(index), customerOrderId: numberOf(order) },
    customerEmailId: `${index}@relay.walmart.com`,
    orderType: index % 10 === 9 ? 'REPLACEMENT' : 'REGULAR',
    ...{ orderDate: milliseconds(placedAt), isGuest: order.buyer.id === null },
    shippingInfo: {
      ...{ phone: shipTo.phone, methodCode: methodOf(order) },
      estimatedDeliveryDate: milliseconds(placedAt + 5 * day),
      estimatedShipDate: milliseconds(placedAt + 2 * day),
      postalAddress: {
        ...{ name: `${shipTo.firstName} ${shipTo.lastName}`, address1: shipTo.street },
        ...(shipTo.extra === null ? {} : { address2: shipTo.extra }),
        ...{ ...cityOf(index), addressType: 'RESIDENTIAL' },
      },
    },
    orderLines: {
      orderLine: order.lines.map((line) => ({
        ...lineView(order, line),
        ...(unwanted ? { intentToCancel: 'true' } : {}),
      })),
    },
    shipNode: { type: nodeOf(index, both) },
  }
}

/** Nothing leaves the country, wherever buyers may have come from. */
function cityOf(index: number) {
  const cities = countries.find(({ code }) => code === 'US')?.places ?? []
  const { city, regionCode: state, zip: postalCode } = cities[index % cities.length] ?? {}
  return { city, state, postalCode, country: 'USA' }
}

/** What was paid back stands with the first line that it was for, in one sum. */
function refundOf({ refunds }: ShopOrder, { line }: OrderLine) {
  const own = refunds.filter(({ lines: [first] }) => (first?.line ?? 1) === line)
  if (own.length === 0) return {}
  const refundCharge = own.map(({ amount }) => ({
    refundReason: 'CustomerChangedMind',
    charge: { chargeType: 'PRODUCT', chargeName: 'ItemPrice', chargeAmount: money(-amount) },
  }))
  return { refund: { refundId: String(line), refundComments: own.at(-1)?.reason, refundCharges: { refundCharge } } }
}

/** How much of a line is where. */
function partsOf(order: ShopOrder, line: OrderLine) {
  const left = line.quantity - line.sent - line.cancelled
  const gone = order.parcels.flatMap((parcel) =>
    parcel.lines
      .filter((one) => one.line === line.line)
      .map(({ quantity }) => ({
        status: parcel.delivered ? 'Delivered' : 'Shipped',
        ...{ statusQuantity: each(quantity), trackingInfo: trackingView(order, parcel) },
      })),
  )
  const waiting = { status: order.acknowledgedAt === null ? 'Created' : 'Acknowledged', statusQuantity: each(left) }
  const { cancelReason: cancellationReason } = order
  const cancelled = { status: 'Cancelled', statusQuantity: each(line.cancelled), cancellationReason }
  return [...gone, ...(left > 0 ? [waiting] : []), ...(line.cancelled > 0 ? [cancelled] : [])]
}

/** Sending is charged with the first line, and a discount is a charge below zero. */
function lineView(order: ShopOrder, line: OrderLine) {
  const tax = order.taxIncluded ? 0 : line.tax
  const charge = (chargeType: string, chargeName: string, units: number, more: object = {}) =>
    units === 0 ? [] : [{ chargeType, chargeName, chargeAmount: money(units), ...more }]
  const taxed = tax === 0 ? {} : { tax: { taxName: 'Tax1', taxAmount: money(tax) } }
  return {
    ...{ lineNumber: String(line.line), item: { productName: line.title, sku: line.sku } },
    charges: {
      charge: [
        ...charge('PRODUCT', 'ItemPrice', line.unitPrice * line.quantity, taxed),
        ...charge('PRODUCT', 'SubscriptionDiscount', -line.discount),
        ...(line.line === 1 ? charge('SHIPPING', 'Shipping', order.shipping) : []),
      ],
    },
    ...{ orderLineQuantity: each(line.quantity), statusDate: milliseconds(order.updatedAt) },
    orderLineStatuses: { orderLineStatus: partsOf(order, line) },
    ...refundOf(order, line),
    fulfillment: { fulfillmentOption: 'S2H', shipMethod: 'VALUE', pickUpDateTime: milliseconds(order.placedAt + day) },
  }
}

/** Marks a parcel of a carrier that Walmart does not follow. */
export const otherCarrier = 'other'

const trackingView = (order: ShopOrder, { carrier, trackingNumber, trackingUrl, reference, sentAt }: Parcel) => ({
  shipDateTime: milliseconds(sentAt),
  carrierName: reference === otherCarrier || carrier === 'PostNord' ? { otherCarrier: carrier } : { carrier },
  ...{ methodCode: methodOf(order), trackingNumber },
  ...(trackingUrl === null ? {} : { trackingURL: trackingUrl }),
})

const maxOrders = 10_000
const refused = (why: string) => invalid('ORDER', why)

export function orderRoutes(world: World): readonly RouteRow[] {
  const { clock, settings, shop } = world
  const { book, work } = shop
  const both = settings.variant['fulfilled_by'] === 'both'
  /** Some buyers want theirs cancelled (variant `cancel_wishes: yes`). */
  const isUnwanted = ({ index, stage }: ShopOrder) =>
    settings.variant['cancel_wishes'] === 'yes' && index % 4 === 1 && (stage === 'paid' || stage === 'part_sent')
  const view = (order: ShopOrder) => orderView(order, { both, unwanted: isUnwanted(order) })
  const show = (order: ShopOrder) => answer(200, { order: view(order) })

  /** What waits for its money elsewhere has been paid here. */
  const released = (order: ShopOrder): ShopOrder =>
    order.stage === 'unpaid' || order.stage === 'held' ? book.change(order.index, { stage: 'paid' }) : order

  /** The next page is named as a query that has everything in it, the end of the window too: what is new meanwhile waits. */
  function list({ query }: Call): Answer {
    const now = clock.now()
    const time = (name: string, missing: number) => (query.has(name) ? momentOf(query.get(name) ?? '') : missing)
    const [from, to] = [time('createdStartDate', now - 7 * day), time('createdEndDate', now)]
    const [since, until] = [time('lastModifiedStartDate', -1), time('lastModifiedEndDate', now + day)]
    const limit = wholeOf(query.get('limit') ?? 100) ?? 0
    const offset = wholeOf(query.get('poIndex')) ?? 0
    if (from === null || to === null || since === null || until === null) return refused('Dates are ISO 8601.')
    if (limit < 1 || limit > 200) return refused('limit is a number from 1 to 200.')
    const status = query.get('status')
    const node = query.get('shipNodeType') ?? 'SellerFulfilled'
    const isAll = status === null && !both && node === 'SellerFulfilled'
    const question: Omit<OrderQuery, 'limit'> = {
      ...{ sort: 'placed', offset, placed: { from: from + 1, before: to + 1 } },
      changed: since < 0 ? {} : { from: since + 1, before: until },
      test: isAll ? null : (index) => nodeOf(index, both) === node && (status === null || hasPart(index, status)),
    }
    const totalCount = countOrders(book, question)
    if (totalCount > maxOrders) return refused('More than 10,000 orders match. Use a narrower range of dates.')
    const page = listOrders(book, { ...question, limit })
    if (page.indexes.length === 0) return notFound('ORDER')
    const next = new URLSearchParams(query)
    next.set('hasMoreElements', 'true')
    next.set('poIndex', String(offset + limit))
    next.set('createdEndDate', inSeconds(to + 999_999))
    const meta = { totalCount, limit, ...(page.more ? { nextCursor: `?${next}` } : {}) }
    return answer(200, { list: { meta, elements: { order: ordersOn(world, page).map(view) } } })
  }

  /** By status an order is found if any of its lines is there. */
  function hasPart(index: number, status: string): boolean {
    const order = book.get(index)
    const sent = order?.parcels.some(({ delivered }) => status === (delivered ? 'Delivered' : 'Shipped'))
    return sent || (order !== null && statusOf(order) === status)
  }

  function acknowledge(order: ShopOrder, _: Call, record: Recorder): Answer {
    if (statusOf(order) !== 'Created') return refused('The order is not in status Created.')
    const worked = work.acknowledge(released(order))
    if (!worked.ok) return refused(worked.why)
    record.effect('order.acknowledge', orderIdOf(order.index))
    return show(worked.value)
  }

  function cancel(order: ShopOrder, call: Call, record: Recorder): Answer {
    const lines = linesIn(call.fields()['orderCancellation'])
    const left = order.lines.filter(({ quantity, sent, cancelled }) => quantity > sent + cancelled)
    const whole = left.every(({ line, quantity }) =>
      lines.some((one) => one.line === line && one.quantity === quantity && one.part['status'] === 'Cancelled'),
    )
    if (lines.length === 0 || left.length === 0) return refused('The lines can not be cancelled so.')
    if (!whole) {
      const part = work.callOff(order, lines)
      if (!part.ok) return refused(part.why)
      record.effect('order.cancel_lines', orderIdOf(order.index))
      return show(part.value)
    }
    const worked = work.cancel(order, textOf(lines[0]?.part['cancellationReason']))
    if (!worked.ok) return refused(worked.why)
    record.effect('order.cancel', orderIdOf(order.index))
    return show(worked.value)
  }

  /** Amounts below zero, line by line, and nothing about pieces. */
  function refund(order: ShopOrder, call: Call, record: Recorder): Answer {
    const { orderLines } = fieldsOf(call.fields()['orderRefund'])
    const wanted = rowsOf(fieldsOf(orderLines)['orderLine'])
    if (order.parcels.length === 0) return refused('Lines that have not been shipped can not be refunded.')
    const amountOf = (value: unknown): number => {
      const { charge } = fieldsOf(value)
      const { chargeAmount, tax } = fieldsOf(charge)
      return sumOf([chargeAmount, fieldsOf(tax)['taxAmount']], (one) => -(unitsOf(fieldsOf(one)['amount'], 'USD') ?? 0))
    }
    const chargesIn = ({ refunds }: Fields) =>
      rowsOf(fieldsOf(rowsOf(fieldsOf(refunds)['refund'])[0]?.['refundCharges'])['refundCharge'])
    const amount = sumOf(wanted, (line) => sumOf(chargesIn(line), amountOf))
    const lines = wanted.map(({ lineNumber }) => ({ line: wholeOf(lineNumber) ?? 0, quantity: 0 }))
    const reason = textOf(rowsOf(fieldsOf(wanted[0]?.['refunds'])['refund'])[0]?.['refundComments']) ?? ''
    const worked = work.refund(order, { amount, lines, reason, returned: false })
    if (!worked.ok) return refused(worked.why)
    record.effect('refund.create', orderIdOf(order.index))
    return show(book.get(order.index) ?? order)
  }

  /** Lines with one tracking number are one parcel. */
  function ship(order: ShopOrder, call: Call, record: Recorder): Answer {
    const lines = linesIn(call.fields()['orderShipment'])
    const [tracking = {}, ...others] = lines.map(({ part }) => fieldsOf(part['trackingInfo']))
    const { carrierName, trackingNumber: number, trackingURL, shipDateTime } = tracking
    const [carrier, other] = ['carrier', 'otherCarrier'].map((name) => textOf(fieldsOf(carrierName)[name]))
    const [trackingNumber, trackingUrl, name] = [textOf(number), textOf(trackingURL), carrier ?? other]
    if (trackingNumber === null || !name || others.some((one) => one['trackingNumber'] !== number))
      return refused('Tracking is missing, or of several parcels.')
    if (!carrier && trackingUrl === null) return refused('Other carriers need a tracking URL.')
    if (order.acknowledgedAt === null) return refused('The order is not acknowledged.')
    if (isUnwanted(order) && lines.some(({ overrides }) => !overrides))
      return refused('The buyer wants the order cancelled: intentToCancelOverride is missing.')
    const worked = work.send(released(order), {
      ...{ carrier: name, trackingNumber, trackingUrl, reference: carrier ? null : otherCarrier },
      sentAt: (wholeOf(shipDateTime) ?? Math.floor(clock.now() / 1000)) * 1000,
      lines: lines.map(({ line, quantity }) => ({ line, quantity })),
    })
    if (!worked.ok) return refused(worked.why)
    const subject = `${orderIdOf(order.index)} ${trackingNumber}`
    record.effect('shipment.create', subject, null, `${order.index} ${trackingNumber}`)
    return show(book.get(order.index) ?? order)
  }

  const ofOrder = forOne((id) => book.get(orderIndexOf(id)), notFound('ORDER'))
  const base = '/v3/orders'
  return [
    ['GET', base, 'orders.list', list],
    ['GET', `${base}/:id`, 'orders.get', ofOrder(show)],
    ['POST', `${base}/:id/acknowledge`, 'orders.acknowledge', ofOrder(acknowledge)],
    ['POST', `${base}/:id/cancel`, 'orders.cancel', ofOrder(cancel)],
    ['POST', `${base}/:id/shipping`, 'orders.ship', ofOrder(ship)],
    ['POST', `${base}/:id/refund`, 'orders.refund', ofOrder(refund)],
  ]
}

const linesIn = (value: unknown): readonly { line: number; quantity: number; part: Fields; overrides: boolean }[] =>
  rowsOf(fieldsOf(fieldsOf(value)['orderLines'])['orderLine']).map(({ lineNumber, orderLineStatuses, ...more }) => {
    const [part = {}] = rowsOf(fieldsOf(orderLineStatuses)['orderLineStatus'])
    const quantity = wholeOf(fieldsOf(part['statusQuantity'])['amount']) ?? 0
    return { line: wholeOf(lineNumber) ?? 0, quantity, part, overrides: more['intentToCancelOverride'] === true }
  })
