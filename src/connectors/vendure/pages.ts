import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsIn, idIn, numberIn, recordsIn, timeIn } from '../../commerce/reading.ts'
import { listByTime } from '../../commerce/wire/time-pages.ts'
import { toTimestamp } from '../../lib/timestamp.ts'
import { ask } from './ask.ts'
import type { VendureShop } from './settings.ts'

const defaultPageSize = 100

/** A list of the server: the query that asks for it, the field it stands in, and which of it. */
export interface ServerList {
  query: string
  name: string
  filter?: Fields
}

export interface ServerPage extends RawPage {
  items: readonly Fields[]
}

/**
 * Pages by the time at which records were made: that never changes, whatever becomes of them, and they may drop out of the
 * filter while the list is read. By number, pages would slip then.
 */
export async function pageOf(
  shop: VendureShop,
  { query, name, filter = {} }: ServerList,
  { cursor, limit }: Pick<ReadQuery, 'cursor' | 'limit'>,
): Promise<ServerPage> {
  const size = Math.max(1, Math.min(limit, shop.settings.page_size ?? defaultPageSize))
  const list = {
    size,
    timeOf: (row: Fields) => timeIn(row, 'createdAt'),
    idOf: (row: Fields) => idIn(row, 'id'),
    async ask({ from, until, page }: { from: string | null; until: string | null; page: number }) {
      const createdAt = {
        ...(from === null ? {} : since(`${from}Z`)),
        ...(until === null ? {} : { before: `${until}Z` }),
      }
      const made = Object.keys(createdAt).length === 0 ? {} : { createdAt }
      const options = {
        take: size,
        skip: (page - 1) * size,
        sort: { createdAt: 'ASC', id: 'ASC' },
        filter: { ...filter, ...made },
      }
      const reported = fieldsIn(await ask(shop, query, { options }), name)
      return { rows: recordsIn(reported, 'items'), total: numberIn(reported, 'totalItems') }
    },
  }
  const { items, next, total } = await listByTime(list, { updatedSince: null, cursor })
  return { items: recordsIn({ items }, 'items'), next, total }
}

/** Those with these ids, in full. */
export async function byIds(
  shop: VendureShop,
  { query, name }: ServerList,
  ids: readonly string[],
): Promise<readonly Fields[]> {
  if (ids.length === 0) return []
  const options = { take: ids.length, filter: { id: { in: ids } }, sort: { createdAt: 'ASC', id: 'ASC' } }
  return recordsIn(fieldsIn(await ask(shop, query, { options }), name), 'items')
}

/** At this time or later: the server means strictly after. */
export const since = (time: string): { after: string } => ({ after: toTimestamp(new Date(Date.parse(time) - 1)) })
