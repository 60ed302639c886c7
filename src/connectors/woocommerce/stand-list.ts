import type { Fields } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'

/** Before 5.8 a site refuses to sort by the last change, or does not look at its time. */
export type Age = 'refuses' | 'ignores' | 'new'

export const answer = (body: unknown, status = 200, headers: Record<string, string> = {}): RemoteAnswer => ({
  status,
  headers,
  body,
})

export const refusal = (status: number, code: string, message: string, data: Fields = {}) =>
  answer({ code, message, data: { status, ...data } }, status)

export const noRoute = () => refusal(404, 'rest_no_route', 'No route was found matching the URL and request method.')

const invalid = (name: string) =>
  refusal(400, 'rest_invalid_param', `Invalid parameter(s): ${name}`, { params: { [name]: 'It is not allowed.' } })

const changed = (row: Fields) => String(row['date_modified_gmt'])
const compare = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)

/** A list as the platform gives it. */
export function listOf(
  rows: readonly Fields[],
  query: Fields,
  { age, times }: { age: Age; times: boolean },
): RemoteAnswer {
  const size = Number(query['per_page'] ?? 10)
  const order = String(query['orderby'] ?? 'date')
  if (size > 100) return invalid('per_page')
  const known = ['date', 'id', 'include', 'title', 'slug', ...(age === 'refuses' ? [] : ['modified'])]
  if (!known.includes(order)) return invalid('orderby')
  const [after, before] = times && age === 'new' ? [query['modified_after'], query['modified_before']] : []
  const skus = typeof query['sku'] === 'string' ? query['sku'].split(',') : null
  const all = rows
    .filter((row) => typeof after !== 'string' || changed(row) > after)
    .filter((row) => typeof before !== 'string' || changed(row) < before)
    .filter((row) => typeof query['status'] !== 'string' || row['status'] === query['status'])
    .filter((row) => typeof query['type'] !== 'string' || row['type'] === query['type'])
    .filter((row) => skus === null || skus.includes(String(row['sku'])))
    .toSorted(
      (a, b) => (order === 'modified' && compare(changed(a), changed(b))) || compare(Number(a['id']), Number(b['id'])),
    )
  if (query['order'] === 'desc') all.reverse()
  const start = query['offset'] === undefined ? (Number(query['page'] ?? 1) - 1) * size : Number(query['offset'])
  const names = typeof query['_fields'] === 'string' ? query['_fields'].split(',') : null
  const shown = all
    .slice(start, start + size)
    .map((row) => structuredClone(names ? Object.fromEntries(names.map((name) => [name, row[name]])) : row))
  const pages = String(Math.ceil(all.length / size))
  return answer(shown, 200, { 'x-wp-total': String(all.length), 'x-wp-totalpages': pages })
}
