import { isFields } from '../reading.ts'
import { dolibarr } from './dialect-dolibarr.ts'
import type { DescribedPart } from './suggest-places.ts'

/**
 * How well-known kinds of services are asked, where the address of a list or the name of its key tells which it is. Only what
 * was tried on such a server; a trial shows whether it fits this one.
 */
export interface Dialect {
  name: string
  paging: Readonly<Record<string, unknown>>
  /** Where an answer has its list; the body itself if left out. */
  items?: string
  /** Where a single record is; the body itself if left out. */
  record?: string
  total?: string
  /** What goes with every list: `expanded` are places that have only ids until they are asked for. */
  query(expanded: readonly string[], part: DescribedPart): readonly { name: string; value: string }[]
  /** What of it goes with a single record. */
  single: readonly string[]
  /** What changed since; of several places the first that has something counts. */
  since(places: readonly string[], part: DescribedPart): unknown
  /** One record by what it has at a place. */
  find(place: string, value: string): readonly { name: string; value: string }[]
  method: 'PATCH' | 'PUT'
  /** What no name tells, such as numbers that stand for words: by its place, from the top of the description. */
  known?: Partial<Record<DescribedPart, Readonly<Record<string, unknown>>>>
  /** How levels are set, where that is not by a change of the article. */
  stock?(sku: string): {
    fields: object
    set: { method: string; path: string; body: readonly object[]; find: object }
  }
}

const directus: Dialect = {
  name: 'Directus',
  paging: { style: 'page', parameter: 'page', size_parameter: 'limit', size: 100 },
  items: 'data',
  record: 'data',
  total: 'meta.filter_count',
  query: (expanded) => [
    ...(expanded.length > 0
      ? [{ name: 'fields', value: ['*', ...expanded.map((place) => `${place}.*`)].join(',') }]
      : []),
    { name: 'meta', value: 'filter_count' },
    { name: 'sort', value: 'id' },
  ],
  single: ['fields'],
  since: (places) =>
    places.length === 1
      ? `filter[${places[0]}][_gte]`
      : { name: 'filter', template: `{"_or":[${places.map((place) => `{"${place}":{"_gte":"{since}"}}`).join(',')}]}` },
  find: (place, value) => [{ name: `filter[${place}][_eq]`, value }],
  method: 'PATCH',
}

const parse: Dialect = {
  name: 'Parse',
  paging: { style: 'offset', parameter: 'skip', size_parameter: 'limit', size: 100 },
  items: 'results',
  total: 'count',
  query: () => [
    { name: 'count', value: '1' },
    { name: 'order', value: 'createdAt,objectId' },
  ],
  single: [],
  since: ([place]) => ({ name: 'where', template: `{"${place}":{"$gte":{"__type":"Date","iso":"{since}"}}}` }),
  find: (place, value) => [{ name: 'where', value: `{"${place}":"${value}"}` }],
  method: 'PUT',
}

export function dialectOf(path: string, auth: unknown): Dialect | null {
  const key = isFields(auth) ? String(auth['name']) : ''
  if (key.toUpperCase() === 'DOLAPIKEY') return dolibarr
  if (/^\/items\/[^/]+$/.test(path)) return directus
  return /(^|\/)classes\/[^/]+$/.test(path) ? parse : null
}
