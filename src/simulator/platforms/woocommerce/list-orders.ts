import { type Answer, type Call, isAnswer } from '../../http/route.ts'
import { countOrders, listOrders, type OrderQuery } from '../../shop/list-orders.ts'
import { ordersOn, type World } from '../../world.ts'
import { orderIdOf } from './ids.ts'
import { orderView } from './order-views.ts'
import { invalid, pageIn, pageOf, spanIn } from './reply.ts'
import type { Site } from './site.ts'
import { statusAt } from './words.ts'

type Test = (index: number) => boolean

export function createOrderList(world: World, site: Site): (call: Call) => Answer {
  const { book } = world.shop

  function testsIn({ query }: Call): Test[] {
    const listed = (name: string) => query.getAll(name).flatMap((text) => text.split(','))
    const wanted = [...listed('status'), ...listed('status[]')]
    const ids = listed('include')
    const search = query.get('search')
    const referred = search ? book.byReference(search) : null
    return [
      ...(wanted.length > 0 && !wanted.includes('any') ? [(i: number) => wanted.includes(statusAt(book, i))] : []),
      ...(ids.length > 0 ? [(i: number) => ids.includes(String(orderIdOf(i)))] : []),
      ...(search ? [(i: number) => i === referred || String(orderIdOf(i)) === search] : []),
    ]
  }

  return (call) => {
    const page = pageIn(call)
    if (isAnswer(page)) return page
    const orderby = call.query.get('orderby') ?? 'date'
    if (!['date', 'id', ...(site.age === 'refuses' ? [] : ['modified'])].includes(orderby)) return invalid('orderby')
    const changed = site.age === 'new' ? spanIn(call, 'modified_after', 'modified_before') : {}
    const placed = spanIn(call, 'after', 'before')
    if (isAnswer(changed)) return changed
    if (isAnswer(placed)) return placed
    const sort = orderby === 'modified' ? 'changed' : 'placed'
    const tests = testsIn(call)
    const query: OrderQuery = {
      ...{ sort, changed, placed, limit: page.perPage, offset: page.offset },
      backwards: (call.query.get('order') ?? 'desc') === 'desc',
      test: tests.length === 0 ? null : (index) => tests.every((test) => test(index)),
    }
    const total = countOrders(book, query)
    const rows = ordersOn(world, listOrders(book, query)).map((order) => orderView(order, site))
    return pageOf(call, page, total, rows)
  }
}
