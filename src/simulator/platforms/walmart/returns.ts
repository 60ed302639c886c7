import { momentOf } from '../../clock.ts'
import { type Answer, answer, type Call, type RouteRow } from '../../http/route.ts'
import { wholeOf } from '../../json.ts'
import { listReturns, type Return } from '../../shop/returns.ts'
import type { World } from '../../world.ts'
import { numberOf, orderIdOf } from './orders.ts'
import { invalid, notFound } from './reply.ts'

/** Walmart agrees to returns itself: nobody refuses one, but it may be called off. */
const words = {
  requested: ['INITIATED', 'RETURN_INITIATED'],
  approved: ['INITIATED', 'RETURN_IN_TRANSIT'],
  received: ['DELIVERED', 'DELIVERED_AT_RETURN_CENTER'],
  rejected: ['COMPLETED', 'RETURN_CANCELLED'],
  refunded: ['COMPLETED', 'REFUND_ISSUED'],
} as const

const each = (measurementValue: number) => ({ unitOfMeasure: 'EACH', measurementValue })
const timeOf = (at: number) => new Date(at / 1000).toISOString()

function view({ order, id, step, at, lines }: Return) {
  const [status, eventTag] = words[step]
  return {
    ...{ returnOrderId: String(id), customerOrderId: numberOf(order), customerEmailId: 'relay@walmart.com' },
    ...{ returnType: 'REFUND', returnOrderDate: timeOf(at) },
    returnOrderLines: lines.map(({ line, quantity }, i) => ({
      ...{ returnOrderLineNumber: i + 1, salesOrderLineNumber: line, returnReason: 'DAMAGED' },
      ...{ purchaseOrderId: orderIdOf(order.index), purchaseOrderLineNumber: line, quantity: each(quantity) },
      ...{ status, statusTime: timeOf(at), returnTrackingDetail: [{ sequenceNo: 1, eventTag, eventTime: timeOf(at) }] },
    })),
  }
}

export function returnRoutes({ shop }: World): readonly RouteRow[] {
  function list({ query }: Call): Answer {
    const from = momentOf(query.get('returnLastModifiedStartDate') ?? query.get('returnCreationStartDate') ?? '')
    const [limit, offset] = [wholeOf(query.get('limit') ?? 10) ?? 0, wholeOf(query.get('offset')) ?? 0]
    if (from === null || limit < 1 || limit > 200) return invalid('RETURN', 'Dates are ISO 8601, limit is at most 200.')
    const all = listReturns(shop.book, from)
    if (all.length === 0 || query.get('isWFSEnabled') === 'Y') return notFound('RETURN')
    const next = new URLSearchParams(query)
    next.set('offset', String(offset + limit))
    const meta = { totalCount: all.length, limit, nextCursor: offset + limit < all.length ? `?${next}` : '' }
    return answer(200, { meta, returnOrders: all.slice(offset, offset + limit).map(view) })
  }
  return [['GET', '/v3/returns', 'returns.list', list]]
}
