import type { Answer, Call } from '../../http/call.ts'
import { type Fields, listOf } from '../../json.ts'
import { answer } from '../../world.ts'

export const refusal = (status: number, message: string, parameters?: unknown): Answer =>
  answer(status, { message, ...(parameters === undefined ? {} : { parameters }) })

export const noRoute = () => refusal(404, 'Request does not match any route.')
export const noEntity = () =>
  refusal(404, "The entity that was requested doesn't exist. Verify the entity and try again.")

export interface Filter {
  field: string
  condition: string
  value: string
}

/** All groups must hold; of the filters of a group one. */
export interface Criteria {
  groups: readonly (readonly Filter[])[]
  sorts: readonly { field: string; descending: boolean }[]
  size: number
  page: number
}

const maxSize = 300

/** Searches come in the query, piece by piece; both ways to write a name are taken. */
export function criteriaIn({ query }: Call): Criteria | Answer {
  const groups = new Map<string, Map<string, Record<string, string>>>()
  const sorts = new Map<string, Record<string, string>>()
  for (const [key, value] of query) {
    const filter = /^searchCriteria\[filter_?groups\]\[(\d+)\]\[filters\]\[(\d+)\]\[(\w+)\]$/i.exec(key)
    const sort = /^searchCriteria\[sort_?orders\]\[(\d+)\]\[(\w+)\]$/i.exec(key)
    if (filter) put(put(groups, filter[1] ?? '', new Map()), filter[2] ?? '', {})[filter[3] ?? ''] = value
    if (sort) put(sorts, sort[1] ?? '', {})[sort[2] ?? ''] = value
  }
  const parameter = (name: string) =>
    query.get(`searchCriteria[${name}]`) ??
    query.get(`searchCriteria[${name.replace(/[A-Z]/, (sign) => `_${sign.toLowerCase()}`)}]`)
  const size = Number(parameter('pageSize') ?? 20)
  if (size > maxSize) return refusal(400, 'Maximum SearchCriteria pageSize is %max', { max: maxSize })
  return {
    groups: [...groups.values()].map((group) =>
      [...group.values()].map(({ field = '', value = '', conditionType, condition_type }) => ({
        ...{ field, value, condition: conditionType ?? condition_type ?? 'eq' },
      })),
    ),
    sorts: [...sorts.values()].map(({ field = '', direction }) => ({ field, descending: direction !== 'ASC' })),
    ...{ size, page: Math.max(1, Number(parameter('currentPage') ?? 1)) },
  }
}

function put<T>(map: Map<string, T>, key: string, fresh: T): T {
  const value = map.get(key) ?? fresh
  map.set(key, value)
  return value
}

export const isAnswer = (made: object): made is Answer => 'status' in made

export const compare = (held: unknown, value: unknown): number => {
  const [x, y] = typeof held === 'number' ? [held, Number(value)] : [String(held), String(value)]
  return x < y ? -1 : x > y ? 1 : 0
}

export function holds({ condition, value }: Filter, held: unknown): boolean {
  const order = compare(held, value)
  const tests: Readonly<Record<string, boolean | undefined>> = {
    ...{ eq: order === 0, neq: order !== 0, gt: order > 0, gteq: order >= 0, lt: order < 0, lteq: order <= 0 },
    in: value.split(',').includes(String(held)),
    nin: !value.split(',').includes(String(held)),
    like: String(held).includes(value.replaceAll('%', '')),
    null: held === null || held === undefined,
    notnull: held !== null && held !== undefined,
  }
  return tests[condition] ?? false
}

/** Beyond the last page there is the last one again. */
export const pageWithin = ({ page, size }: Criteria, total: number): number =>
  Math.min(page, Math.max(1, Math.ceil(total / size)))

/** A page as it goes out: `fields=items[a,b],total_count` leaves the rest away. */
export function found(call: Call, { size, page }: Criteria, items: readonly object[], total: number): Answer {
  const body: Fields = {
    ...{ items, search_criteria: { request_name: '', filter_groups: [], page_size: size, current_page: page } },
    total_count: total,
  }
  const fields = call.query.get('fields')
  if (fields === null) return answer(200, body)
  const inner = /items\[([^\]]*)\]/.exec(fields)?.[1]?.split(',')
  const outer = fields.replace(/\[[^\]]*\]/g, '').split(',')
  const pick = (row: object, names: readonly string[]) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)))
  const trimmed = { ...body, items: inner ? listOf(items).map((row) => pick(Object(row), inner)) : items }
  return answer(200, pick(trimmed, outer))
}

/** A search among records that are all at hand; only those shown are made. */
export function searchAmong<T>(
  call: Call,
  rows: readonly T[],
  { held, view }: { held(row: T, field: string): unknown; view(row: T): object },
): Answer {
  const criteria = criteriaIn(call)
  if (isAnswer(criteria)) return criteria
  const all = rows.filter((row) =>
    criteria.groups.every((group) => group.some((filter) => holds(filter, held(row, filter.field)))),
  )
  const by = criteria.sorts.map(({ field, descending }) => (a: T, b: T) => {
    const order = compare(held(a, field), held(b, field))
    return descending ? -order : order
  })
  all.sort((a, b) => by.map((order) => order(a, b)).find((order) => order !== 0) ?? 0)
  const first = (pageWithin(criteria, all.length) - 1) * criteria.size
  return found(call, criteria, all.slice(first, first + criteria.size).map(view), all.length)
}
