import type { Answer, Call } from '../../http/call.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import { disturb, type World } from '../../world.ts'
import { orderIdOf } from './ids.ts'
import { invalid, pageIn, pageOf, spanIn } from './reply.ts'
import { orderView } from './views.ts'
import { statuses } from './words.ts'

export function createOrderList(world: World): (call: Call) => Answer {
  const { book } = world.shop

  function list(call: Call): Answer {
    const page = pageIn(call)
    if (!page) return invalid('page, per_page')
    const orderby = call.query.get('orderby') ?? 'date'
    if (!['date', 'id', 'modified'].includes(orderby)) return invalid('orderby')
    const changed = spanIn(call, 'modified_after', 'modified_before')
    const placed = spanIn(call, 'after', 'before')
    if (typeof changed === 'string') return invalid(changed)
    if (typeof placed === 'string') return invalid(placed)
    const sort = orderby === 'modified' ? 'changed' : 'placed'
    const [span, other] = sort === 'changed' ? [changed, placed] : [placed, changed]
    const otherTime = sort === 'changed' ? book.placedAt : book.updatedAt
    const tests = testsIn(call)
    const { from, before } = other
    if (from !== null) tests.push((index) => otherTime(index) >= from)
    if (before !== null) tests.push((index) => otherTime(index) < before)
    const query: OrderQuery = {
      sort,
      ...span,
      backwards: (call.query.get('order') ?? 'desc') === 'desc',
      test: tests.length === 0 ? null : (index) => tests.every((test) => test(index)),
      limit: page.perPage,
      offset: (page.page - 1) * page.perPage,
    }
    const read = listOrders(book, query)
    const rows = read.indexes.flatMap((index) => book.get(index) ?? []).map(orderView)
    const total = countOrders(book, query)
    disturb(world, read)
    return pageOf(call, page, total, rows)
  }

  function testsIn({ query }: Call): ((index: number) => boolean)[] {
    const tests: ((index: number) => boolean)[] = []
    const wanted = query
      .getAll('status')
      .concat(query.getAll('status[]'))
      .flatMap((text) => text.split(','))
    if (wanted.length > 0 && !wanted.includes('any'))
      tests.push((index) => wanted.includes(statuses[book.stageAt(index)]))
    const include = query.get('include')?.split(',')
    if (include) tests.push((index) => include.includes(String(orderIdOf(index))))
    const search = query.get('search')
    if (search) {
      const referred = book.byReference(search)
      tests.push((index) => index === referred || String(orderIdOf(index)) === search)
    }
    return tests
  }

  return list
}
