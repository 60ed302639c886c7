import { isFields } from '../reading.ts'
import type { Place } from './place.ts'
import { inventoryFields, lineFields, orderFields, productFields, type Shape, type Wanted } from './wanted-places.ts'

/** Which place of a record is most likely which of our fields: by what it is called, and by what it looks like. */
export interface Suggestion {
  /** Our field, as a place below the part: `fields.total`, `lines.fields.sku`. */
  field: string
  /** The path, relative to the record that the field is read from; for what is no field, what it comes from. */
  place: string
  example: string
  /** From 0 to 100. */
  certainty: number
  /** What would be written into the description, where that is more than the path. */
  value?: unknown
  /** Where it would be written, from the top of the description, where that is not below the part. */
  at?: string
}

const byPart = { orders: orderFields, products: productFields, inventory: inventoryFields }
export type DescribedPart = keyof typeof byPart

/** From a record, or from several: what one of them lacks another may have. */
export function suggestPlaces(part: DescribedPart, record: unknown, others: readonly unknown[] = []): Suggestion[] {
  const records = [record, ...others]
  const places = placesOf(others.reduce<unknown>(filledUp, record))
  const found = best(byPart[part], places)
  const list = found.find(({ field }) => field === 'lines.items')?.place
  const line = list === undefined ? undefined : places.get(list)
  const lines = Array.isArray(line) ? best(lineFields, placesOf(line.reduce<unknown>(filledUp, line[0]))) : []
  return [
    ...found.filter(({ field }) => field !== 'fields.updated_at'),
    ...changeOf(part, records, places, found),
    ...lines.map((one) => ({ ...one, field: `lines.fields.${one.field}` })),
  ]
}

const isNothing = (value: unknown) => value === null || value === undefined || value === ''

/** A record with what it lacks taken from another one. */
function filledUp(record: unknown, other: unknown): unknown {
  if (isNothing(record) || (Array.isArray(record) && record.length === 0)) return other ?? record
  if (!isFields(record) || !isFields(other)) return record
  const names = Object.keys(record)
  return Object.fromEntries(names.map((name) => [name, filledUp(record[name], other[name])]))
}

const isPlainPath = (path: string) => /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(path)

/** Many services say when a record changed only once it has: until then it is as old as it is. */
function changeOf(
  part: DescribedPart,
  records: readonly unknown[],
  places: ReadonlyMap<string, unknown>,
  found: readonly Suggestion[],
): Suggestion[] {
  const field = 'fields.updated_at'
  const known = found.find((one) => one.field === field)
  const named = byPart[part].filter((one) => one.field === field)
  const [silent] = known ? [] : best(named, places, (value) => isNothing(value))
  const [changed, made] = [known ?? silent, found.find((one) => one.field === 'fields.placed_at') ?? madeAt(places)]
  if (!changed) return made && part !== 'inventory' ? [{ ...made, field, certainty: 40 }] : []
  const always = records.every((one) => !isNothing(placesOf(one).get(changed.place)))
  if (always || !made || ![changed.place, made.place].every(isPlainPath)) return known ? [known] : []
  const select = `not_null(${changed.place}, ${made.place})`
  return [{ ...changed, place: select, example: made.example, value: { select } }]
}

const madeAt = (places: ReadonlyMap<string, unknown>) =>
  best(
    orderFields.filter(({ field }) => field === 'fields.placed_at'),
    places,
  )[0]

const maxPlaces = 500

/** Every path of a record that a definition could name, with what is there. */
export function placesOf(record: unknown): Map<string, unknown> {
  const places = new Map<string, unknown>()
  const visit = (value: unknown, path: string, depth: number) => {
    if (places.size >= maxPlaces) return
    if (path !== '') places.set(path, value)
    if (!isFields(value) || depth >= 4) return
    for (const [name, inner] of Object.entries(value)) {
      if (/^[A-Za-z0-9_@$-]{1,64}$/.test(name)) visit(inner, path === '' ? name : `${path}.${name}`, depth + 1)
    }
  }
  visit(record, '', 0)
  return places
}

function best(
  fields: readonly Wanted[],
  places: ReadonlyMap<string, unknown>,
  accepts?: (value: unknown) => boolean,
): Suggestion[] {
  return fields.flatMap(({ field, shape, names }) => {
    const [first] = [...places]
      .flatMap(([place, value]) => {
        const minor = shape === 'amount' && isMinor(place, value)
        const certainty = nameScore(minor ? place.replace(minorName, '') || place : place, names)
        const fitting = accepts ? accepts(value) : fits(shape, value)
        if (certainty === 0 || !fitting) return []
        const told: Place = minor ? { at: place, money: 'minor' } : place
        return [{ field, place, example: shown(value), certainty, ...(minor && { value: told }) }]
      })
      .sort((a, b) => b.certainty - a.certainty)
    return first ? [first] : []
  })
}

/** Hundredths, by what they are called: `total_cents`, `amountMinor`. */
const minorName = /(^|_in_|_|In)?(cents?|minor(_units)?)$/i
const isMinor = (place: string, value: unknown) => minorName.test(place) && /^-?\d{1,15}$/.test(String(value))

const plain = (name: string) => name.toLowerCase().replace(/[_-]/g, '')

/** The whole path as somebody calls it counts for more than its last name, and what is usual for more than what is not. */
function nameScore(place: string, names: readonly string[]): number {
  const whole = plain(place)
  const last = plain(place.split('.').at(-1) ?? '')
  const depth = place.split('.').length - 1
  const scores = names.map((name, n) => {
    const wholeOnly = name.startsWith('=')
    const usual = plain(name.replace(/^=/, ''))
    const rank = Math.min(20, n * 2)
    if (whole === usual) return 100 - rank
    return !wholeOnly && last === usual ? 70 - rank - depth * 5 : 0
  })
  return Math.max(0, ...scores)
}

const looksLikeTime = (value: unknown): boolean =>
  (typeof value === 'string' && /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/.test(value)) ||
  (typeof value === 'number' && value > 600_000_000 && value < 5_000_000_000_000)

function fits(shape: Shape, value: unknown): boolean {
  const simple = typeof value === 'string' || typeof value === 'number'
  switch (shape) {
    case 'list':
      return Array.isArray(value) && isFields(value[0])
    case 'time':
      return looksLikeTime(value)
    case 'amount':
      return simple && /^-?\d{1,15}(\.\d{1,8})?( [A-Z]{3})?$/.test(String(value))
    case 'whole':
      return simple && /^-?\d{1,15}(\.0+)?$/.test(String(value))
    case 'currency':
      return typeof value === 'string' && /^[A-Za-z]{3}$/.test(value)
    case 'country':
      return typeof value === 'string' && /^[A-Za-z]{2}$/.test(value)
    case 'email':
      return typeof value === 'string' && value.includes('@')
    default:
      return simple || typeof value === 'boolean'
  }
}

const shown = (value: unknown): string =>
  Array.isArray(value) ? `${value.length} records` : String(value).slice(0, 100)

/** How amounts and times of a record are written, as far as its own values tell. */
export function suggestFormat(record: unknown): { time: string } | null {
  const times = [...placesOf(record)].flatMap(([place, value]) =>
    /(date|time|created|updated|changed|modified|_at$|tms)/i.test(place) && looksLikeTime(value) ? [value] : [],
  )
  const [first] = times
  if (first === undefined) return null
  if (typeof first === 'number') return { time: first > 100_000_000_000 ? 'milliseconds' : 'unix' }
  return { time: /(Z|[+-]\d\d:?\d\d)$/.test(String(first).slice(10)) ? 'iso' : 'local' }
}
