import { day, isWithin, momentOf, type Span } from '../../clock.ts'
import { type Answer, answer, type Call, type RouteRow } from '../../http/route.ts'
import { wholeOf } from '../../json.ts'
import { listReturns, type Return } from '../../shop/returns.ts'
import type { World } from '../../world.ts'
import { listingIdOf, orderIdOf, time } from './orders.ts'
import { no } from './reply.ts'

const words = {
  ...{ requested: 'RETURN_REQUESTED', approved: 'ITEM_SHIPPED', received: 'ITEM_DELIVERED' },
  ...{ rejected: 'RETURN_REJECTED', refunded: 'CLOSED' },
} as const

/** Of an order with several articles the first comes back. */
function view({ id, order, at, step, lines: [first] }: Return) {
  const line = order.lines.find((one) => one.line === first?.line)
  return {
    ...{ returnId: String(id), orderId: orderIdOf(order.index), currentType: 'MONEY_BACK' },
    ...{ state: words[step], status: words[step] },
    creationInfo: {
      item: { itemId: listingIdOf(line?.product ?? 0), transactionId: String(id), returnQuantity: first?.quantity },
      ...{ reason: 'WRONG_SIZE', creationDate: { value: time(at) } },
    },
  }
}

/** The 90 days from the day that was named, or the last ones; the sandbox of eBay has none of it. */
export function returnRoutes({ clock, shop }: World): readonly RouteRow[] {
  function search(call: Call): Answer {
    const from = momentOf(call.query.get('creation_date_range_from') ?? '') ?? clock.now() - 90 * day
    const to = momentOf(call.query.get('creation_date_range_to') ?? '') ?? from + 90 * day
    if (to - from > 90 * day || from < clock.now() - 548 * day) return no(400, 1001, 'The range of dates is too long.')
    if (call.header('x-ebay-c-marketplace-id') === null) return no(400, 1002, 'The marketplace is missing.')
    const span: Span = { from, before: to + 1 }
    const all = listReturns(shop.book).filter(({ at }) => isWithin(at, span))
    const limit = wholeOf(call.query.get('limit') ?? 25) ?? 25
    const members = all.slice(0, limit).map(view)
    return answer(200, { members, paginationOutput: { limit, offset: 0, totalEntries: all.length, totalPages: 1 } })
  }
  return [['GET', '/post-order/v2/return/search', 'returns.list', search]]
}
