import { day, inSeconds, momentOf } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { type Fields, fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { acknowledgeOrder, cancelOrder, sendParcel } from '../../shop/work-on-order.ts'
import { answer, disturb, type World } from '../../world.ts'
import { orderIdOf, orderIndexOf, orderView, otherCarrier, statusOf } from './order-view.ts'
import { invalid, notFound } from './reply.ts'

const api = 'ORDER'
const maxOrders = 10_000

export function createOrders(world: World) {
  const { clock, shop } = world
  const { book } = shop

  const found = (id: string, use: (order: ShopOrder) => Answer): Answer => {
    const order = book.get(orderIndexOf(id))
    return order ? use(order) : notFound(api)
  }
  /** What waits for its money elsewhere has been paid here. */
  const released = (order: ShopOrder): ShopOrder =>
    order.stage === 'unpaid' || order.stage === 'held' ? book.change(order.index, { stage: 'paid' }) : order

  /** The next page is named as a query that has everything in it, the end of the window too: what is new meanwhile waits. */
  function list({ query }: Call): Answer {
    const now = clock.now()
    const time = (name: string, missing: number | null) => (query.has(name) ? momentOf(query.get(name) ?? '') : missing)
    const from = time('createdStartDate', now - 7 * day)
    const to = time('createdEndDate', now)
    const [since, until] = [time('lastModifiedStartDate', 0), time('lastModifiedEndDate', now + day)]
    const limit = wholeOf(query.get('limit') ?? 100) ?? 0
    const offset = wholeOf(query.get('poIndex') ?? 0) ?? 0
    if (from === null || to === null || since === null || until === null) return invalid(api, 'Dates are ISO 8601.')
    if (limit < 1 || limit > 200) return invalid(api, 'limit is a number from 1 to 200.')
    const status = query.get('status')
    const elsewhere = (query.get('shipNodeType') ?? 'SellerFulfilled') !== 'SellerFulfilled'
    const tests = [
      ...(since > 0 ? [(index: number) => book.updatedAt(index) > since && book.updatedAt(index) < until] : []),
      ...(status === null ? [] : [(index: number) => hasPart(index, status)]),
      ...(elsewhere ? [() => false] : []),
    ]
    const question: Omit<OrderQuery, 'limit'> = {
      ...{ sort: 'placed', from: from + 1, before: to + 1, offset },
      test: tests.length === 0 ? null : (index: number) => tests.every((test) => test(index)),
    }
    const total = countOrders(book, question)
    if (total > maxOrders) return invalid(api, 'More than 10,000 orders match. Use a narrower range of dates.')
    const page = listOrders(book, { ...question, limit })
    const rows = page.indexes.flatMap((index) => book.get(index) ?? []).map(orderView)
    if (rows.length === 0) return notFound(api)
    disturb(world, page)
    const next = new URLSearchParams(query)
    const standing = {
      hasMoreElements: 'true',
      poIndex: String(offset + limit),
      createdEndDate: inSeconds(to + 999_999),
    }
    for (const [name, value] of Object.entries(standing)) next.set(name, value)
    const meta = { totalCount: total, limit, ...(page.more ? { nextCursor: `?${next}` } : {}) }
    return answer(200, { list: { meta, elements: { order: rows } } })
  }

  /** By status an order is found if any of its lines is there. */
  function hasPart(index: number, status: string): boolean {
    const order = book.get(index)
    if (!order) return false
    const parts = new Set([
      statusOf(order),
      ...order.parcels.map(({ delivered }) => (delivered ? 'Delivered' : 'Shipped')),
    ])
    return parts.has(status)
  }

  function acknowledge(order: ShopOrder, record: Recorder): Answer {
    if (statusOf(order) !== 'Created') return invalid(api, 'The order is not in status Created.')
    const worked = acknowledgeOrder(book, released(order), clock.now())
    if (!worked.ok) return invalid(api, worked.why)
    record.effect('order.acknowledge', orderIdOf(order.index))
    return answer(200, { order: orderView(worked.value) })
  }

  function cancel(order: ShopOrder, call: Call, record: Recorder): Answer {
    const lines = linesIn(call.fields()['orderCancellation'])
    const left = order.lines.filter(({ quantity, sent, cancelled }) => quantity > sent + cancelled)
    const whole = left.every(({ line, quantity }) =>
      lines.some((one) => one.line === line && one.quantity === quantity && one.part['status'] === 'Cancelled'),
    )
    if (lines.length === 0 || left.length === 0 || !whole) return invalid(api, 'The lines can not be cancelled so.')
    const worked = cancelOrder(book, order, textOf(lines[0]?.part['cancellationReason']))
    if (!worked.ok) return invalid(api, worked.why)
    record.effect('order.cancel', orderIdOf(order.index))
    return answer(200, { order: orderView(worked.value) })
  }

  /** Lines with one tracking number are one parcel. */
  function ship(order: ShopOrder, call: Call, record: Recorder): Answer {
    const lines = linesIn(call.fields()['orderShipment'])
    const tracking = fieldsOf(lines[0]?.part['trackingInfo'])
    const number = textOf(tracking['trackingNumber'])
    const { carrier, otherCarrier: other } = fieldsOf(tracking['carrierName'])
    const url = textOf(tracking['trackingURL'])
    const name = textOf(carrier) ?? textOf(other)
    const one = lines.every(({ part }) => fieldsOf(part['trackingInfo'])['trackingNumber'] === number)
    if (number === null || name === null || !one) return invalid(api, 'Tracking is missing, or of several parcels.')
    if (textOf(carrier) === null && url === null) return invalid(api, 'Other carriers need a tracking URL.')
    if (order.acknowledgedAt === null) return invalid(api, 'The order is not acknowledged.')
    const worked = sendParcel(book, released(order), {
      ...{ carrier: name, trackingNumber: number, trackingUrl: url },
      reference: textOf(carrier) === null ? otherCarrier : null,
      sentAt: (wholeOf(tracking['shipDateTime']) ?? Math.floor(clock.now() / 1000)) * 1000,
      lines: lines.map(({ line, quantity }) => ({ line, quantity })),
    })
    if (!worked.ok) return invalid(api, worked.why)
    const id = orderIdOf(order.index)
    record.effect('shipment.create', `${id} ${number}`, null, `${order.index} ${number}`)
    return found(id, (order) => answer(200, { order: orderView(order) }))
  }

  return {
    list,
    get: (id: string) => found(id, (order) => answer(200, { order: orderView(order) })),
    acknowledge: (id: string, record: Recorder) => found(id, (order) => acknowledge(order, record)),
    cancel: (id: string, call: Call, record: Recorder) => found(id, (order) => cancel(order, call, record)),
    ship: (id: string, call: Call, record: Recorder) => found(id, (order) => ship(order, call, record)),
  }
}

const linesIn = (value: unknown): readonly { line: number; quantity: number; part: Fields }[] =>
  listOf(fieldsOf(fieldsOf(value)['orderLines'])['orderLine']).map((entry) => {
    const { lineNumber, orderLineStatuses } = fieldsOf(entry)
    const part = fieldsOf(listOf(fieldsOf(orderLineStatuses)['orderLineStatus'])[0])
    const quantity = wholeOf(fieldsOf(part['statusQuantity'])['amount']) ?? 0
    return { line: wholeOf(lineNumber) ?? 0, quantity, part }
  })
