import { hash } from 'node:crypto'
import { day, inSeconds, minute, momentOf } from '../../clock.ts'
import { type Answer, answer, type Call, forOne, type Recorder, type RouteRow } from '../../http/route.ts'
import { fieldsOf, parseJson, rowsOf, textOf, wholeOf } from '../../json.ts'
import { listOrders, type Position } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { firstDay } from '../../shop/order-columns.ts'
import { amendParcel, sendParcel } from '../../shop/work-on-order.ts'
import { ordersOn, type World } from '../../world.ts'
import { lineOf, marketplace, orderIdOf, orderIndexOf, orderView, senderOf, statuses } from './order-view.ts'
import { invalid, no } from './reply.ts'

const wordsIn = (query: URLSearchParams, name: string): readonly string[] => query.get(name)?.split(',') ?? []

export function orderRoutes(world: World): readonly RouteRow[] {
  const { clock, settings, shop } = world
  const { book } = shop
  const both = settings.variant['fulfilled_by'] === 'both'
  // What changed in the last two minutes is not listed there; here only if that is wanted.
  const delay = settings.variant['list_delay'] === 'yes' ? 2 * minute : 0
  const view = (order: ShopOrder, { query }: Call) => orderView(order, new Set(wordsIn(query, 'includedData')), both)

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
    const worked = known ? amendParcel(book, order, known, parcel) : sendParcel(book, order, parcel)
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
