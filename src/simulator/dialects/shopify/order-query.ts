import type { OrderQuery } from '../../shop/list-orders.ts'
import type { OrderBook } from '../../shop/order-book.ts'
import type { Shop } from '../../shop/shop.ts'
import { graphqlError } from './graphql/document.ts'
import { type Args, type Connection, cursorOf, readCursor } from './graphql/types.ts'
import { indexOf } from './ids.ts'
import { orderName } from './order-type.ts'
import { spanOf, type Term, termsIn } from './search.ts'
import { financialStatus, fulfillmentStatus } from './words.ts'

const mostPerPage = 250

function firstOf({ first }: Args): number {
  if (typeof first !== 'number' || first < 1) throw graphqlError('you must provide one of first or last', 'BAD_REQUEST')
  if (first > mostPerPage) throw graphqlError(`first cannot exceed ${mostPerPage}`, 'BAD_REQUEST')
  return first
}

export const within = (at: number, from: number | null, before: number | null): boolean =>
  (from === null || at >= from) && (before === null || at < before)

/** Cut by key, not by count: what moves meanwhile is met again at the end, and nothing is skipped. */
export function pageOf<T>(all: readonly T[], keyOf: (item: T) => readonly [number, number], args: Args): Connection {
  const first = firstOf(args)
  const [at, id] = positionIn(args['after']) ?? [-1, -1]
  const isAfter = (item: T) => {
    const [time, index] = keyOf(item)
    return time > at || (time === at && index > id)
  }
  const rest = all.filter(isAfter)
  const nodes = rest.slice(0, first).map((node) => ({ node, cursor: cursorOf(keyOf(node)) }))
  return { nodes, hasNextPage: rest.length > first, hasPreviousPage: at >= 0 }
}

function positionIn(cursor: unknown): readonly [number, number] | null {
  const read = readCursor(cursor)
  if (!Array.isArray(read)) return null
  const [at, index]: unknown[] = read
  return typeof at === 'number' && typeof index === 'number' ? [at, index] : null
}

export function orderQuery({ book }: Shop, args: Args): OrderQuery {
  const terms = termsIn(args['query'])
  const sort = args['sortKey'] === 'UPDATED_AT' ? 'changed' : 'placed'
  const position = positionIn(args['after'])
  const changed = spanOf(terms, 'updated_at')
  const placed = spanOf(terms, 'created_at')
  const [span, other] = sort === 'changed' ? [changed, placed] : [placed, changed]
  const otherTime = sort === 'changed' ? book.placedAt : book.updatedAt
  const tests = terms.flatMap((term) => testOf(term, book) ?? [])
  if (other.from !== null || other.before !== null) {
    tests.push((index) => within(otherTime(index), other.from, other.before))
  }
  return {
    sort,
    ...span,
    backwards: args['reverse'] === true,
    test: tests.length === 0 ? null : (index) => tests.every((test) => test(index)),
    limit: firstOf(args),
    after: position === null ? null : { at: position[0], index: position[1] },
  }
}

function testOf({ name, value }: Term, book: OrderBook): ((index: number) => boolean) | null {
  const word = value.toUpperCase()
  switch (name) {
    case 'status':
      if (word === 'ANY') return null
      return (index) => (book.stageAt(index) === 'cancelled') === (word === 'CANCELLED') && word !== 'CLOSED'
    case 'financial_status':
      return (index) => financialStatus(book.stageAt(index)) === word
    case 'fulfillment_status': {
      const wanted = fulfillmentWords[word] ?? word
      return (index) => fulfillmentStatus(book.stageAt(index)) === wanted
    }
    case 'source_identifier': {
      const found = book.byReference(value)
      return (index) => index === found
    }
    case 'name':
      return (index) => orderName(index) === value || orderName(index) === `#${value}`
    case 'id':
      return (index) => index === indexOf('Order', value)
    default:
      return null
  }
}

const fulfillmentWords: Readonly<Record<string, string | undefined>> = {
  UNSHIPPED: 'UNFULFILLED',
  SHIPPED: 'FULFILLED',
  PARTIAL: 'PARTIALLY_FULFILLED',
}
