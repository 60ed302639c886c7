import { isFields } from '../reading.ts'
import type { Dialect } from './dialects/dialect.ts'
import { dialectOf } from './dialects/known-dialects.ts'
import { suggestList } from './suggest-list.ts'
import { type DescribedPart, type Suggestion, suggestFormat, suggestPlaces } from './suggest-places.ts'
import { suggestWords, wordFor } from './suggest-words.ts'

export interface SeenPage {
  part: DescribedPart
  records: readonly unknown[]
  /** The answer that they came in, where it is at hand. */
  body?: unknown
}

type Tree = Record<string, unknown>

/**
 * All that a page of records tells about a description: which place is which field, how the list is asked on, what words
 * mean, and what would be sent to change something. None of it is more than a suggestion: people take it up, and a trial tries it.
 */
export function suggestAll(written: Tree, { part, records, body }: SeenPage): Suggestion[] {
  const [first, ...others] = records
  const places = suggestPlaces(part, first, others)
  const own = isFields(written[part]) ? written[part] : {}
  const list = isFields(own['list']) ? own['list'] : {}
  const dialect = dialectOf(String(list['path'] ?? ''), written['auth'])
  const changed = places.find(({ field }) => field === 'fields.updated_at')
  const lists = suggestList({ part, list, dialect, body, records, changed: changed?.place })
  const whole = { ...list, ...Object.fromEntries(lists.map((one) => [one.field.replace('list.', ''), one.value])) }
  const format = suggestFormat(first)
  // Levels are not asked for one by one.
  const one = part === 'inventory' ? null : singleOf(own, whole, dialect)
  const words = suggestWords(part, places, records)
  const told = knownOf(part, dialect)
  const found = [
    ...lists,
    ...(one === null ? [] : [one]),
    ...places.filter(({ field }) => !needsWords(part, field) || words.some((table) => table.of === field)),
    ...words,
    ...(format && format.time !== 'iso' ? [timeOf(format)] : []),
    ...writesOf({ part, written, list: whole, places, words, records, dialect, path: pathOf(own, one) }),
  ]
  const topOf = ({ at, field }: Suggestion) => at ?? `${part}.${field}`
  return [...found.filter((each) => !told.some(({ at }) => at === topOf(each))), ...told]
}

/** What is known of such services counts for more than what names look like. */
const knownOf = (part: DescribedPart, dialect: Dialect | null): Suggestion[] =>
  Object.entries(dialect?.known?.[part] ?? {}).map(([at, value]) => ({
    ...{ at, value, field: at.replace(`${part}.`, ''), certainty: 90 },
    place: typeof value === 'string' ? value : JSON.stringify(value).slice(0, 200),
    example: `As ${dialect?.name} does it`,
  }))

/** A field of words without a table is a mistake. */
const needsWords = (part: DescribedPart, field: string) =>
  ['fields.payment_status', ...(part === 'products' ? ['fields.status'] : [])].includes(field)

/** Which zone a time without one is in nobody can see. */
const timeOf = ({ time }: { time: string }): Suggestion =>
  time === 'local'
    ? { ...{ field: 'format', place: 'local', example: 'Times without a zone; here as UTC' }, ...zoned }
    : { field: 'format.time', place: time, example: 'Times are numbers', certainty: 80, value: time }
const zoned = { certainty: 50, value: { time: 'local', zone: 'UTC' } }

/** Where a single record is: below its list, nearly everywhere. */
function singleOf(own: Tree, list: Tree, dialect: Dialect | null): Suggestion | null {
  const path = list['path']
  if (typeof path !== 'string' || isFields(own['get'])) return null
  const record = dialect ? dialect.record : list['items'] === 'data' ? 'data' : undefined
  const asked = Array.isArray(list['query']) ? list['query'].filter(isFields) : []
  const query = asked.filter(({ name }) => dialect?.single.includes(String(name)))
  const value = {
    path: `${path.replace(/\/$/, '')}/{id}`,
    ...(record !== undefined && { record }),
    ...(query.length > 0 && { query }),
  }
  return { field: 'get', place: value.path, example: 'A single record', certainty: dialect ? 90 : 60, value }
}

function pathOf(own: Tree, suggested: Suggestion | null): string | null {
  const path = isFields(own['get']) ? own['get']['path'] : Object(suggested?.value)['path']
  return typeof path === 'string' ? path : null
}

interface Writing {
  part: DescribedPart
  written: Tree
  list: Tree
  places: readonly Suggestion[]
  words: readonly (Suggestion & { of: string })[]
  records: readonly unknown[]
  dialect: Dialect | null
  path: string | null
}

const trackingNames = ['tracking_number', 'tracking', 'tracking_code', 'trackingNumber', 'tracking_no']
const carrierNames = ['carrier', 'carrier_name', 'carrier_code', 'carrierName', 'shipped_with']

const namedIn = (records: readonly unknown[], names: readonly string[]) =>
  names.find((name) => records.some((record) => isFields(record) && Object.hasOwn(record, name)))

/** What would be sent: of an order its status, of an article its stock. */
function writesOf({ part, written, list, places, words, records, dialect, path }: Writing): Suggestion[] {
  if (path === null) return []
  const placeOf = (field: string) => places.find((one) => one.field === field)?.place
  const method = dialect?.method ?? 'PATCH'
  if (part === 'products') return stockOf({ written, list, dialect, method, path, placeOf })
  const status = placeOf('fields.status')
  if (part !== 'orders' || status === undefined) return []
  const table = words.find(({ of }) => of === 'fields.status')
  const [cancelled, sent] = [wordFor(table, 'cancelled'), wordFor(table, 'completed')]
  const cancel = { method, path, body: [{ path: status, value: cancelled }] }
  return [
    ...(cancelled === undefined
      ? []
      : [sending('cancel', `${method} ${path}`, `${status} becomes ${cancelled}`, cancel)]),
    ...parcelsOf(records, { method, path, done: sent === undefined ? [] : [{ path: status, value: sent }] }),
  ]
}

const sending = (field: string, place: string, example: string, value: unknown, at?: string): Suggestion => ({
  ...{ field, place, example, certainty: 50, value },
  ...(at !== undefined && { at }),
})

function parcelsOf(
  records: readonly unknown[],
  { method, path, done }: { method: string; path: string; done: readonly unknown[] },
): Suggestion[] {
  const [tracking, carrier] = [namedIn(records, trackingNames), namedIn(records, carrierNames)]
  if (tracking === undefined) return []
  const read = {
    items: { select: `[@][?${tracking}]` },
    fields: { tracking_number: tracking, ...(carrier && { carrier }) },
  }
  const body = [
    { path: tracking, field: 'tracking_number' },
    ...(carrier ? [{ path: carrier, field: 'carrier' }] : []),
    ...done,
  ]
  return [
    sending('shipments', tracking, 'Parcels of the order', read),
    sending('shipments', `${method} ${path}`, 'A parcel', { method, path, body }, 'shipments.create'),
  ]
}

interface Stocking {
  written: Tree
  list: Tree
  dialect: Dialect | null
  method: string
  path: string
  placeOf(field: string): string | undefined
}

/** Where products say how many there are of them, they are the list of levels too. */
function stockOf({ written, list, dialect, method, path, placeOf }: Stocking): Suggestion[] {
  const [id, sku, stock] = ['remote_id', 'sku', 'quantity'].map((name) => placeOf(`variants.fields.${name}`))
  if (id === undefined || sku === undefined || stock === undefined || written['inventory'] != null) return []
  if (list['paging'] == null) return []
  const { since: _, ...levels } = list
  const query = dialect ? dialect.find(sku, '{sku}') : [{ name: sku, value: '{sku}' }]
  const find = { path: list['path'], query, ...(list['items'] != null && { items: list['items'] }), id }
  const value = {
    list: levels,
    fields: { sku, variant_remote_id: id, available: stock },
    set: { method, path, body: [{ path: stock, field: 'quantity' }], find },
    ...dialect?.stock?.(sku),
  }
  const set = `${value.set.method} ${value.set.path}`
  return [sending('inventory', String(list['path']), `Stock at ${stock}, set by ${set}`, value, 'inventory')]
}
