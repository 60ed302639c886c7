import type { Orders } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { fieldsIn, fieldsOf, maybeText, numberIn, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import { cancelLinesOnce } from '../../commerce/wire/refund-once.ts'
import { bodyOf, isMissing } from './ask.ts'
import { callOff, cancel } from './cancel-order.ts'
import { getOrder } from './get-order.ts'
import {
  firstWindow,
  halved,
  horizonDays,
  type NodeType,
  nodeTypes,
  readCursor,
  rest,
  type Window,
  writeCursor,
} from './order-windows.ts'
import { returns } from './refunds/read-returns.ts'
import type { Credentials, Settings, WalmartShop } from './settings.ts'
import { statuses, statusFor } from './statuses.ts'
import { toOrder } from './translate-order.ts'

const cancelLines = cancelLinesOnce({ get: getOrder, translate: toOrder }, callOff)

export const orders: Orders<Settings, Credentials> = {
  list: listOrders,
  get: getOrder,
  translate: toOrder,
  statuses: async () => statuses,
  cancel,
  cancelLines,
  horizon: () => horizonDays,
  returns,
}

const maxOrders = 200

/** Whose orders are read, one list after the other. */
const nodesOf = ({ settings: { fulfilled_by: by = 'seller' } }: WalmartShop): readonly NodeType[] =>
  by === 'all' ? Object.values(nodeTypes) : [nodeTypes[by]]

/**
 * Window by window of when orders were placed, oldest first; within one, page by page as each page names the next. Without
 * a window only the orders of the last seven days would come.
 */
async function listOrders(shop: WalmartShop, query: ReadQuery): Promise<RawPage> {
  const status = statusFor(query.statuses)
  const nodes = nodesOf(shop)
  const window = query.cursor === null ? firstWindow(nodes[0] ?? nodeTypes.seller) : readCursor(query.cursor)
  const nextOf = (page: string | null) => {
    const next = page === null ? (rest(window) ?? following(nodes, window)) : { ...window, page }
    return next && writeCursor(next)
  }
  const answer = await shop.remote.request({
    method: 'GET',
    path: '/v3/orders',
    budget: 'list_orders',
    query: window.page === null ? questionOf(query, { ...window, status }) : queryIn(window.page),
  })
  if (isMissing(answer)) return { items: [], next: nextOf(null), total: null }
  // No more than ten thousand are returned of one window; whether they are counted or refused, it has to be smaller.
  const narrowed = (total: number | null) =>
    window.page === null ? halved(window, { total, now: nowOf(answer) }) : null
  const refusedOf = answer.status === 400 ? narrowed(Number.POSITIVE_INFINITY) : null
  if (refusedOf !== null) return { items: [], next: writeCursor(refusedOf), total: null }
  const list = fieldsIn(fieldsOf(bodyOf(answer)), 'list')
  const meta = fieldsIn(list, 'meta')
  const total = meta['totalCount'] == null ? null : numberIn(meta, 'totalCount')
  const elements = fieldsIn(list, 'elements')
  const rows = elements['order'] == null ? [] : recordsIn(elements, 'order')
  const smaller = narrowed(total)
  if (smaller !== null) return { items: [], next: writeCursor(smaller), total: null }
  return {
    items: rows,
    next: nextOf(rows.length === 0 ? null : maybeText(meta, 'nextCursor')),
    total: query.cursor === null && query.statuses.length === 0 && nodes.length === 1 ? total : null,
  }
}

const following = (nodes: readonly NodeType[], { node }: Window): Window | null => {
  const next = nodes[nodes.indexOf(node) + 1]
  return nodes.includes(node) && next ? firstWindow(next) : null
}

type Query = NonNullable<RemoteRequest['query']>

function questionOf(
  { updatedSince, limit }: ReadQuery,
  { node, from, to, status }: Window & { status: string | undefined },
): Query {
  return {
    createdStartDate: from,
    createdEndDate: to,
    // "After" leaves out the moment itself.
    lastModifiedStartDate: updatedSince === null ? null : secondBefore(updatedSince),
    status,
    shipNodeType: node,
    productInfo: 'true',
    replacementInfo: 'true',
    limit: Math.min(limit, maxOrders),
  }
}

const secondBefore = (time: string): string =>
  `${new Date(Date.parse(`${time.slice(0, 19)}Z`) - 1000).toISOString().slice(0, 19)}Z`

/** What a page names as the next one is a query, ready to be asked. */
const queryIn = (page: string): Query => Object.fromEntries(new URLSearchParams(page))

const nowOf = ({ headers }: RemoteAnswer): number | null => {
  const now = Date.parse(headers['date'] ?? '')
  return Number.isNaN(now) ? null : now
}
