import { isWithin, type Moment, momentOf } from '../../clock.ts'
import { type Answer, answer, type Call } from '../../http/route.ts'
import { type Fields, isFields } from '../../json.ts'

const no = (status: number, type: string, message: string): Answer => answer(status, { type, message })
export const notFound = (message: string) => no(404, 'not_found', message)
export const notAllowed = (message: string) => no(400, 'not_allowed', message)
export const invalid = (message: string) => no(400, 'invalid_data', message)
export const broken = (status = 500) =>
  answer(status, { code: 'unknown_error', type: 'unknown_error', message: 'An unknown error occurred.' })

/** What nobody knows is not looked at. */
export function readQuery({ query }: Call) {
  // Times are compared as they are shown, so a bound within a millisecond is the next one.
  const boundIn = (name: string): Moment | null => {
    const at = momentOf(query.get(name) ?? '')
    return at === null ? null : Math.ceil(at / 1000) * 1000
  }
  const spanIn = (name: string) => ({ from: boundIn(`${name}[$gte]`), before: boundIn(`${name}[$lt]`) })
  return {
    ...{ limit: Number(query.get('limit') ?? 50), offset: Number(query.get('offset') ?? 0) },
    ...{ order: query.get('order') ?? 'id', created: spanIn('created_at'), updated: spanIn('updated_at') },
    /** `id[]=…`: any of them; null where nothing is asked for. */
    anyOf: (name: string): readonly string[] | null => (query.has(name) ? query.getAll(name) : null),
  }
}

/** A page of a list, each record with no more than was asked for. */
export function pageOf(name: string, rows: readonly Fields[], count: number, call: Call): Answer {
  const { limit, offset } = readQuery(call)
  return answer(200, { [name]: rows.map((row) => selectFields(row, call)), count, offset, limit })
}

/** A record of a list that is short enough to be looked through. */
export interface Entry {
  id: string
  created: Moment
  updated: Moment
  skus: readonly string[]
  view(): Fields
}

export function pageAmong(name: string, entries: readonly Entry[], call: Call): Answer {
  const { anyOf, created, updated, order, offset, limit } = readQuery(call)
  const asked = (what: string, values: readonly string[]) => anyOf(what)?.some((one) => values.includes(one)) ?? true
  const found = entries
    .filter((one) => isWithin(one.created, created) && isWithin(one.updated, updated))
    .filter(({ id, skus }) => asked('id[]', [id]) && asked('sku[]', skus) && asked('variants[sku]', skus))
  const key = (one: Entry) => (order === 'created_at' ? one.created : order === 'updated_at' ? one.updated : 0)
  const sorted = found.sort((a, b) => key(a) - key(b) || (a.id < b.id ? -1 : 1))
  const rows = sorted.slice(offset, offset + limit).map((one) => one.view())
  return pageOf(name, rows, found.length, call)
}

/** What is told of a record where `fields` names it: `id,*items,variants.id`. Whoever names nothing gets the usual. */
export function selectFields(record: Fields, { query }: Call): Fields {
  const fields = query.get('fields')
  if (fields === null) return record
  return cut(
    record,
    fields.split(',').map((path) => path.replace(/^\*(.+)$/, '$1.*')),
  )
}

/** A star is all of a record's own fields, and none of its relations; their ids come along unasked. */
const cut = (record: Fields, paths: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      if (!isRelation(name, value))
        return name === 'id' || paths.includes('*') || paths.includes(name) ? [[name, value]] : []
      const inner = paths.flatMap((path) => {
        if (path === name) return ['*']
        return path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : []
      })
      if (inner.length === 0) return []
      return [[name, Array.isArray(value) ? value.map((one) => cut(one, inner)) : isFields(value) && cut(value, inner)]]
    }),
  )

/** Columns that hold JSON are fields, whatever is in them. */
const isRelation = (name: string, value: unknown): boolean =>
  !/^(metadata|data|rules|raw_.*|variant_option_values)$/.test(name) &&
  (isFields(value) || (Array.isArray(value) && value.every(isFields)))
