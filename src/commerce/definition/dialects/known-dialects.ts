import { isFields } from '../../reading.ts'
import type { Dialect } from './dialect.ts'
import { dolibarr } from './dolibarr.ts'

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
