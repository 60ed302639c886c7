import { type Answer, answer, type Call, isAnswer } from '../../http/route.ts'
import { type Fields, fieldsOf } from '../../json.ts'
import { compare, sortedBy } from '../../rows.ts'

export const refusal = (status: number, message: string, parameters?: unknown): Answer =>
  answer(status, { message, ...(parameters === undefined ? {} : { parameters }) })

export const noRoute = () => refusal(404, 'Request does not match any route.')
export const noEntity = () =>
  refusal(404, "The entity that was requested doesn't exist. Verify the entity and try again.")

interface Filter {
  field: string
  condition: string
  value: string
}

/** All groups must hold; of the filters of a group one. */
export interface Criteria {
  groups: readonly (readonly Filter[])[]
  sorts: readonly string[]
  size: number
  page: number
}

const maxSize = 300
const filterPattern = /^searchCriteria\[filter_?groups\]\[(\d+\]\[filters\]\[\d+)\]\[(\w+)\]$/i
const sortPattern = /^searchCriteria\[sort_?orders\]\[(\d+)\]\[(\w+)\]$/i

/** Searches come in the query, piece by piece; both ways to write a name are taken. */
export function criteriaIn({ query }: Call): Criteria | Answer {
  const size = Number(query.get('searchCriteria[pageSize]') ?? 20)
  if (size > maxSize) return refusal(400, 'Maximum SearchCriteria pageSize is %max', { max: maxSize })
  const filters = partsIn(query, filterPattern).map(([at, { field = '', value = '', conditionType = 'eq' }]) => ({
    ...{ group: Number.parseInt(at, 10), field, value, condition: conditionType },
  }))
  return {
    groups: Object.values(Object.groupBy(filters, ({ group }) => group)).map((group = []) => group),
    sorts: partsIn(query, sortPattern).map(([, { field = '' }]) => field),
    ...{ size, page: Math.max(1, Number(query.get('searchCriteria[currentPage]') ?? 1)) },
  }
}

/** What the query says of each thing that the pattern names first; its second part is the name of a property. */
function partsIn(query: URLSearchParams, pattern: RegExp): [at: string, part: Record<string, string>][] {
  const parts = new Map<string, Record<string, string>>()
  for (const [key, value] of query) {
    const [, at = '', name = ''] = pattern.exec(key) ?? []
    if (name !== '') parts.set(at, { ...parts.get(at), [name]: value })
  }
  return [...parts]
}

/** Whether a record is within what was searched for. */
export const isFound = (groups: Criteria['groups'], held: (field: string) => unknown): boolean =>
  groups.every((group) => group.some((filter) => holds(filter, held(filter.field))))

function holds({ condition, value }: Filter, held: unknown): boolean {
  const order = compare(held, value)
  const tests: Readonly<Record<string, boolean | undefined>> = {
    ...{ eq: order === 0, neq: order !== 0, gt: order > 0, gteq: order >= 0, lt: order < 0 },
    in: value.split(',').includes(String(held)),
  }
  return tests[condition] ?? false
}

/** How many to skip. Beyond the last page there is the last one again. */
export const offsetWithin = ({ page, size }: Criteria, total: number): number =>
  (Math.min(page, Math.max(1, Math.ceil(total / size))) - 1) * size

/** A page as it goes out: `fields=items[a,b],total_count` leaves the rest away. */
export function found({ query }: Call, { size, page }: Criteria, items: readonly object[], total_count: number) {
  const search_criteria = { request_name: '', filter_groups: [], page_size: size, current_page: page }
  const body = { items, search_criteria, total_count }
  const fields = query.get('fields')
  if (fields === null) return answer(200, body)
  const inner = /items\[([^\]]*)\]/.exec(fields)?.[1]?.split(',') ?? []
  const pick = (row: object, names: readonly string[]) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)))
  const trimmed = { ...body, items: items.map((row) => pick(row, inner)) }
  return answer(200, pick(trimmed, fields.replace(/\[[^\]]*\]/g, '').split(',')))
}

const fieldIn = (row: unknown, field: string): unknown => fieldsOf(row)[field]

/** A search among records that are all at hand; only those shown are made. */
export function searchAmong<T>(
  call: Call,
  rows: readonly T[],
  view: (row: T) => Fields,
  held: (row: T, field: string) => unknown = fieldIn,
): Answer {
  const criteria = criteriaIn(call)
  if (isAnswer(criteria)) return criteria
  const all = rows.filter((row) => isFound(criteria.groups, (field) => held(row, field)))
  const first = offsetWithin(criteria, all.length)
  const page = sortedBy(all, criteria.sorts, held).slice(first, first + criteria.size)
  return found(call, criteria, page.map(view), all.length)
}
