import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, idIn } from '../../commerce/reading.ts'
import { toLocalTime } from '../../commerce/wire/local-time.ts'
import { listByTime, type Span, secondsFrom } from '../../commerce/wire/time-pages.ts'
import { listRecords, needed } from './ask.ts'
import { type PrestaShop, zoneOf } from './settings.ts'

export const maxPageSize = 50

const written = (second: string) => second.replace('T', ' ')
const never = '2099-12-31 23:59:59'
const lastId = 2_147_483_647

/**
 * Records with `date_upd`, oldest change first. All of it is in the shop's own time, as if that were Greenwich's: only
 * where we begin is translated.
 */
export function listChanged(
  shop: PrestaShop,
  resource: string,
  { updatedSince, cursor, limit, display }: Pick<ReadQuery, 'updatedSince' | 'cursor' | 'limit'> & { display?: string },
): Promise<RawPage> {
  const size = Math.min(limit, maxPageSize)
  const ask = async ({ from, until, after }: Span) => {
    // Both ends are inclusive there.
    const end = until === null ? never : written(secondsFrom(until, -1))
    const filters = {
      ...(from === null ? {} : { date_upd: `[${written(from)},${end}]` }),
      ...(after === null ? {} : { id: `[${Number(after) + 1},${lastId}]` }),
    }
    const rows = await listRecords(shop, resource, {
      filters,
      sort: ['date_upd', 'id'],
      size,
      ...(display ? { display } : {}),
    })
    return { rows, total: null }
  }
  const list = {
    size,
    ask,
    timeOf: (row: Fields) => `${needed(row, 'date_upd').replace(' ', 'T')}.000000Z`,
    idOf: (row: Fields) => idIn(row, 'id'),
  }
  const since = updatedSince === null ? null : `${toLocalTime(updatedSince, zoneOf(shop))}Z`
  return listByTime(list, { updatedSince: since, cursor })
}
