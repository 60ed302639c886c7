import type { Orders } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { fieldsOf, maybeFields, maybeText, recordsIn } from '../../commerce/reading.ts'
import { type RemoteRequest, refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { bodyOf } from './ask.ts'
import { cancel } from './feeds/cancel-order.ts'
import { getOrder, includedDataOf, ordersPath } from './get-order.ts'
import { indexOrders } from './reports/order-index.ts'
import { isOutline, toOutline } from './reports/outline.ts'
import { returns } from './reports/returns.ts'
import { type AmazonFacts, type AmazonShop, type Credentials, marketplaceIdsOf, type Settings } from './settings.ts'
import { statuses, statusesFor } from './statuses.ts'
import { toOrder } from './translate-order.ts'

const maxOrders = 100

/** A time must be named, and nothing that old is returned any more. */
const theBeginning = '2010-01-01T00:00:00Z'

export const orders: Orders<Settings, Credentials> = {
  list: listOrders,
  get: getOrder,
  translate: (raw, facts) => (isOutline(raw) ? toOutline(raw, facts) : toOrder(raw, facts)),
  statuses: async () => statuses,
  cancel,
  index: (shop, window) => indexOrders(shop, window, daysOf(shop) ?? maxDays),
  horizon: daysOf,
  // What a seller has at first would take days at a page in three minutes, and single orders come at one in two seconds.
  outlines: { afterListing: 1000, atOnce: 15 },
  // By reports: at a page in three minutes the list is for what is new.
  comparison: { days: 30 },
  keepPersonalDataDays: 30,
  returns,
}

/** Orders are told for two years; in these countries for longer. */
function daysOf({ settings: { marketplace } }: AmazonFacts): number | null {
  return ['JP', 'AU', 'SG'].includes(marketplace) ? null : 2 * 365
}
const maxDays = 10 * 365

/**
 * A page is asked for with the question of the first and the token that came with the one before. Tokens live for a day:
 * with one that is gone the list begins anew, once.
 */
async function listOrders(shop: AmazonShop, query: ReadQuery): Promise<RawPage> {
  const wanted = statusesFor(query.statuses)
  const {
    settings: { fulfilled_by: by = 'merchant' },
  } = shop
  const asked = (token: string | null) => ({
    method: 'GET' as const,
    path: ordersPath,
    budget: 'search_orders',
    query: {
      lastUpdatedAfter: query.updatedSince === null ? theBeginning : `${query.updatedSince.slice(0, 19)}Z`,
      marketplaceIds: marketplaceIdsOf(shop).join(','),
      fulfillmentStatuses: wanted?.join(','),
      fulfilledBy: by === 'all' ? undefined : by.toUpperCase(),
      maxResultsPerPage: Math.min(query.limit, maxOrders),
      includedData: includedDataOf(shop),
      paginationToken: token,
    },
  })
  const { token, again } = query.cursor === null ? { token: null, again: false } : standingOf(query.cursor)
  const first = await shop.remote.request(asked(token))
  const restarts = first.status === 400 && token !== null && !again
  const body = fieldsOf(bodyOf(restarts ? await shop.remote.request(asked(null)) : first))
  const following = maybeText(maybeFields(body, 'pagination') ?? {}, 'nextToken')
  const rows = recordsIn(body, 'orders')
  return {
    items: rows,
    next: following === null ? null : `${restarts || again ? 'again' : 'first'}:${following}`,
    total: null,
  }
}

/** The smallest question about orders, with everything in it that is asked for when they are read. */
export const newestOrder = (shop: AmazonShop): RemoteRequest => ({
  method: 'GET',
  path: ordersPath,
  budget: 'search_orders',
  query: {
    lastUpdatedAfter: theBeginning,
    marketplaceIds: marketplaceIdsOf(shop).join(','),
    maxResultsPerPage: 1,
    includedData: includedDataOf(shop),
  },
})

function standingOf(cursor: string): { token: string; again: boolean } {
  const [, round, token] = /^(first|again):(.{1,4000})$/s.exec(cursor) ?? []
  if (!round || !token) throw refused(say('invalid_cursor'))
  return { token, again: round === 'again' }
}
