import { malformed } from '../../../lib/fault.ts'
import { isKey, isTime, partsIn } from './changes.ts'
import { type FilterColumn, filterSql, filterValues, type Reader } from './paginate.ts'

/**
 * The newest records of many integrations, in pages that follow on from each other. Each integration's index is read from
 * its own end: first one row of each, which says whose rows can be on the page at all (those of a page of n come from the n
 * integrations whose newest are the newest), then a page of those. So a page costs a look at each integration and n × n
 * rows at most, however many they hold. There is no total: counting would cost what the pages save.
 */
export interface AcrossPlan {
  /** Unique among plans. */
  name: string
  from: string
  /** With `integration_id` and the keys among them. */
  columns: string
  /** What else has to be true of each row. */
  where?: string
  /** Newest first by these; with the integration before them they are an index. */
  keys: readonly AcrossKey[]
  filters?: Readonly<Record<string, FilterColumn>>
}

export interface AcrossKey {
  column: string
  type: 'bigint' | 'text' | 'timestamptz'
}

export interface AcrossQuery {
  /** Several values mean "one of". */
  filter: Readonly<Record<string, readonly string[]>>
  cursor: string | null
  limit: number
}

export interface AcrossPage<Row> {
  rows: Row[]
  /** Where the next page begins; null after the last. */
  cursor: string | null
}

export async function readAcross<Row extends { integration_id: number }>(
  reader: Reader,
  plan: AcrossPlan,
  integrationIds: readonly number[],
  query: AcrossQuery,
): Promise<AcrossPage<Row>> {
  const after = query.cursor === null ? null : placeIn(plan, query.cursor)
  const limit = query.limit + 1
  const fields = Object.keys(query.filter)
    .filter((field) => plan.filters?.[field] !== undefined)
    .sort()
  const values = [...fields.map((field) => filterValues(plan, field, query.filter[field] ?? [])), ...(after ?? [])]
  const ask = async <Found extends object>(ids: readonly number[], want: 'whose' | 'rows', until: string[] | null) => {
    const text = textFor({ plan, fields, after: after !== null, until: until !== null }, want)
    return (await reader.query<Found>(text, [ids, limit, ...values, ...(until ?? [])])).rows
  }
  const whose = integrationIds.length > 1 ? await ask<{ integration_id: number }>(integrationIds, 'whose', null) : null
  const ids = whose ? whose.map(({ integration_id: id }) => id) : integrationIds
  // Those of all others are behind the last of so many. Some may go before the second look: then what is behind it is for the next page.
  const furthest = whose?.[limit - 1]
  const until = furthest ? placeOf(plan, furthest) : null
  const rows = ids.length === 0 ? [] : await ask<Row>(ids, 'rows', until)
  const page = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? page.at(-1) : undefined
  const end = last ? placeOf(plan, last) : until
  return { rows: page, cursor: end && cursorOf(end) }
}

interface Shape {
  plan: AcrossPlan
  fields: readonly string[]
  after: boolean
  until: boolean
}

const texts = new Map<string, string>()
const maxTexts = 200

function textFor(shape: Shape, want: 'whose' | 'rows'): string {
  const name = `${shape.plan.name}|${shape.fields.join(',')}|${shape.after}|${shape.until}|${want}`
  const known = texts.get(name)
  if (known) return known
  const text = buildText(shape, want)
  // Fields are few, but can be combined at will: do not let that fill the memory.
  if (texts.size < maxTexts) texts.set(name, text)
  return text
}

/** From the anchor sideways; named twice, for Citus to ask the shards of these integrations only. */
function buildText({ plan, fields, after, until }: Shape, want: 'whose' | 'rows'): string {
  let parameters = 2
  const numbered = (sql: string) => sql.replaceAll('?', () => `$${++parameters}`)
  const names = plan.keys.map(({ column }) => column)
  const where = [
    'r.integration_id = s.integration_id and r.integration_id = any($1::bigint[])',
    ...(plan.where ? [plan.where] : []),
    ...fields.map((field) => filterSql(plan.filters?.[field], numbered)),
    ...(after ? [numbered(comparedWith('<', plan))] : []),
    ...(until ? [numbered(comparedWith('>=', plan))] : []),
  ].join(' and ')
  const order = [...names, 'integration_id'].map((name) => `${name} desc`).join(', ')
  const columns = want === 'rows' ? plan.columns : [...names, 'integration_id'].join(', ')
  const each = want === 'rows' ? '$2' : '1'
  return `select n.* from integration_state s
    cross join lateral (
      select ${columns} from ${plan.from} r where ${where}
      order by ${names.map((name) => `${name} desc`).join(', ')} limit ${each}
    ) n
    where s.integration_id = any($1::bigint[])
    order by ${order} limit $2`
}

/** Behind a place, or not. */
const comparedWith = (how: '<' | '>=', { keys }: AcrossPlan): string =>
  `(${[...keys.map(({ column }) => column), 'r.integration_id'].join(', ')}) ${how} (${[...keys.map(({ type }) => `?::${type}`), '?::bigint'].join(', ')})`

function placeOf({ keys }: AcrossPlan, row: object): string[] {
  const fields = row as Readonly<Record<string, unknown>>
  return [...keys.map(({ column }) => column), 'integration_id'].map((name) => String(fields[name]))
}

const cursorOf = (place: readonly string[]): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** A cursor comes from outside. */
function placeIn({ keys }: AcrossPlan, cursor: string): string[] {
  const types = [...keys.map(({ type }) => type), 'bigint'] as const
  const place = partsIn(cursor)
  if (place?.length !== types.length || !types.every((type, n) => fits(type, place[n])))
    throw malformed('Invalid cursor.')
  return place
}

const fits = (type: AcrossKey['type'], text = ''): boolean =>
  type === 'timestamptz' ? isTime(text) : isKey(type, text)
