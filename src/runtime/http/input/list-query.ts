import { malformed } from '../../../lib/fault.ts'

/** Which parts of a list query an endpoint allows. What is not named here never reaches SQL. */
export interface ListOptions {
  list: true
  filter: readonly string[]
  sort: readonly string[]
  include: readonly string[]
  /** Without these the list cannot be asked for; whoever reads them is `find`. */
  required: readonly string[]
  /** Takes `updated_since`, and then answers with what has changed instead of a numbered page. */
  changes: boolean
}

export interface ListQuery {
  page: number
  perPage: number
  /** By field; several values mean "one of". */
  filter: Readonly<Record<string, readonly string[]>>
  sort: readonly SortField[]
  include: ReadonlySet<string>
  /** Where to go on, for a list that `changes`. */
  since: string | null
}

export interface SortField {
  field: string
  descending: boolean
}

export const listQuery = (options: Partial<Omit<ListOptions, 'list'>> = {}): ListOptions => ({
  list: true,
  filter: options.filter ?? [],
  sort: options.sort ?? ['id', 'created_at', 'updated_at'],
  include: options.include ?? [],
  required: options.required ?? [],
  changes: options.changes ?? false,
})

const defaultPerPage = 15
const maxPerPage = 100
/** Every combination is a statement of its own, and six fields make 75,972 of them. */
export const maxSortFields = 2

export type RawQuery = Readonly<Record<string, string | string[] | undefined>>

export function parseListQuery(options: ListOptions, raw: RawQuery): ListQuery {
  const query = {
    page: positive(raw['page']) ?? 1,
    perPage: Math.min(positive(raw['per_page']) ?? defaultPerPage, maxPerPage),
    filter: parseFilters(options, raw),
    sort: parseSort(options.sort, raw['sort']),
    include: parseInclude(options.include, raw['include']),
  }
  const since = options.changes ? (last(raw['updated_since'] ?? raw['filter[updated_since]']) ?? null) : null
  if (since === null) return { ...query, since }
  // A record that no longer matches the filter would silently disappear.
  const others = [...Object.keys(query.filter), ...(query.sort.length > 0 ? ['sort'] : [])]
  if (others.length > 0) throw malformed(`\`updated_since\` cannot be combined with \`${others.join(', ')}\`.`)
  return { ...query, since }
}

const last = (value: string | string[] | undefined) => (Array.isArray(value) ? value.at(-1) : value)
const parts = (value: string | string[] | undefined) =>
  (last(value) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function positive(value: string | string[] | undefined): number | undefined {
  const text = last(value)
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined
  return Number(text) || undefined
}

const noFilters = Object.freeze({})

/** Plain `?status=A,B` and `?filter[status]=A,B`. An unknown plain parameter is ignored, an unknown filter[…] refused. */
function parseFilters(options: ListOptions, raw: RawQuery): ListQuery['filter'] {
  const { filter: allowed, required, changes } = options
  let filters: Record<string, readonly string[]> | undefined
  for (const key in raw) {
    const bracketed = key.startsWith('filter[') && key.endsWith(']')
    const field = bracketed ? key.slice(7, -1) : key
    if (!allowed.includes(field)) {
      const read = required.includes(field) || (changes && field === 'updated_since')
      if (bracketed && !read) throw notAllowed('filter', 'are', [field], allowed)
      continue
    }
    const values = parts(raw[key])
    if (values.length > 0) {
      filters ??= {}
      filters[field] = values
    }
  }
  return filters ?? noFilters
}

function parseSort(allowed: readonly string[], raw: string | string[] | undefined): readonly SortField[] {
  if (raw === undefined) return []
  const fields = parts(raw).map((part) =>
    part.startsWith('-') ? { field: part.slice(1), descending: true } : { field: part, descending: false },
  )
  const names = fields.map(({ field }) => field)
  const unknown = names.filter((name) => !allowed.includes(name))
  if (unknown.length > 0) throw notAllowed('sort', 'is', unknown, allowed)
  // The second mention of a field sorts nothing any more.
  const sort = fields.filter(({ field }, index) => names.indexOf(field) === index)
  if (sort.length > maxSortFields) throw malformed(`A list can be sorted by at most ${maxSortFields} fields.`)
  return sort
}

const nothingIncluded: ReadonlySet<string> = new Set()

function parseInclude(allowed: readonly string[], raw: string | string[] | undefined): ReadonlySet<string> {
  if (raw === undefined) return nothingIncluded
  const wanted = parts(raw)
  const unknown = wanted.filter((name) => !allowed.includes(name))
  if (unknown.length > 0) throw notAllowed('include', 'are', unknown, allowed)
  return new Set(wanted)
}

function notAllowed(what: string, verb: string, unknown: readonly string[], allowed: readonly string[]) {
  const rest =
    allowed.length === 0 ? `There are no allowed ${what}s.` : `Allowed ${what}(s) are \`${allowed.join(', ')}\`.`
  return malformed(`Requested ${what}(s) \`${unknown.join(', ')}\` ${verb} not allowed. ${rest}`)
}
