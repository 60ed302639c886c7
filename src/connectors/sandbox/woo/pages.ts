import type { RawPage, ReadQuery } from '../../../commerce/connector.ts'
import { arrayIn, bodyOf, type Fields, fieldsOf, idIn, isFields, textIn, timeOf } from '../../../commerce/reading.ts'
import type { RemoteRequest } from '../../../commerce/remote.ts'
import type { SandboxShop } from '../settings.ts'

/**
 * Lists by page number lose a record whenever one that was read already moves to the end. So every page is a first page:
 * of what changed at or after the last second of the page before, less those of that second that were read already. Only
 * where a single second has more than a page is it read by page number, alone, and anew if anything leaves it meanwhile.
 */
type Place =
  | { kind: 'from'; second: string | null; seen: readonly string[] }
  | { kind: 'within'; second: string; page: number; total: number }

const most = 100

/** Records that have `id` and `date_modified_gmt`. */
export async function listChanged(
  shop: SandboxShop,
  path: string,
  { updatedSince, cursor, limit }: Pick<ReadQuery, 'updatedSince' | 'cursor' | 'limit'>,
): Promise<RawPage> {
  const size = Math.min(limit, most)
  const asked = async (query: NonNullable<RemoteRequest['query']>): Promise<Answered> => {
    const common = { orderby: 'modified', order: 'asc', dates_are_gmt: true, per_page: size }
    const answer = await shop.remote.request({ method: 'GET', path, query: { ...common, ...query } })
    const rows = arrayIn({ rows: bodyOf(answer) }, 'rows').map(fieldsOf)
    return { rows, total: Number.parseInt(answer.headers['x-wp-total'] ?? '0', 10) }
  }
  const within = async (second: string, page: number, total: number | null): Promise<RawPage> => {
    const span = { modified_after: secondsFrom(second, -1), modified_before: secondsFrom(second, 1) }
    const read = await asked({ ...span, page })
    // Something has left, so that others have moved to pages that were read before.
    if (total !== null && read.total !== total && page > 1) return await within(second, 1, null)
    const rest: Place =
      page * size < read.total
        ? { kind: 'within', second, page: page + 1, total: read.total }
        : { kind: 'from', second: secondsFrom(second, 1), seen: [] }
    return { items: read.rows, next: write(rest), total: null }
  }

  const place = cursor === null ? firstPlace(updatedSince) : read(cursor)
  if (place.kind === 'within') return await within(place.second, place.page, place.total)
  const { second, seen } = place
  const { rows, total } = await asked(second === null ? {} : { modified_after: secondsFrom(second, -1) })
  const items = rows.filter((row) => !seen.includes(idIn(row, 'id')))
  const told = cursor === null ? total : null
  const first = rows[0]
  const last = rows.at(-1)
  if (rows.length < size || !first || !last) return { items, next: null, total: told }
  const end = secondOf(last)
  if (secondOf(first) === end) return { ...(await within(end, 1, null)), total: told }
  const ids = rows.filter((row) => secondOf(row) === end).map((row) => idIn(row, 'id'))
  return { items, next: write({ kind: 'from', second: end, seen: ids }), total: told }
}

interface Answered {
  rows: readonly Fields[]
  total: number
}

const secondOf = (row: Fields): string => timeOf(textIn(row, 'date_modified_gmt')).slice(0, 19)

const firstPlace = (since: string | null): Place => ({
  kind: 'from',
  second: since === null ? null : new Date(since).toISOString().slice(0, 19),
  seen: [],
})

const secondsFrom = (second: string, seconds: number): string =>
  new Date(Date.parse(`${second}Z`) + seconds * 1000).toISOString().slice(0, 19)

const write = (place: Place): string =>
  place.kind === 'within'
    ? ['w', place.second, place.page, place.total].join('|')
    : ['f', place.second ?? '', place.seen.join(',')].join('|')

/** Cursors come back from callers, who may have written anything into them. */
function read(cursor: string): Place {
  const [kind, second = '', third = '', fourth = ''] = cursor.split('|')
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(second)) return firstPlace(null)
  if (kind === 'w') return { kind: 'within', second, page: Number(third) || 1, total: Number(fourth) || 0 }
  return { kind: 'from', second, seen: third === '' ? [] : third.split(',') }
}

/** All records of a list that is short. */
export async function listAll(shop: SandboxShop, path: string): Promise<readonly Fields[]> {
  const all: Fields[] = []
  for (let page = 1; ; page++) {
    const answer = await shop.remote.request({ method: 'GET', path, query: { per_page: most, page } })
    const rows = arrayIn({ rows: bodyOf(answer) }, 'rows').filter(isFields)
    all.push(...rows)
    if (rows.length < most) return all
  }
}
