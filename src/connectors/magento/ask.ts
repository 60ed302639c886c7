import { type Fields, fieldsOf, isFields, numberIn, recordsIn } from '../../commerce/reading.ts'
import { type RemoteAnswer, type RemoteRequest, refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { chunks } from '../../lib/chunks.ts'
import { type MagentoShop, pathOf } from './settings.ts'

type Query = NonNullable<RemoteRequest['query']>

/** Field, condition, value. All of them must hold. */
export type Filter = readonly [
  field: string,
  condition: 'eq' | 'neq' | 'gt' | 'gteq' | 'lt' | 'in',
  value: string | number,
]

interface Search {
  filters?: readonly Filter[]
  /** Ascending. */
  sort?: readonly string[]
  /** Descending by this one field instead. */
  newestFirst?: string
  size: number
  page?: number
  /** The few fields that are wanted, as the platform writes them: `items[sku],total_count`. */
  fields?: string
}

/** The most that a shop gives at once where its limits are on is 300. */
export const maxPageSize = 100

export function criteria({ filters = [], sort = [], newestFirst, size, page = 1, fields }: Search): Query {
  const root = 'searchCriteria'
  const filterPairs = filters.flatMap(([field, condition, value], n) => {
    const at = `${root}[filterGroups][${n}][filters][0]`
    return [
      [`${at}[field]`, field],
      [`${at}[value]`, value],
      [`${at}[conditionType]`, condition],
    ]
  })
  const order = newestFirst ? [[newestFirst, 'DESC']] : sort.map((field) => [field, 'ASC'])
  const sortPairs = order.flatMap(([field, direction], n) => [
    [`${root}[sortOrders][${n}][field]`, field],
    [`${root}[sortOrders][${n}][direction]`, direction],
  ])
  return {
    ...Object.fromEntries([...filterPairs, ...sortPairs]),
    [`${root}[pageSize]`]: size,
    [`${root}[currentPage]`]: page,
    ...(fields ? { fields } : {}),
  }
}

interface Found {
  rows: readonly Fields[]
  total: number
}

/** Nothing but "no items" is null there. */
export async function search(shop: MagentoShop, path: string, query: Search): Promise<Found> {
  const answer = await shop.remote.request({ method: 'GET', path: pathOf(shop, path), query: criteria(query) })
  const body = fieldsOf(bodyIn(answer))
  return { rows: body['items'] == null ? [] : recordsIn(body, 'items'), total: numberIn(body, 'total_count') }
}

/** All that there are. Beyond the last page the platform gives the last one again, so that its count must end it. */
export async function searchAll(
  shop: MagentoShop,
  path: string,
  query: Omit<Search, 'size' | 'page'>,
): Promise<Fields[]> {
  const all: Fields[] = []
  for (let page = 1; ; page++) {
    const { rows, total } = await search(shop, path, { ...query, size: maxPageSize, page })
    all.push(...rows)
    if (rows.length === 0 || page * maxPageSize >= total) return all
  }
}

/** All with one of these values. Values are distinguished by commas, so that one with a comma is asked for by itself. */
export async function searchAny(
  shop: MagentoShop,
  path: string,
  { field, values, fields }: { field: string; values: readonly string[]; fields?: string },
): Promise<Fields[]> {
  const all: Fields[] = []
  const unique = [...new Set(values)]
  const alone = unique.filter((value) => value.includes(','))
  const together = unique.filter((value) => !value.includes(','))
  const filters: Filter[] = alone.map((value) => [field, 'eq', value])
  for (const some of chunks(together, maxPageSize)) filters.push([field, 'in', some.join(',')])
  for (const filter of filters) {
    all.push(...(await searchAll(shop, path, { filters: [filter], ...(fields ? { fields } : {}) })))
  }
  return all
}

/** The answer's body, or the shop's reason for not giving one. */
export function bodyIn({ status, body }: RemoteAnswer): unknown {
  if (status < 300) return body
  throw refused(saidIn(body) ?? rejected)
}

const rejected = say('rejected')

export const reasonIn = (body: unknown): string => saidIn(body) ?? rejected.text

/** Reasons have gaps, which are filled in beside them: by number or by name. */
function saidIn(body: unknown): string | null {
  const message = isFields(body) ? body['message'] : null
  if (!isFields(body) || typeof message !== 'string' || message === '') return null
  const given = body['parameters']
  const parameters = Array.isArray(given)
    ? given.map((value, n) => [`${n + 1}`, value])
    : Object.entries(isFields(given) ? given : {})
  return parameters.reduce((text, [name, value]) => text.replaceAll(`%${name}`, String(value)), message)
}

/** Only the platform's own word counts for "gone": a shop whose module is switched off answers 404 as well. */
export const isUnknown = ({ status, body }: RemoteAnswer): boolean =>
  status === 404 && !/any route/.test(reasonIn(body))

export const isUnknownRoute = ({ status, body }: RemoteAnswer): boolean =>
  status === 404 && /any route/.test(reasonIn(body))

export const isId = (text: string): boolean => /^\d{1,15}$/.test(text)
