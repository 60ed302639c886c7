import type { Orders } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, maybeText, numberIn, recordsIn, textIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { listByTime, type Span } from '../../commerce/wire/time-pages.ts'
import { say } from '../../commerce/words/say.ts'
import { search } from './ask.ts'
import { cancel, cancelLines } from './cancel-order.ts'
import { getOrder, getOrders } from './get-order.ts'
import { returns } from './refunds/read-returns.ts'
import type { Credentials, Settings, TikTokShop } from './settings.ts'
import { statuses } from './statuses.ts'
import { changedAt, toOrder } from './translate-order.ts'

const maxOrders = 100

/** Orders cannot be made from outside: there is no such request. */
export const orders: Orders<Settings, Credentials> = {
  list: listOrders,
  get: getOrder,
  getSeveral: getOrders,
  translate: toOrder,
  statuses: async () => statuses,
  cancel,
  cancelLines,
  returns,
}

async function listOrders(shop: TikTokShop, query: ReadQuery): Promise<RawPage> {
  const size = Math.min(Math.max(query.limit, 1), maxOrders - 1)
  const list = { size, idOf: (order: Fields) => textIn(order, 'id'), timeOf: changedAt }
  return await listByTime(
    { ...list, ask: (span) => (span.until === null ? onward(shop, span, size) : within(shop, span, size)) },
    query,
  )
}

const secondsOf = (second: string | null): number | undefined =>
  second === null ? undefined : Date.parse(`${second}Z`) / 1000

async function page(
  shop: TikTokShop,
  { from, until }: Pick<Span, 'from' | 'until'>,
  size: number,
  token: string | null,
) {
  const data = await search(
    shop,
    '/order/202309/orders/search',
    { page_size: size, sort_field: 'update_time', sort_order: 'ASC', page_token: token },
    { update_time_ge: secondsOf(from), update_time_lt: secondsOf(until) },
  )
  // Where nothing was found there is no list.
  const rows = data['orders'] == null ? [] : recordsIn(data, 'orders')
  const total = data['total_count'] == null ? null : numberIn(data, 'total_count')
  return { rows, total, next: maybeText(data, 'next_page_token') }
}

/**
 * One that changes while it is searched for shows its new time in its old place. As the last of a page it would hide all
 * those in between: so one more is asked for than is taken, and the latest is left to the next page.
 */
async function onward(shop: TikTokShop, span: Span, size: number) {
  const { rows, total } = await page(shop, span, size + 1, null)
  const sorted = rows.toSorted((a, b) => numberIn(a, 'update_time') - numberIn(b, 'update_time'))
  return { rows: sorted.slice(0, size), total }
}

/** More than ten thousand orders change in no second; cursors come back from callers. */
const maxPages = 1000

/** Of a second that holds more than a page: tokens lead from one page to the next, and to no other. */
async function within(shop: TikTokShop, span: Span, size: number) {
  if (span.page > maxPages) throw refused(say('invalid_cursor'))
  let found = await page(shop, span, size, null)
  for (let number = 1; number < span.page && found.next !== null; number++) {
    found = await page(shop, span, size, found.next)
  }
  return { rows: found.rows, total: found.total }
}
