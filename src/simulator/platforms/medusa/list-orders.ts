import type { Answer, Call } from '../../http/call.ts'
import type { Fields } from '../../json.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import type { ShopOrder, Stage } from '../../shop/order.ts'
import { disturb, type World } from '../../world.ts'
import { orderIndexOf, paymentIndexOf } from './ids.ts'
import { orderView, paymentView } from './order-view.ts'
import { broken, isQuery, isWithin, type ListQuery, pageOf, readQuery } from './query.ts'
import { isStatus, waits, words } from './words.ts'

interface Listed {
  name: string
  indexOf(id: string): number
  view(order: ShopOrder): Fields
  /** Whether its own time is that of the last change; otherwise it is that at which the order was placed. */
  moves(stage: Stage): boolean
}

const orders: Listed = { name: 'orders', indexOf: orderIndexOf, view: orderView, moves: (stage) => !waits(stage) }
const payments: Listed = { name: 'payments', indexOf: paymentIndexOf, view: paymentView, moves: waits }

export const ordersList = (world: World, call: Call): Answer => list(world, call, orders)
export const paymentsList = (world: World, call: Call): Answer => list(world, call, payments)

function list(world: World, call: Call, listed: Listed): Answer {
  const { book } = world.shop
  const query = readQuery(call, ['id', 'status'])
  if (!isQuery(query)) return query
  const wanted = query.words.get('status')
  // The database stumbles over a word that it does not know.
  if (wanted && !wanted.every(isStatus)) return broken()
  const ids = query.words.get('id')
  if (ids) {
    const found = ids.flatMap((id) => book.get(listed.indexOf(id)) ?? []).map(listed.view)
    return pageOf(listed.name, found.slice(query.offset, query.offset + query.limit), found.length, query)
  }
  const { indexes, count } = find(world, query, listed)
  const rows = indexes.flatMap((index) => book.get(index) ?? []).map(listed.view)
  return pageOf(listed.name, rows, count, query)
}

/**
 * By the time of the last change there are two rows to be merged: those whose own time moves, and those that still have
 * the time at which they were placed.
 */
function find(world: World, query: ListQuery, { moves }: Listed): { indexes: readonly number[]; count: number } {
  const { book } = world.shop
  const { order, updated, created, backwards, offset, limit } = query
  const wanted = query.words.get('status')
  const fits = (index: number) => !wanted || wanted.includes(words[book.stageAt(index)][0])
  const byChange = order === 'updated_at' || updated !== null
  const rows: Omit<OrderQuery, 'limit'>[] = byChange
    ? [
        { sort: 'changed', test: (at) => moves(book.stageAt(at)) && fits(at) && isWithin(book.placedAt(at), created) },
        { sort: 'placed', test: (at) => !moves(book.stageAt(at)) && fits(at) && isWithin(book.placedAt(at), created) },
      ]
    : [{ sort: 'placed', test: wanted ? fits : null }]
  const asked = rows.map((row) => ({ ...row, backwards, ...(byChange ? updated : created) }))
  // Those of one second, by id: all of them are looked at, then sorted.
  const needed = byChange && order !== 'updated_at' ? Number.POSITIVE_INFINITY : offset + limit
  const pages = asked.map((row) => listOrders(book, { ...row, limit: needed }))
  const timeOf = (index: number) => (moves(book.stageAt(index)) ? book.updatedAt(index) : book.placedAt(index))
  const sign = backwards ? -1 : 1
  const merged = pages
    .flatMap((page) => page.indexes)
    .sort((a, b) => sign * ((order === 'updated_at' ? timeOf(a) - timeOf(b) : 0) || a - b))
  const count = asked.reduce((sum, row) => sum + countOrders(book, row), 0)
  const [first] = pages
  if (first) disturb(world, first)
  return { indexes: merged.slice(offset, offset + limit), count }
}
