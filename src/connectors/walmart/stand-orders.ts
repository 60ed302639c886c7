import { type Fields, isFields } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { type Books, each, momentAt, type StandLine, type StandOrder, type StandPart } from './stand-records.ts'

export const reply = (body: unknown): RemoteAnswer => ({
  status: 200,
  headers: { date: 'Sun, 15 Nov 2026 08:00:00 GMT', 'x-current-token-count': '50' },
  body,
})

export const refusal = (status: number, code: string, description: string): RemoteAnswer => ({
  status,
  headers: {},
  body: { errors: [{ code, description, severity: 'ERROR', category: 'REQUEST' }] },
})

const partsOf = (line: StandLine): StandPart[] => line.orderLineStatuses.orderLineStatus

const changedAt = ({ orderLines: { orderLine: lines } }: StandOrder): number =>
  Math.max(...lines.map(({ statusDate }) => statusDate))

/** Newest first. The next page is named as a query that has everything in it. */
export function listOrders(books: Books, query: Fields): RemoteAnswer {
  const { poIndex: _, hasMoreElements: __, ...question } = query
  const time = (name: string, missing: number) => (query[name] == null ? missing : Date.parse(String(query[name])))
  const [from, to] = [time('createdStartDate', momentAt(100_000)), time('createdEndDate', Number.POSITIVE_INFINITY)]
  const since = time('lastModifiedStartDate', 0)
  const found = books.orders
    .filter((one) => one.orderDate > from && one.orderDate < to && changedAt(one) > since)
    .filter((one) => query['status'] == null || hasPart(one, String(query['status'])))
    .toSorted((a, b) => b.orderDate - a.orderDate)
  const start = Number(query['poIndex'] ?? 0)
  const size = Math.min(200, Number(query['limit'] ?? 100))
  const end = start + size
  const following = new URLSearchParams({ hasMoreElements: 'true', poIndex: String(end) })
  for (const [name, value] of Object.entries(question)) if (value != null) following.set(name, String(value))
  return reply({
    list: {
      meta: { totalCount: found.length, limit: size, ...(end < found.length ? { nextCursor: `?${following}` } : {}) },
      elements: { order: found.slice(start, end) },
    },
  })
}

const hasPart = ({ orderLines: { orderLine: lines } }: StandOrder, status: string): boolean =>
  lines.some((line) => partsOf(line).some((part) => part.status === status))

export function acknowledge(books: Books, order: StandOrder): RemoteAnswer {
  if (!hasPart(order, 'Created')) return refusal(400, 'INVALID_REQUEST_CONTENT', 'The order is acknowledged already.')
  for (const line of order.orderLines.orderLine) {
    const parts = partsOf(line).map((part) => (part.status === 'Created' ? { ...part, status: 'Acknowledged' } : part))
    change(books, line, parts)
  }
  return reply({ order })
}

export const cancel = (books: Books, order: StandOrder, body: Fields): RemoteAnswer =>
  move(books, order, { told: body['orderCancellation'], from: ['Created', 'Acknowledged'] })

export const ship = (books: Books, order: StandOrder, body: Fields): RemoteAnswer =>
  move(books, order, { told: body['orderShipment'], from: ['Acknowledged'] })

function change(books: Books, line: StandLine, parts: StandPart[]): void {
  line.orderLineStatuses.orderLineStatus = parts
  line.statusDate = momentAt(++books.clock)
}

/** So many of each line go from where they are to the status that is told. */
function move(
  books: Books,
  order: StandOrder,
  { told, from }: { told: unknown; from: readonly string[] },
): RemoteAnswer {
  const wanted = isFields(told) && isFields(told['orderLines']) ? told['orderLines']['orderLine'] : null
  if (!Array.isArray(wanted)) return refusal(400, 'INVALID_REQUEST_CONTENT', 'There are no lines.')
  for (const one of wanted.filter(isFields)) {
    const line = order.orderLines.orderLine.find(({ lineNumber }) => lineNumber === one['lineNumber'])
    const part = firstPart(one)
    const taken = Number(part?.statusQuantity.amount)
    const source = line && partsOf(line).find(({ status }) => from.includes(status))
    if (!line || !part || !source || !(Number(source.statusQuantity.amount) >= taken)) {
      return refusal(400, 'INVALID_REQUEST_CONTENT', `Line ${one['lineNumber']} cannot be ${part?.status}.`)
    }
    if (part.status === 'Shipped' && !isFollowed(part)) {
      return refusal(400, 'INVALID_REQUEST_CONTENT', 'Other carriers need a tracking URL.')
    }
    const left = Number(source.statusQuantity.amount) - taken
    const others = partsOf(line).filter((other) => other !== source)
    change(books, line, [...others, ...(left > 0 ? [{ ...source, statusQuantity: each(left) }] : []), part])
  }
  return reply({ order })
}

function firstPart(line: Fields): StandPart | undefined {
  const statuses = line['orderLineStatuses']
  const [first] = isFields(statuses) && Array.isArray(statuses['orderLineStatus']) ? statuses['orderLineStatus'] : []
  return first as StandPart | undefined
}

function isFollowed({ trackingInfo: told }: StandPart): boolean {
  const tracking = isFields(told) ? told : {}
  const carrier = isFields(tracking['carrierName']) ? tracking['carrierName'] : {}
  return typeof carrier['carrier'] === 'string' || typeof tracking['trackingURL'] === 'string'
}
