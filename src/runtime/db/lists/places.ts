import type { Total } from '../../../lib/total.ts'
import type { ListPlan, ListScope, PageOf, PageQuery, Reader, SortField } from './paginate.ts'
import { paginate } from './paginate.ts'

/**
 * Where pages of long lists have ended lately, in any order but that of ids: the next page begins behind that row and is found in the index of
 * that order, where there is one, however deep it is; a page further on is walked to from there. So whoever goes through a list page by page pays
 * for each what the first one costs, and sees no row twice and misses none when others come and go before it. After some minutes a page is walked
 * to anew, so that numbers of pages are never wrong by more than what came and went meanwhile. Where more went than came, the list goes on behind
 * the page that is its last by the total: such a page says that there is another.
 */
interface Place {
  /** Of the last row before it: what the list is sorted by, as text. */
  key: string | null
  id: number
  /** How long the list was. */
  total: number
  /** When it was walked to, or the page from which one came here. */
  since: number
}

/** Places of one list, by how many rows are before each. */
type Places = Map<number, Place>

const keptForMs = 10 * 60_000
const maxPlacesOfList = 200
const maxLists = 200

const listsOf = new WeakMap<Reader, Map<string, Places>>()

interface Walked<Row> {
  plan: ListPlan
  scope: ListScope
  query: PageQuery & { offset: number }
  /** From the start or the end of the list, in the columns of such a plan. */
  walk(plan: ListPlan): Promise<PageOf<Row>>
}

/** A page in the order of one column, from the nearest place that is known. */
export async function paginateOnwards<Row>(
  reader: Reader,
  { plan, scope, query, walk }: Walked<Row>,
  now = Date.now(),
): Promise<PageOf<Row>> {
  const [by, ...further] = query.sort.length > 0 ? query.sort : (plan.defaultSort ?? [])
  // Several columns have no index in common, but for the id that every order ends with.
  if (!by || further.some((next) => next.field !== 'id' || next.descending !== by.descending)) return await walk(plan)
  const ended = endsIn(plan, by.field)
  const places = placesOf(reader, `${plan.name}|${scope.key}|${scope.params}|${by.field}|${by.descending}`)
  const [offset, place] = nearest(places, query.offset, now)
  const page =
    (place && (await readFrom<Row>(reader, { plan: ended, scope, by, place, query, offset }))) ?? (await walk(ended))
  const last = page.rows.at(-1) as Ended | undefined
  if (last && page.rows.length === query.perPage) {
    const { list_key: key, list_id: id } = last
    const since = place?.since ?? now
    remember(places, query.offset + query.perPage, { key, id, total: numberOf(page.total), since })
  }
  return page
}

const numberOf = (total: Total): number => (typeof total === 'number' ? total : total.atLeast)

interface Ended {
  list_key: string | null
  list_id: number
}

const endsIn = (plan: ListPlan, field: string): ListPlan => ({
  ...plan,
  name: `${plan.name}-ends-in-${field}`,
  columns: `${plan.columns}, (${plan.sorts?.[field]})::text as list_key, ${plan.id ?? 'id'} as list_id`,
})

/** Null is behind everything else, and before it downwards: what lies beyond the nulls, or before them, is `acrossNulls`. */
function behind(plan: ListPlan, scope: ListScope, { field, descending }: SortField, { key, id }: Place): ListScope {
  const column = plan.sorts?.[field]
  const idColumn = plan.id ?? 'id'
  const beyond = descending ? '<' : '>'
  const condition =
    key === null ? `${column} is null and ${idColumn} ${beyond} ?` : `(${column}, ${idColumn}) ${beyond} (?, ?)`
  return {
    ...scope,
    key: `${scope.key}-behind-${field}${beyond}${key === null ? 'null' : ''}`,
    sql: `${scope.sql} and ${condition}`,
    params: [...scope.params, ...(key === null ? [id] : [key, id])],
  }
}

/** What follows on the last of those behind a place; null where that ends the list. */
function acrossNulls(plan: ListPlan, scope: ListScope, { field, descending }: SortField, { key }: Place) {
  if ((key === null) !== descending) return null
  const condition = `${plan.sorts?.[field]} is ${descending ? 'not null' : 'null'}`
  return { ...scope, key: `${scope.key}-where-${field}-is-${descending}`, sql: `${scope.sql} and ${condition}` }
}

interface From {
  plan: ListPlan
  scope: ListScope
  by: SortField
  place: Place
  query: PageQuery & { offset: number }
  /** How many rows were before the place. */
  offset: number
}

/** Null where that is not the whole page. */
async function readFrom<Row>(
  reader: Reader,
  { plan, scope, by, place, query, offset }: From,
): Promise<PageOf<Row> | null> {
  const { perPage } = query
  const skipped = query.offset - offset
  const page = await paginate<Row>(reader, plan, behind(plan, scope, by, place), { ...query, offset: skipped })
  if (page.rows.length < perPage) {
    // Where all were passed over, nobody knows how many that were.
    if (page.rows.length === 0 && skipped > 0) return null
    const others = acrossNulls(plan, scope, by, place)
    const missing = { ...query, perPage: perPage - page.rows.length, offset: 0 }
    if (others) page.rows.push(...(await paginate<Row>(reader, plan, others, missing)).rows)
  }
  const reached = query.offset + page.rows.length
  const isLast = reached >= numberOf(page.total)
  // Otherwise more have come before it than have gone: by its number it is another one.
  if (page.rows.length < perPage) return isLast ? page : null
  return isLast && (await goesOn(reader, { plan, scope, by }, page.rows))
    ? { rows: page.rows, total: { atLeast: reached + 1 } }
    : page
}

/** Whether there is anything behind these. */
async function goesOn(
  reader: Reader,
  { plan, scope, by }: Pick<From, 'plan' | 'scope' | 'by'>,
  rows: readonly unknown[],
): Promise<boolean> {
  const last = rows.at(-1) as Ended
  const place = { key: last.list_key, id: last.list_id, total: 0, since: 0 }
  const one = { page: 1, perPage: 1, filter: {}, sort: [by] }
  for (const next of [behind(plan, scope, by, place), acrossNulls(plan, scope, by, place)]) {
    if (next && (await paginate(reader, plan, next, one)).rows.length > 0) return true
  }
  return false
}

/** With the number of rows before it, unless either end of the list is nearer. */
function nearest(places: Places, offset: number, now: number): [number, Place | undefined] {
  let best = 0
  for (const [before, { since }] of places) {
    if (now - since > keptForMs) places.delete(before)
    else if (before <= offset && before > best) best = before
  }
  const place = places.get(best)
  return [best, place && offset - best <= Math.min(offset, Math.abs(place.total - offset)) ? place : undefined]
}

function placesOf(reader: Reader, list: string): Places {
  const lists = listsOf.get(reader) ?? new Map<string, Places>()
  listsOf.set(reader, lists)
  const places: Places = lists.get(list) ?? new Map()
  // The one that was asked for last is the last to go.
  lists.delete(list)
  lists.set(list, places)
  if (lists.size > maxLists) dropFirst(lists)
  return places
}

function remember(places: Places, before: number, place: Place): void {
  places.delete(before)
  places.set(before, place)
  if (places.size > maxPlacesOfList) dropFirst(places)
}

function dropFirst<Key>(map: Map<Key, unknown>): void {
  for (const first of map.keys()) {
    map.delete(first)
    return
  }
}
