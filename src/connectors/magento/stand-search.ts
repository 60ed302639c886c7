import type { Fields } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'

export const answer = (body: unknown, status = 200): RemoteAnswer => ({ status, headers: {}, body })
export const refusal = (status: number, message: string, parameters?: unknown) =>
  answer({ message, ...(parameters === undefined ? {} : { parameters }) }, status)

const compare = (a: unknown, b: unknown): number => {
  const [x, y] = typeof a === 'number' ? [a, Number(b)] : [String(a), String(b)]
  return x < y ? -1 : x > y ? 1 : 0
}

const holds = (condition: string, held: unknown, value: unknown): boolean => {
  if (condition === 'in') return String(value).split(',').includes(String(held))
  const order = compare(held, value)
  const tests: Record<string, boolean> = {
    eq: order === 0,
    neq: order !== 0,
    gt: order > 0,
    gteq: order >= 0,
    lt: order < 0,
  }
  const outcome = tests[condition]
  if (outcome === undefined) throw new Error(`There is no condition "${condition}".`)
  return outcome
}

/** A search as the platform carries it out: groups are all to hold, and beyond the last page there is the last one. */
export function searchIn(
  rows: readonly Fields[],
  query: Fields,
  idField: 'entity_id' | 'id' | 'attribute_id',
): RemoteAnswer {
  const heldIn = (row: Fields, field: unknown) => row[field === 'entity_id' ? idField : String(field)]
  const asked = (name: string) => query[`searchCriteria[${name}]`]
  const groups = Object.keys(query).flatMap((key) => {
    const found = /^searchCriteria\[filterGroups\]\[(\d+)\]\[filters\]\[0\]\[field\]$/.exec(key)
    return found ? [`filterGroups][${found[1]}][filters][0`] : []
  })
  const all = rows.filter((row) =>
    groups.every((at) =>
      holds(String(asked(`${at}][conditionType`)), heldIn(row, asked(`${at}][field`)), asked(`${at}][value`)),
    ),
  )
  const sorts = [0, 1].flatMap((n) => asked(`sortOrders][${n}][field`) ?? [])
  all.sort(
    (a, b) => sorts.map((field) => compare(heldIn(a, field), heldIn(b, field))).find((order) => order !== 0) ?? 0,
  )
  const size = Number(asked('pageSize') ?? 20)
  if (size > 300) return refusal(400, 'Maximum SearchCriteria pageSize is %max', { max: 300 })
  const pages = Math.max(1, Math.ceil(all.length / size))
  const page = Math.min(Number(asked('currentPage') ?? 1), pages)
  const items = structuredClone(all.slice((page - 1) * size, page * size))
  const body = {
    items,
    search_criteria: { request_name: '', filter_groups: [], page_size: size },
    total_count: all.length,
  }
  return answer(trimmed(body, query['fields']))
}

/** `items[a,b],total_count`: the few fields that were asked for. */
function trimmed(body: { items: Fields[] } & Fields, fields: unknown): Fields {
  if (typeof fields !== 'string') return body
  const inner = /items\[([^\]]*)\]/.exec(fields)?.[1]?.split(',') ?? []
  const outer = fields.replace(/\[[^\]]*\]/g, '').split(',')
  const items = body.items.map((item) => Object.fromEntries(inner.map((name) => [name, item[name]])))
  return Object.fromEntries(Object.entries({ ...body, items }).filter(([name]) => outer.includes(name)))
}
