import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, idIn, timeIn } from '../../commerce/reading.ts'
import { listByTime } from '../../commerce/wire/time-pages.ts'
import { type Filter, maxPageSize, search } from './ask.ts'
import type { MagentoShop } from './settings.ts'

/** Times there are of Greenwich and to the second. */
export const written = (second: string) => second.replace('T', ' ')

/** Records with `updated_at`, oldest change first. */
export const listChanged = (
  shop: MagentoShop,
  path: string,
  {
    idField,
    filters = [],
    fields,
    ...query
  }: Pick<ReadQuery, 'updatedSince' | 'cursor' | 'limit'> & {
    /** What its id is called in records; in searches it is always the same. */
    idField: 'entity_id' | 'id'
    filters?: readonly Filter[]
    fields?: string
  },
): Promise<RawPage> => {
  const size = Math.min(query.limit, maxPageSize)
  const list = {
    size,
    timeOf: (row: Fields) => timeIn(row, 'updated_at'),
    idOf: (row: Fields) => idIn(row, idField),
    ask: async ({ from, until, after }: { from: string | null; until: string | null; after: string | null }) => {
      const times: Filter[] = [
        ...(from === null ? [] : [['updated_at', 'gteq', written(from)] as const]),
        ...(until === null ? [] : [['updated_at', 'lt', written(until)] as const]),
        ...(after === null ? [] : [['entity_id', 'gt', after] as const]),
      ]
      const sort = ['updated_at', 'entity_id']
      const found = await search(shop, path, {
        filters: [...times, ...filters],
        sort,
        size,
        ...(fields ? { fields } : {}),
      })
      // Within a second we go by id, and what is left of it grows less.
      return { rows: found.rows, total: until === null ? found.total : null }
    },
  }
  return listByTime(list, query)
}
