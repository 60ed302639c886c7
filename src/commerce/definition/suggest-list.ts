import { isFields } from '../reading.ts'
import type { Dialect } from './dialects/dialect.ts'
import { type DescribedPart, placesOf, type Suggestion } from './suggest-places.ts'

/** How a list goes on, by what its first answer looks like. */

type Tree = Record<string, unknown>

interface Listed {
  part: DescribedPart
  /** As it is written so far. */
  list: Tree
  dialect: Dialect | null
  body: unknown
  records: readonly unknown[]
  /** Where records say when they changed. */
  changed: string | undefined
}

/** Where an answer has its list of records; an empty path where it is the list itself, undefined where it has none. */
export function listIn(body: unknown): { path: string; records: readonly unknown[] } | undefined {
  if (Array.isArray(body)) return { path: '', records: body }
  const lists = [...placesOf(body)].flatMap(([path, value]) =>
    Array.isArray(value) && value.every(isFields) ? [{ path, records: value }] : [],
  )
  return lists.find(({ records }) => records.length > 0) ?? lists[0]
}

const linesNames = /^(lines|items|line_items|lineItems|rows|order_lines|positions)$/

export function suggestList({
  part,
  list,
  dialect,
  body,
  records,
  changed,
}: Listed): (Suggestion & { value: unknown })[] {
  const found: [string, unknown, number][] = []
  const suggest = (name: string, value: unknown, certainty: number) => {
    if (value !== undefined && list[name] == null) found.push([name, value, certainty])
  }
  suggest('items', dialect?.items ?? (listIn(body)?.path || undefined), 90)
  suggest('paging', dialect?.paging ?? pagingIn(body), dialect ? 90 : 60)
  suggest('total', dialect?.total ?? totalIn(body), dialect ? 90 : 60)
  // Ids where there should be lines: the service has them, and wants to be asked for them.
  const ids = Object.entries(Object(records[0])).flatMap(([name, value]) =>
    part === 'orders' && linesNames.test(name) && Array.isArray(value) && !value.some(isFields) ? [name] : [],
  )
  const query = dialect?.query(ids, part)
  suggest('query', query && query.length > 0 ? query : undefined, 80)
  // What never changed is new: where that is another place, both are asked for.
  const times = changed?.match(/[\w.]+(?=[,)])/g) ?? (changed === undefined ? [] : [changed])
  if (dialect && times.length > 0 && part !== 'inventory') suggest('since', dialect.since(times, part), 80)
  return found.map(([name, value, certainty]) => ({
    ...{ field: `list.${name}`, value, certainty },
    place: typeof value === 'string' ? value : JSON.stringify(value).slice(0, 200),
    example: dialect ? `As ${dialect.name} does it` : 'As its answer looks',
  }))
}

const totals = ['total', 'total_count', 'totalCount', 'totalItems', 'count', 'filter_count']

function totalIn(body: unknown): string | undefined {
  const places = [...placesOf(body)].filter(([, value]) => Number.isSafeInteger(value))
  const last = (path: string) => path.split('.').at(-1) ?? ''
  return totals.flatMap((name) => places.filter(([path]) => last(path) === name).map(([path]) => path))[0]
}

/** The address of the next page, or the cursor for it, as most services name them. */
function pagingIn(body: unknown): Tree | undefined {
  const places = [...placesOf(body)]
  const link = places.find(
    ([path, value]) => /(^|\.)(next|next_page_url|nextLink)(\.href)?$/.test(path) && isAddress(value),
  )
  if (link) return { style: 'link', next: link[0] }
  const cursor = places.find(
    ([path, value]) => /(^|\.)(next_?cursor|end_?cursor|next_?token)$/i.test(path) && typeof value === 'string',
  )
  return cursor ? { style: 'cursor', parameter: 'cursor', next: cursor[0] } : undefined
}

const isAddress = (value: unknown) => typeof value === 'string' && /^(https?:\/\/|\/|\?)/.test(value)
