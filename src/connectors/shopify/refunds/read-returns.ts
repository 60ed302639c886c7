import type { OrderReturn } from '../../../commerce/order.ts'
import {
  type Fields,
  maybeFields,
  maybeText,
  maybeTime,
  numberIn,
  recordsIn,
  textIn,
} from '../../../commerce/reading.ts'
import { type Detail, nodesIn } from '../ask.ts'
import { returnLines } from '../documents/refunds.ts'

/** What the platform asks for a right of its own for; shops that were connected before may not have given it. */
export const returnScope = 'read_returns'

const hasReturns = (order: Fields): boolean => (maybeText(order, 'returnStatus') ?? 'NO_RETURN') !== 'NO_RETURN'

/** Asked of the few orders that have any. */
export const returns: Detail = {
  isAsked: (order, { granted }) => hasReturns(order) && (granted?.includes(returnScope) ?? false),
  query: returnLines,
  atOnce: 5,
  read: (_, found) => ({ returns: found ? nodesIn(found, 'returns') : [] }),
}

const statuses: Readonly<Record<string, OrderReturn['status'] | undefined>> = {
  REQUESTED: 'requested',
  OPEN: 'approved',
  CLOSED: 'completed',
  DECLINED: 'declined',
  CANCELED: 'cancelled',
}

export const toReturn = (back: Fields): OrderReturn => ({
  remote_id: textIn(back, 'id'),
  status: statuses[textIn(back, 'status')] ?? 'unknown',
  remote_status: textIn(back, 'status'),
  requested_at: maybeTime(back, 'createdAt'),
  lines: nodesIn(back, 'returnLineItems').map((item) => ({
    order_line_remote_id: lineOf(item),
    quantity: numberIn(item, 'quantity'),
    reason: reasonOf(item),
  })),
})

const lineOf = (item: Fields): string | null => {
  const line = maybeFields(maybeFields(item, 'fulfillmentLineItem') ?? {}, 'lineItem')
  return line && textIn(line, 'id')
}

/** The word of the list, and what was written besides. */
const reasonOf = (item: Fields): string | null => {
  const word = maybeText(maybeFields(item, 'returnReasonDefinition') ?? {}, 'name')
  const written = [maybeText(item, 'returnReasonNote'), maybeText(item, 'customerNote')]
  return [word, ...written].filter((one) => one !== null).join(': ') || null
}

export const returnsIn = (order: Fields): OrderReturn[] => recordsIn({ returns: [], ...order }, 'returns').map(toReturn)

/** Lines of the order that the buyer gets for what comes back, each with the name of that return. */
export const exchangesIn = (order: Fields): ReadonlyMap<string, string> =>
  new Map(
    recordsIn({ returns: [], ...order }, 'returns').flatMap((back) =>
      (back['exchangeLineItems'] == null ? [] : nodesIn(back, 'exchangeLineItems'))
        .flatMap((item) => (item['lineItems'] == null ? [] : recordsIn(item, 'lineItems')))
        .map((line) => [textIn(line, 'id'), maybeText(back, 'name') ?? textIn(back, 'id')] as const),
    ),
  )
