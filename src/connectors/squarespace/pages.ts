import type { ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, isFields, maybeText } from '../../commerce/reading.ts'
import { type RemoteRequest, refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { ask, rowsIn } from './ask.ts'
import type { SquareShop } from './settings.ts'

/** A list that is turned by cursors. Whatever was asked for on its first page is in them. */
export interface CursorList {
  path: string
  /** Where its rows are. */
  rows: string
  /** What rows are known by. */
  id: string
  first: NonNullable<RemoteRequest['query']>
}

/** The platform's own cursor, and the last row that was given of its page; null where that is the page before. */
interface Place {
  cursor: string | null
  after: string | null
}

/**
 * Pages hold fifty, whoever wants fewer: the rest of a page is read again, from behind the last row that was given. If that has
 * left the page meanwhile, the page is given once more, and nothing is passed over.
 */
export async function turn(
  shop: SquareShop,
  { path, rows: name, id, first }: CursorList,
  { cursor, limit }: Pick<ReadQuery, 'cursor' | 'limit'>,
): Promise<{ items: readonly Fields[]; next: string | null }> {
  const place = placeOf(cursor)
  const body = await ask(shop, { path, query: place.cursor === null ? first : { cursor: place.cursor } })
  const rows = rowsIn(body, name)
  const begin = place.after === null ? 0 : rows.findIndex((row) => row[id] === place.after) + 1
  const end = begin + Math.max(1, limit)
  const items = rows.slice(begin, end)
  const last = items.at(-1)
  const next = end < rows.length && last ? { cursor: place.cursor, after: maybeText(last, id) } : nextIn(body, place)
  return { items, next: next && write(next) }
}

function nextIn(body: Fields, { cursor: now }: Place): Place | null {
  const pagination = isFields(body['pagination']) ? body['pagination'] : {}
  if (pagination['hasNextPage'] !== true) return null
  const cursor = maybeText(pagination, 'nextPageCursor')
  if (cursor === null || cursor === now) throw refused(say('no_next_page', { platform: 'Squarespace' }))
  return { cursor, after: null }
}

const write = ({ cursor, after }: Place): string => `${after ?? ''}|${cursor ?? ''}`

/** Cursors come back from callers, who may have written anything into them. */
function placeOf(cursor: string | null): Place {
  if (cursor === null) return { cursor: null, after: null }
  const [, after, theirs] = /^([\w-]{0,64})\|([^|\s]{0,4000})$/.exec(cursor) ?? []
  if (after === undefined || theirs === undefined) throw refused(say('invalid_cursor'))
  return { cursor: theirs === '' ? null : theirs, after: after === '' ? null : after }
}

/** Both times have to be told, and none of what lies ahead is left out. */
const theEnd = '2100-01-01T00:00:00.000Z'

/** What changed since, and a little more: whether the moment itself belongs to it is not written down. */
export const changedSince = (since: string | null): CursorList['first'] =>
  since === null ? {} : { modifiedAfter: new Date(Date.parse(since) - 1).toISOString(), modifiedBefore: theEnd }

/** One whose time cannot be read is for the translator to set aside. */
export function isSince(row: Fields, since: string | null): boolean {
  const at = Date.parse(String(row['modifiedOn']))
  return since === null || Number.isNaN(at) || at >= Math.floor(Date.parse(since))
}
