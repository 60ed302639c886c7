import { weigh } from '../../lib/expressions/weigh.ts'

/** What people look at, of a record that is more than that. */
const most = { values: 2000, names: 200, rows: 50, characters: 2000, depth: 8 }

/** How many values a record has; null where that is more than any description reads. */
export function sizeOf(record: unknown, limits: { characters?: number } = {}): number | null {
  try {
    return weigh(record, limits)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** The record; of one that no description reads, as much as is looked at: writing out megabytes would hold up everybody. */
export const shownRecord = (record: unknown): unknown => (sizeOf(record) === null ? cut(record) : record)

/** The beginning of every text and list, and the first names of every record. */
export function cut(value: unknown): unknown {
  let left = most.values
  const visit = (inner: unknown, depth: number): unknown => {
    left -= 1
    if (typeof inner === 'string') return inner.length > most.characters ? `${inner.slice(0, most.characters)}…` : inner
    if (typeof inner !== 'object' || inner === null) return inner
    if (depth >= most.depth || left <= 0) return '…'
    if (Array.isArray(inner)) return inner.slice(0, most.rows).map((one) => visit(one, depth + 1))
    const kept: [string, unknown][] = []
    // Object.entries would fetch what stands at every one of thousands of names.
    for (const name in inner) {
      if (kept.length >= most.names) break
      kept.push([name, visit(Reflect.get(inner, name), depth + 1)])
    }
    return Object.fromEntries(kept)
  }
  return visit(value, 0)
}
