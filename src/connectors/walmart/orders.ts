import type { Orders, RawPage, ReadQuery } from '../../commerce/connector.ts'
import { fieldsIn, fieldsOf, maybeText, numberIn, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import { cancelLinesOnce } from '../../commerce/wire/refund-once.ts'
import { bodyOf, isMissing } from './ask.ts'
import { callOff, cancel } from './cancel-order.ts'
import { getOrder } from './get-order.ts'
import { firstWindow, halved, readCursor, rest, type Window, writeCursor } from './order-windows.ts'
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
}

const maxOrders = 200
const nodeTypes = { seller: 'SellerFulfilled', walmart: 'WFSFulfilled', third_party: '3PLFulfilled' } as const

/**
 * Window by window of when orders were placed, oldest first; within one, page by page as each page names the next. Without
 * a window only the orders of the last seven days would come.
 */
async function listOrders(shop: WalmartShop, query: ReadQuery): Promise<RawPage> {
  const status = statusFor(query.statuses)
  const window = query.cursor === null ? firstWindow : readCursor(query.cursor)
  const answer = await shop.remote.request({
    method: 'GET',
    path: '/v3/orders',
    budget: 'list_orders',
    query: window.page === null ? questionOf(shop, query, { ...window, status }) : queryIn(window.page),
  })
  if (isMissing(answer)) return { items: [], next: nextOf(window, null), total: null }
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
    next: nextOf(window, rows.length === 0 ? null : maybeText(meta, 'nextCursor')),
    total: query.cursor === null && query.statuses.length === 0 ? total : null,
  }
}

function nextOf(window: Window, page: string | null): string | null {
  const next = page === null ? rest(window) : { ...window, page }
  return next && writeCursor(next)
}

type Query = NonNullable<RemoteRequest['query']>

function questionOf(
  { settings: { fulfilled_by: by = 'seller' } }: WalmartShop,
  { updatedSince, limit }: ReadQuery,
  { from, to, status }: Window & { status: string | undefined },
): Query {
  return {
    createdStartDate: from,
    createdEndDate: to,
    // "After" leaves out the moment itself.
    lastModifiedStartDate: updatedSince === null ? null : secondBefore(updatedSince),
    status,
    shipNodeType: nodeTypes[by],
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
