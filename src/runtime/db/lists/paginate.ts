import type pg from 'pg'
import { malformed } from '../../../lib/fault.ts'
import { foldEmail } from '../../../lib/identity/fold-email.ts'
import { momentOf } from '../../../lib/timestamp.ts'
import type { Total } from '../../../lib/total.ts'

/**
 * One engine for every list: a page of rows and the total in one statement. The text of a statement depends only on
 * which filters and sorts are used, in whatever order the filters come, so it is built once for each shape and planned once;
 * the values travel as parameters. Totals come from counters where a plan names one (kept in the same transaction as the rows),
 * because count(*) grows with the tenant: 440 times from ten thousand to five million rows. What has no counter is counted, and
 * only so far (decision 22).
 */
export interface ListPlan {
  /** Unique among plans. */
  name: string
  /** `from` clause, with aliases and joins if any. */
  from: string
  /** Select list. */
  columns: string
  /** The tie-break that makes pages stable, and the default order. */
  id?: string
  filters?: Readonly<Record<string, FilterColumn>>
  /** Field → SQL expression. */
  sorts?: Readonly<Record<string, string>>
  /** Without `sort`: this order instead of id ascending. */
  defaultSort?: readonly SortField[]
}

export type FilterColumn =
  /** One of the values. */
  | { column: string; type: 'text' | 'bigint' | 'boolean'; match?: undefined }
  /** One of the values, in capitals or not. */
  | { column: string; type: 'text'; match: 'caseless' }
  /** One of the values, in a column of folded addresses. */
  | { column: string; type: 'text'; match: 'email' }
  /** The text is somewhere in it, in capitals or not. */
  | { column: string; type: 'text'; match: 'contains' }
  /** Not before, or before. */
  | { column: string; type: 'timestamptz'; match: 'from' | 'to' }

/** Which rows the tenant may see. `?` stands for the params in order; the same `key` must mean the same SQL. */
export interface ListScope {
  key: string
  sql: string
  params: readonly unknown[]
  /** SQL of the total when no filter is given, with `?` for its params. Without it the rows are counted. */
  total?: { sql: string; params: readonly unknown[] }
}

/** Whatever is held of one integration. */
export const ofIntegration = (integrationId: number): ListScope => ({
  key: 'integration',
  sql: 'integration_id = ?',
  params: [integrationId],
})

export interface SortField {
  field: string
  descending: boolean
}

export interface PageQuery {
  page: number
  perPage: number
  filter: Readonly<Record<string, readonly string[]>>
  sort: readonly SortField[]
  /** Rows to leave out, where that is not a number of whole pages. */
  offset?: number
}

export interface PageOf<Row> {
  rows: Row[]
  total: Total
}

/** Which row it is, and what is another whenever anything of it is. */
export interface Version {
  id: number
  version: string
}

/** Of tables in which each change of a row shows in `updated_at`: which rows are on a page, and as of when. */
export const versionsOf = (plan: ListPlan): ListPlan => ({
  ...plan,
  name: `${plan.name}-versions`,
  columns: 'id, updated_at as version',
})

export interface Reader {
  /** Whether all rows are known to lie on one server; where they do not, a statement names its shop by a plain parameter. */
  isOneServer?(): boolean
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<Row>>
}

const texts = new Map<string, string>()
const maxTexts = 500

/** Rows that are counted one by one at most. */
const defaultCountTo = 10_000

export async function paginate<Row>(
  reader: Reader,
  plan: ListPlan,
  scope: ListScope,
  query: PageQuery,
  countTo = defaultCountTo,
): Promise<PageOf<Row>> {
  const fields = Object.keys(query.filter)
    .filter((field) => plan.filters?.[field] !== undefined)
    .sort()
  const counted = fields.length === 0 && scope.total !== undefined
  const offset = query.offset ?? (query.page - 1) * query.perPage
  const fixed = offset === 0 && commonPageSizes.has(query.perPage) ? query.perPage : null
  const steady = counted && fixed !== null && reader.isOneServer?.() === true
  const text = textFor({ plan, scope, fields, sort: query.sort, counted, fixed, steady, countTo })
  const values: unknown[] = [...scope.params]
  for (const field of fields) values.push(filterValues(plan, field, query.filter[field] ?? []))
  if (counted && scope.total) values.push(...scope.total.params)
  // One more than is shown tells whether anything follows, where it is not known how many there are.
  const limit = counted ? query.perPage : query.perPage + 1
  if (fixed === null) values.push(limit, Math.min(offset, Number.MAX_SAFE_INTEGER))
  const result = await reader.query<Row & { list_total: number | null }>(text, values)
  const [first] = result.rows
  // The total comes on every row, and on a row of its own when the page is empty.
  const total = first?.list_total ?? 0
  const rows = first && isEmptyRow(first) ? [] : result.rows
  if (counted || total <= countTo) return { rows: rows.slice(0, query.perPage), total }
  return {
    rows: rows.slice(0, query.perPage),
    total: totalBeyond(total, { offset, perPage: query.perPage, read: rows.length }),
  }
}

/** Of more than were counted: the last page knows how many there are, each before it that there is one more than it has reached. */
function totalBeyond(counted: number, page: { offset: number; perPage: number; read: number }): Total {
  const reached = page.offset + page.read
  const isLast = page.read > 0 && page.read <= page.perPage
  return isLast ? reached : { atLeast: page.read === 0 ? counted : Math.max(counted, reached) }
}

const isEmptyRow = (row: object) => 'list_row' in row && row.list_row === null

/**
 * First pages of these sizes are what nearly everybody asks for. With the number in the text PostgreSQL keeps its plan;
 * a limit that it does not know makes it plan anew each time, which costs as much as running the statement.
 */
const commonPageSizes: ReadonlySet<number> = new Set([15, 100])

interface Shape {
  plan: ListPlan
  scope: ListScope
  fields: readonly string[]
  sort: readonly SortField[]
  counted: boolean
  /** The first page, of this size. */
  fixed: number | null
  /** Planned without a look at which shop it is. */
  steady: boolean
  countTo: number
}

export function filterValues(
  { filters }: Pick<ListPlan, 'filters'>,
  field: string,
  values: readonly string[],
): unknown {
  const filter = filters?.[field]
  // Commas part values elsewhere; here they belong to the text.
  if (filter?.match === 'contains') return values.join(',')
  if (filter?.match === 'caseless') return values
  if (filter?.match === 'email') return values.map(foldEmail)
  if (filter?.match) return timeOf(field, values.at(-1))
  if (filter?.type === 'bigint') return values.filter((value) => /^\d{1,15}$/.test(value))
  if (filter?.type === 'boolean') {
    return values.flatMap((value) => (/^(true|1)$/.test(value) ? [true] : /^(false|0)$/.test(value) ? [false] : []))
  }
  return values
}

/** Never outside of what the database takes. What names no time is refused: else nothing would be found, and nobody know why. */
function timeOf(field: string, text = ''): string {
  const at = momentOf(text)
  if (Number.isNaN(at)) throw malformed(`The ${field} parameter is no time. In an address, a plus sign is written %2B.`)
  // Our own times have three digits more than a Date holds.
  const [, finer = ''] = /\.\d{3}(\d{1,3})/.exec(text) ?? []
  return new Date(Math.min(Math.max(at, 0), Date.UTC(9999, 0))).toISOString().replace('Z', `${finer}Z`)
}

function textFor(wanted: Shape): string {
  const { plan, scope, fields, sort, counted, fixed, steady, countTo } = wanted
  const order = sort.map(({ field, descending }) => (descending ? `-${field}` : field)).join(',')
  const shape = `${plan.name}|${scope.key}|${fields.join(',')}|${order}|${counted || countTo}|${fixed}|${steady}`
  const known = texts.get(shape)
  if (known) return known
  const text = buildStatement(wanted)
  // Shapes are few (allow-listed fields), but can be combined at will: do not let that fill the memory.
  if (texts.size < maxTexts) texts.set(shape, text)
  return text
}

function buildStatement({ plan, scope, fields, sort, counted, fixed, steady, countTo }: Shape): string {
  let parameters = 0
  const numbered = (sql: string) => sql.replaceAll('?', () => `$${++parameters}`)
  const where = [
    numbered(steady ? unseen(scope.sql) : scope.sql),
    ...fields.map((field) => filterSql(plan.filters?.[field], numbered)),
  ].join(' and ')
  const total =
    counted && scope.total
      ? numbered(scope.total.sql)
      : `(select count(*) from (select 1 from ${plan.from} where ${where} limit ${countTo + 1}) counted)`
  const slice = fixed === null ? numbered('limit ? offset ?') : `limit ${counted ? fixed : fixed + 1}`
  const rows = `select ${plan.columns}, true as list_row from ${plan.from} where ${where} order by ${orderSql(plan, sort)} ${slice}`
  return `select p.*, t.list_total from (select (${total})::bigint as list_total) t left join lateral (${rows}) p on true`
}

/**
 * The same condition, of which the planner does not see the value. A plan for any shop seems dearer to it than one for a shop that is larger than
 * most, so that it would plan the first page of such a one each time anew, which takes three times as long as reading it.
 */
const unseen = (condition: string): string =>
  condition.replace(/\bintegration_id = \?/, 'integration_id = (select ?::bigint)')

export function filterSql(filter: FilterColumn | undefined, numbered: (sql: string) => string): string {
  if (!filter) throw new Error('A filter is allowed by the endpoint but unknown to the list.')
  if (filter.match === 'contains') return numbered(`strpos(lower(${filter.column}), lower(?::text)) > 0`)
  if (filter.match === 'caseless') return numbered(`lower(${filter.column}) = any(lower(?::text[]::text)::text[])`)
  if (filter.match === 'from' || filter.match === 'to')
    return numbered(`${filter.column} ${filter.match === 'from' ? '>=' : '<'} ?::timestamptz`)
  return numbered(`${filter.column} = any(?::${filter.type}[])`)
}

function orderSql(plan: ListPlan, sort: readonly SortField[]): string {
  const id = plan.id ?? 'id'
  const wanted = sort.length > 0 ? sort : (plan.defaultSort ?? [])
  const terms = wanted.map(({ field, descending }) => {
    const expression = plan.sorts?.[field]
    if (!expression) throw new Error(`Sort "${field}" is allowed by the endpoint but unknown to the list.`)
    return `${expression} ${descending ? 'desc' : 'asc'}`
  })
  const downwards = wanted[0]?.descending ?? false
  return [...terms, `${id} ${downwards ? 'desc' : 'asc'}`].join(', ')
}
