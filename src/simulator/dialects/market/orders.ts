import { inMicroseconds, momentOf } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import { listOrders } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { acknowledgeOrder, amendParcel, cancelOrder, sendParcel } from '../../shop/work-on-order.ts'
import { answer, disturb, type World } from '../../world.ts'
import { orderIdOf, orderIndexOf, placeOf } from './ids.ts'
import { invalid, no, notFound, questionIn, tokenFor } from './reply.ts'
import { orderView, packageView } from './views.ts'
import { statusOf } from './words.ts'

export function createOrders(world: World) {
  const { book } = world.shop
  const { clock } = world
  const found = (id: string, use: (order: ShopOrder) => Answer): Answer => {
    const order = book.get(orderIndexOf(id))
    return order ? use(order) : notFound()
  }

  function list(call: Call): Answer {
    const question = questionIn(call, 200)
    if (typeof question === 'string') return invalid(question)
    const { from, before, statuses, limit, after } = question
    // All of it, told as "since 1970", is everything.
    const since = from !== null && from <= 0 ? null : from
    const wanted = new Set(statuses)
    const page = listOrders(book, {
      sort: 'changed',
      from: since,
      before,
      limit,
      test: wanted.size === 0 ? null : (index) => hasStatus(index, wanted),
      after: after === null || typeof after.key !== 'number' ? null : { at: after.at, index: after.key },
    })
    const orders = page.indexes.flatMap((index) => book.get(index) ?? []).map(orderView)
    const last = page.indexes.at(-1)
    const next =
      page.more && last !== undefined ? tokenFor({ ...question, after: { at: book.updatedAt(last), key: last } }) : null
    const until = inMicroseconds(clock.now())
    disturb(world, page)
    return answer(200, { orders, nextToken: next, lastUpdatedBefore: until })
  }

  function hasStatus(index: number, wanted: ReadonlySet<string>): boolean {
    const order = book.get(index)
    return order !== null && wanted.has(statusOf(order))
  }

  function acknowledge(order: ShopOrder, record: Recorder): Answer {
    const worked = acknowledgeOrder(book, order, clock.now())
    if (!worked.ok) return no(409, 'NOT_ALLOWED', worked.why)
    // Telling it again is fine, and changes nothing.
    if (worked.changed) record.effect('order.acknowledge', orderIdOf(order.index))
    return answer(200, orderView(worked.value))
  }

  function ship(order: ShopOrder, call: Call, record: Recorder): Answer {
    const input = call.fields()
    const trackingNumber = textOf(input['trackingNumber'])
    const carrier = textOf(input['carrier'])
    const reference = textOf(input['packageReference'])
    const lines = linesIn(order, input['lines'])
    if (!trackingNumber || !carrier || !reference)
      return invalid('packageReference, carrier and trackingNumber are required.')
    if (!lines) return invalid('lines names lineId and quantity of at least one line.')
    const parcel = {
      ...{ carrier, trackingNumber, reference, lines, trackingUrl: textOf(input['trackingUrl']) },
      sentAt: momentOf(textOf(input['shippedAt']) ?? '') ?? clock.now(),
      place: Math.max(0, placeOf(textOf(input['node']) ?? 'NODE-1')),
    }
    const known = order.parcels.find((one) => one.reference === reference)
    if (!known && order.acknowledgedAt === null)
      return no(409, 'NOT_ACKNOWLEDGED', 'The order must be acknowledged first.')
    const worked = known ? amendParcel(book, order, known, parcel) : sendParcel(book, order, parcel)
    if (!worked.ok) return no(409, 'NOT_ALLOWED', worked.why)
    const subject = `${orderIdOf(order.index)} ${reference}`
    if (worked.changed && known) record.effect('shipment.amend', subject)
    if (worked.changed && !known) record.effect('shipment.create', subject, null, `${order.index} ${trackingNumber}`)
    return answer(known ? 200 : 201, packageView(order, worked.value))
  }

  function cancel(order: ShopOrder, call: Call, record: Recorder): Answer {
    const worked = cancelOrder(book, order, textOf(call.fields()['reason']) ?? 'SELLER')
    if (!worked.ok) return no(409, 'NOT_ALLOWED', worked.why)
    if (worked.changed) record.effect('order.cancel', orderIdOf(order.index))
    return answer(200, orderView(worked.value))
  }

  return {
    list,
    get: (id: string) => found(id, (order) => answer(200, orderView(order))),
    acknowledge: (id: string, record: Recorder) => found(id, (order) => acknowledge(order, record)),
    ship: (id: string, call: Call, record: Recorder) => found(id, (order) => ship(order, call, record)),
    cancel: (id: string, call: Call, record: Recorder) => found(id, (order) => cancel(order, call, record)),
  }
}

/** Null unless every line is one of this order and has a quantity. */
function linesIn(order: ShopOrder, value: unknown): { line: number; quantity: number }[] | null {
  const lines = listOf(value).map((entry) => {
    const { lineId, quantity } = fieldsOf(entry)
    const [whole, line] = String(lineId).split('-').map(Number)
    return { line: whole === order.index + 1 ? (line ?? 0) : 0, quantity: wholeOf(quantity) ?? 0 }
  })
  return lines.length > 0 && lines.every(({ line, quantity }) => line > 0 && quantity > 0) ? lines : null
}
