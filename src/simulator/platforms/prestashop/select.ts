import type { Call } from '../../http/route.ts'
import type { Fields } from '../../json.ts'
import { compare, sortedBy } from '../../rows.ts'
import { isSpoken } from './xml.ts'

/** A question to a list: what must hold, in which order, and which fields are shown. */
export type Selection = Exclude<ReturnType<typeof selectionIn>, string>

/** A sentence where it cannot be answered. */
export function selectionIn({ query }: Call) {
  const filters = new Map(
    [...query].flatMap(([name, value]): [string, string][] => {
      const field = /^filter\[(\w+)\]$/.exec(name)?.[1]
      return field ? [[field, /^\[(.*)\]$/.exec(value)?.[1] ?? value]] : []
    }),
  )
  const sorts = [...(query.get('sort') ?? '').matchAll(/(\w+?)_ASC/g)].map(([, field = '']) => field)
  if ([...filters.keys(), ...sorts].some((field) => field.startsWith('date_')) && query.get('date') !== '1')
    return 'The parameter "date" has to be true when filtering by dates'
  const [first = 0, count = Number.POSITIVE_INFINITY] = (query.get('limit')?.split(',') ?? []).map(Number)
  const names = query.get('display') === 'full' ? null : (query.get('display') ?? '[id]').slice(1, -1).split(',')
  const language = query.get('language')
  // One language alone comes as the text itself.
  const spoken = (value: unknown) =>
    language !== null && isSpoken(value) ? (value.find(({ id }) => id === language)?.value ?? '') : value
  const show = (row: Fields): Fields =>
    Object.fromEntries((names ?? Object.keys(row)).flatMap((name) => (name in row ? [[name, spoken(row[name])]] : [])))
  return { filters, sorts, first, count, show }
}

const interval = /^([\d.:\-\s]+),([\d.:\-\s]+)$/

/** `1|5`, `1,10` (an interval only where it is made of digits and the like), or the value, whatever its capitals. */
export function holds(condition: string, held: unknown): boolean {
  if (condition.includes('|')) return condition.split('|').some((value) => compare(held, value) === 0)
  const ends = interval.exec(condition)
  if (ends) return compare(held, ends[1]) >= 0 && compare(held, ends[2]) <= 0
  return String(held).toLowerCase() === condition.toLowerCase()
}

/** The numbers that a condition names, so that nothing else need be looked at; null for an interval and for none. */
export const namedIn = (condition: string | undefined): readonly number[] | null =>
  condition === undefined || interval.test(condition) ? null : condition.split('|').map(Number)

export const boundsIn = (condition: string | undefined): readonly [string, string] | null => {
  const ends = interval.exec(condition ?? '')
  return ends ? [ends[1] ?? '', ends[2] ?? ''] : null
}

export function among(rows: readonly Fields[], { filters, sorts, first, count }: Selection): readonly Fields[] {
  const found = rows.filter((row) => [...filters].every(([field, condition]) => holds(condition, row[field])))
  return sortedBy(found, sorts, (row, field) => row[field]).slice(first, first + count)
}
