import { type Fields, fieldsIn, recordsIn } from '../../../commerce/reading.ts'
import type { Detail } from '../ask.ts'
import { refundLines } from '../documents/refunds.ts'

const refundsIn = (order: Fields) => recordsIn({ refunds: [], ...order }, 'refunds')

/** With the lines of each, where there are any refunds at all. */
export const refunds: Detail = {
  isAsked: (order) => refundsIn(order).length > 0,
  query: refundLines,
  // Each may have fifty, with a hundred lines.
  atOnce: 10,
  read(order, found) {
    const lines = new Map(
      (found ? recordsIn(found, 'refunds') : []).map((one) => [one['id'], fieldsIn(one, 'refundLineItems')['nodes']]),
    )
    return { refunds: refundsIn(order).map((one) => ({ ...one, lines: lines.get(one['id']) ?? [] })) }
  },
}
