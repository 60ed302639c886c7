import { inTurns } from '../turns/in-turns.ts'

/** How many values a value holds, however deep; no more than so many are counted. */
export function countParts(value: unknown, most: number): number {
  const open: unknown[] = [value]
  let parts = 0
  while (open.length > 0 && parts <= most) {
    const nest = open.pop()
    if (typeof nest !== 'object' || nest === null) continue
    const inner: readonly unknown[] = Array.isArray(nest) ? nest : Object.values(nest)
    parts += inner.length
    if (parts > most) break
    for (const part of inner) if (typeof part === 'object' && part !== null) open.push(part)
  }
  return Math.min(parts, most + 1)
}

const maxRecords = 100
const maxParts = 25_000

/** The records of a large answer, so many at a time that what is made of them is no larger than of any other. */
export async function portionsOf(records: readonly unknown[]): Promise<unknown[][]> {
  const portions: unknown[][] = []
  let last: unknown[] = []
  let parts = 0
  await inTurns(records, (record) => {
    const more = countParts(record, maxParts)
    if (last.length === 0 || last.length >= maxRecords || parts + more > maxParts) {
      last = []
      parts = 0
      portions.push(last)
    }
    last.push(record)
    parts += more
  })
  return portions
}
