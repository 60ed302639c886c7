import { isFields } from '../reading.ts'

/** What people keep with a record themselves: its order may mean something. */
const theirs = new Set(['metadata', 'customFields'])

/**
 * What belongs to a record, by its id. Some servers answer it in no order, from one read to the next or in lists otherwise than of a record by itself: as it
 * comes, the record would have changed with each look at it.
 */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    const rows = value.map(inOrder)
    return rows.every(hasId) ? rows.toSorted((one, other) => compareIds(one.id, other.id)) : rows
  }
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, theirs.has(name) ? one : inOrder(one)]))
}

type Id = string | number

const hasId = (value: unknown): value is { id: Id } =>
  isFields(value) && (typeof value['id'] === 'string' || typeof value['id'] === 'number')

/** Numbers by their size, so that what was made first stays first. */
function compareIds(one: Id, other: Id): number {
  const [a, b] = [String(one), String(other)]
  const [first, second] = /^\d+$/.test(a) && /^\d+$/.test(b) && a.length !== b.length ? [a.length, b.length] : [a, b]
  return first < second ? -1 : first > second ? 1 : 0
}
