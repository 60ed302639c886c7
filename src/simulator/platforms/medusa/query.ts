import { type Moment, momentOf } from '../../clock.ts'
import type { Answer, Call } from '../../http/call.ts'
import type { Fields } from '../../json.ts'
import { answer } from '../../world.ts'
import { selectFields } from './select-fields.ts'

export const no = (status: number, type: string, message: string): Answer => answer(status, { type, message })
export const notFound = (message: string) => no(404, 'not_found', message)
export const notAllowed = (message: string) => no(400, 'not_allowed', message)
export const invalid = (message: string) => no(400, 'invalid_data', message)
export const broken = (status = 500) =>
  answer(status, { code: 'unknown_error', type: 'unknown_error', message: 'An unknown error occurred.' })

/** At or after, and before. */
export interface TimeSpan {
  from: Moment | null
  before: Moment | null
}

export interface ListQuery {
  limit: number
  offset: number
  /** What it is sorted by. */
  order: string
  backwards: boolean
  fields: string | null
  created: TimeSpan | null
  updated: TimeSpan | null
  /** `id[]=…` and `variants[sku]=…` by their first name; a list is any of them. */
  words: ReadonlyMap<string, readonly string[]>
}

/** What nobody knows is not looked at; what cannot be read is refused, or breaks the server. */
export function readQuery({ query }: Call, filters: readonly string[]): ListQuery | Answer {
  const spans = new Map<string, TimeSpan>()
  const words = new Map<string, readonly string[]>()
  for (const [name, value] of query) {
    const [, first = name, inner = ''] = /^([^[]+)(?:\[([^\]]*)\])?$/.exec(name) ?? []
    if (['limit', 'offset', 'order', 'fields'].includes(name)) continue
    if (first === 'created_at' || first === 'updated_at') {
      const at = toMillisecond(momentOf(value))
      if (at === null) return broken()
      const known = spans.get(first) ?? { from: null, before: null }
      spans.set(first, inner === '$gte' ? { ...known, from: at } : { ...known, before: at })
    } else if (filters.includes(first)) words.set(first, [...(words.get(first) ?? []), value])
  }
  const sort = query.get('order') ?? 'id'
  const [limit, offset] = [Number(query.get('limit') ?? 50), Number(query.get('offset') ?? 0)]
  if (!Number.isInteger(limit) || !Number.isInteger(offset))
    return invalid("Invalid request: Expected type: 'number' for field 'limit'")
  return {
    ...{ limit, offset, order: sort.replace(/^-/, ''), backwards: sort.startsWith('-'), fields: query.get('fields') },
    ...{ created: spans.get('created_at') ?? null, updated: spans.get('updated_at') ?? null, words },
  }
}

/** Times are compared as they are shown, so a bound within a millisecond is the next one. */
const toMillisecond = (moment: Moment | null): Moment | null =>
  moment === null ? null : Math.ceil(moment / 1000) * 1000

export const isQuery = (read: ListQuery | Answer): read is ListQuery => 'words' in read

export const isWithin = (moment: Moment, span: TimeSpan | null): boolean =>
  span === null || ((span.from === null || moment >= span.from) && (span.before === null || moment < span.before))

/** A page of a list, each record with no more than was asked for. */
export const pageOf = (name: string, rows: readonly Fields[], count: number, query: ListQuery): Answer =>
  answer(200, {
    [name]: rows.map((row) => selectFields(row, query.fields)),
    ...{ count, offset: query.offset, limit: query.limit },
  })

/** A record of a list that is short enough to be looked through. */
export interface Entry {
  id: string
  created: Moment
  updated: Moment
  skus: readonly string[]
  view(): Fields
}

export function pageAmong(name: string, entries: readonly Entry[], query: ListQuery): Answer {
  const { words, created, updated, order, offset, limit } = query
  const asked = (what: string, values: readonly string[]) =>
    words.get(what)?.some((word) => values.includes(word)) ?? true
  const found = entries.filter(
    (one) =>
      isWithin(one.created, created) &&
      isWithin(one.updated, updated) &&
      asked('id', [one.id]) &&
      asked('sku', one.skus) &&
      asked('variants', one.skus),
  )
  const key = (one: Entry) => (order === 'created_at' ? one.created : order === 'updated_at' ? one.updated : 0)
  const sorted = found.sort((a, b) => key(a) - key(b) || (a.id < b.id ? -1 : 1))
  if (query.backwards) sorted.reverse()
  const rows = sorted.slice(offset, offset + limit).map((one) => one.view())
  return pageOf(name, rows, found.length, query)
}
