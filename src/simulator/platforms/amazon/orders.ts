import { hash } from 'node:crypto'
import { day, inSeconds, minute, momentOf } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { fieldsOf, listOf, parseJson, textOf, wholeOf } from '../../json.ts'
import { listOrders, type Position } from '../../shop/list-orders.ts'
import { firstDay } from '../../shop/order-columns.ts'
import { amendParcel, sendParcel } from '../../shop/work-on-order.ts'
import { answer, disturb, type World } from '../../world.ts'
import { lineOf, orderIdOf, orderIndexOf } from './ids.ts'
import { isSentByAmazon, marketplace, orderView, statuses } from './order-view.ts'
import { invalid, no } from './reply.ts'

const wordsIn = (query: URLSearchParams, name: string): readonly string[] => query.get(name)?.split(',') ?? []

export function createOrders(world: World) {
  const { clock, settings, shop } = world
  const { book } = shop
  const both = settings.variant['fulfilled_by'] === 'both'
  // What changed in the last two minutes is not listed there; here only if that is wanted.
  const delay = settings.variant['list_delay'] === 'yes' ? 2 * minute : 0

  /** A token holds for the same question alone, and for a day. */
  function positionIn(query: URLSearchParams, question: string): Position | null | 'bad' {
    const token = query.get('paginationToken')
    if (token === null) return null
    const read = fieldsOf(parseJson(Buffer.from(token, 'base64url').toString()))
    const { at, index, madeAt } = read
    if (typeof at !== 'number' || typeof index !== 'number' || typeof madeAt !== 'number') return 'bad'
    return read['question'] === question && madeAt > clock.now() - day ? { at, index } : 'bad'
  }

  function search({ query }: Call): Answer {
    const asked = new URLSearchParams(query)
    asked.delete('paginationToken')
    const question = hash('sha256', asked.toString()).slice(0, 16)
    const after = positionIn(query, question)
    if (after === 'bad') return invalid('Invalid request parameters: paginationToken')
    const limit = wholeOf(query.get('maxResultsPerPage') ?? 100) ?? 0
    const sort = query.has('createdAfter') ? 'placed' : 'changed'
    const [fromName, untilName] =
      sort === 'placed' ? ['createdAfter', 'createdBefore'] : ['lastUpdatedAfter', 'lastUpdatedBefore']
    const from = momentOf(query.get(fromName) ?? '')
    const latest = clock.now() - delay
    const until = query.has(untilName) ? momentOf(query.get(untilName) ?? '') : latest
    if (from === null || until === null || (query.has('createdAfter') && query.has('lastUpdatedAfter')))
      return invalid('Exactly one of createdAfter and lastUpdatedAfter is required.')
    if (limit < 1 || limit > 100) return invalid('Invalid request parameters: maxResultsPerPage')
    const [wanted, by, places] = ['fulfillmentStatuses', 'fulfilledBy', 'marketplaceIds'].map((name) =>
      wordsIn(query, name),
    )
    const here = !places?.length || places.includes(marketplace.id)
    const tests = [
      ...(wanted?.length ? [(index: number) => wanted.includes(statuses[book.stageAt(index)])] : []),
      ...(both && by?.length
        ? [(index: number) => by.includes(isSentByAmazon(index, both) ? 'AMAZON' : 'MERCHANT')]
        : []),
      ...(!both && by?.length && !by.includes('MERCHANT') ? [() => false] : []),
      ...(here ? [] : [() => false]),
    ]
    const page = listOrders(book, {
      ...{ sort, limit, after },
      // Nothing is older than the shop, and nothing newer than now: then all of it is asked for.
      from: from < firstDay ? null : from,
      before: until >= clock.now() ? null : until,
      test: tests.length === 0 ? null : (index) => tests.every((test) => test(index)),
    })
    const included = new Set(wordsIn(query, 'includedData'))
    const orders = page.indexes.flatMap((index) => book.get(index) ?? []).map((one) => orderView(one, included, both))
    const last = page.indexes.at(-1)
    const at = last === undefined ? 0 : sort === 'placed' ? book.placedAt(last) : book.updatedAt(last)
    const token = JSON.stringify({ at, index: last, question, madeAt: clock.now() })
    disturb(world, page)
    return answer(200, {
      orders,
      ...(page.more ? { pagination: { nextToken: Buffer.from(token).toString('base64url') } } : {}),
      [sort === 'placed' ? 'createdBefore' : 'lastUpdatedBefore']: inSeconds(until),
    })
  }

  function get({ query }: Call, id: string): Answer {
    if (!/^[A-Z0-9]{3}-\d{7}-\d{7}$/.test(id)) return invalid('Invalid request parameters: orderId')
    const order = book.get(orderIndexOf(id))
    if (!order) return no(404, 'NotFound', 'The requested order was not found.')
    return answer(200, { order: orderView(order, new Set(wordsIn(query, 'includedData')), both) })
  }

  /** The same reference again corrects the parcel, and sends nothing twice. */
  function confirm(call: Call, record: Recorder, id: string): Answer {
    const order = book.get(orderIndexOf(id))
    const { marketplaceId, packageDetail } = call.fields()
    const detail = fieldsOf(packageDetail)
    const [reference, code, trackingNumber, date] = [
      'packageReferenceId',
      'carrierCode',
      'trackingNumber',
      'shipDate',
    ].map((name) => textOf(detail[name]) ?? '')
    const sentAt = momentOf(date ?? '')
    const carrier = code === 'Other' ? textOf(detail['carrierName']) : code
    if (!order || marketplaceId !== marketplace.id || !/^[1-9]\d*$/.test(reference ?? '')) return invalid()
    if (sentAt === null || !carrier || !trackingNumber) return invalid('PackageDetail is not complete.')
    if (isSentByAmazon(order.index, both)) return invalid('The order is fulfilled by Amazon.')
    const lines = listOf(detail['orderItems']).map((value) => {
      const { orderItemId, quantity } = fieldsOf(value)
      return { line: lineOf(order, orderItemId), quantity: wholeOf(quantity) ?? 0 }
    })
    if (lines.length === 0 || lines.some(({ line, quantity }) => line === 0 || quantity < 1))
      return invalid('OrderItems')
    const parcel = { carrier, trackingNumber, trackingUrl: null, sentAt, reference: reference ?? null, lines }
    const known = order.parcels.find((one) => (one.reference ?? String(one.parcel)) === reference)
    const worked = known ? amendParcel(book, order, known, parcel) : sendParcel(book, order, parcel)
    if (!worked.ok) return invalid(worked.why)
    const subject = `${orderIdOf(order.index)} ${reference}`
    if (worked.changed && known) record.effect('shipment.amend', subject)
    if (worked.changed && !known) record.effect('shipment.create', subject, null, `${order.index} ${trackingNumber}`)
    return answer(204)
  }

  return { search, get, confirm }
}
