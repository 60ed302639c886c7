import { isWithin, type Moment, type Span, toSecond } from '../clock.ts'
import type { OrderBook } from './order-book.ts'

export interface OrderQuery {
  sort: 'changed' | 'placed'
  backwards?: boolean
  changed?: Span
  placed?: Span
  test?: ((index: number) => boolean) | null
  limit: number
  /** Where the last page ended… */
  after?: Position | null
  /** … or how many to skip. */
  offset?: number
}

export interface Position {
  at: Moment
  index: number
}

export type OrderPage = ReturnType<typeof listOrders>

/**
 * One page of orders, and for bad weather: what was read from, the first place not read yet, and whether all of it was
 * asked for. Nothing is held between two pages: what changes meanwhile changes the pages, as in real shops.
 */
export function listOrders(book: OrderBook, query: OrderQuery) {
  const { limit, backwards = false } = query
  const test = testIn(book, query)
  const sequence = query.sort === 'changed' ? book.byChange() : book.byNumber()
  const [low, high] = boundsIn(book, sequence, query)
  const indexes: number[] = []
  let skip = query.offset ?? 0
  let more = false
  let i = backwards ? high - 1 : low
  for (; backwards ? i >= low : i < high; i += backwards ? -1 : 1) {
    const index = sequence[i] ?? 0
    if (test && !test(index)) continue
    if (skip-- > 0) continue
    if (indexes.length === limit) {
      more = true
      break
    }
    indexes.push(index)
  }
  const everything = isOpen(query[query.sort]) && !test && !backwards
  return { indexes, more, sequence, read: backwards ? 0 : i, everything }
}

/** How a platform shows times, where it lists by them: what is `together` need not be in the order of time. */
export interface ShownTime {
  shown(at: Moment): Moment
  together(at: Moment): Moment
}

const wholeSeconds: ShownTime = { shown: toSecond, together: toSecond }

/** By the last change as the platform shows it, then by number: whole seconds, by default otherwise. */
export function listBySecond(
  book: OrderBook,
  query: Omit<OrderQuery, 'sort' | 'backwards' | 'after' | 'placed'>,
  { shown, together }: ShownTime = wholeSeconds,
): OrderPage {
  const { limit, test = null, offset = 0 } = query
  const sequence = book.byChange()
  const [low, high] = boundsIn(book, sequence, { ...query, sort: 'changed' })
  const groupAt = (i: number) => together(book.updatedAt(sequence[i] ?? 0))
  const found: number[] = []
  let i = low
  while (i < high && found.length <= offset + limit) {
    const start = i
    while (i < high && groupAt(i) === groupAt(start)) i++
    const group = [...sequence.subarray(start, i)].filter((index) => !test || test(index))
    group.sort((a, b) => shown(book.updatedAt(a)) - shown(book.updatedAt(b)) || a - b)
    for (const index of group) found.push(index)
  }
  const more = found.length > offset + limit
  return {
    indexes: found.slice(offset, offset + limit),
    more,
    sequence,
    read: i,
    everything: !query.changed?.from && !test,
  }
}

export function countOrders(book: OrderBook, query: Asked): number {
  const test = testIn(book, query)
  const sequence = query.sort === 'changed' ? book.byChange() : book.byNumber()
  const [low, high] = boundsIn(book, sequence, { ...query, after: null })
  if (!test) return high - low
  let count = 0
  for (let i = low; i < high; i++) if (test(sequence[i] ?? 0)) count++
  return count
}

type Asked = Omit<OrderQuery, 'limit'>

const isOpen = ({ from, before }: Span = {}): boolean => from == null && before == null

/** What has to be looked at order by order: the time that they are not sorted by, and whatever else was asked for. */
function testIn(book: OrderBook, { sort, changed = {}, placed = {}, test = null }: Asked): Asked['test'] {
  const [other, timeOf] = sort === 'changed' ? [placed, book.placedAt] : [changed, book.updatedAt]
  return isOpen(other) ? test : (index) => isWithin(timeOf(index), other) && (!test || test(index))
}

function boundsIn(book: OrderBook, sequence: Int32Array, query: Asked): [low: number, high: number] {
  const timeOf = query.sort === 'changed' ? book.updatedAt : book.placedAt
  const firstAt = (at: Moment, index: number) => lowerBound(sequence, timeOf, at, index)
  const { from, before } = query[query.sort] ?? {}
  let low = from ? firstAt(from, -1) : 0
  let high = before ? firstAt(before, -1) : sequence.length
  if (query.after) {
    const { at, index } = query.after
    if (query.backwards) high = Math.min(high, firstAt(at, index))
    else low = Math.max(low, firstAt(at, index + 1))
  }
  return [low, Math.max(low, high)]
}

/** The first place in the sequence that is not before (at, index). */
function lowerBound(sequence: Int32Array, timeOf: (index: number) => Moment, at: Moment, index: number): number {
  let low = 0
  let high = sequence.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const candidate = sequence[middle] ?? 0
    const time = timeOf(candidate)
    if (time < at || (time === at && candidate < index)) low = middle + 1
    else high = middle
  }
  return low
}
