/** Looking at a record costs what it holds; beyond this nobody looks. Records of shops are a hundredth of it. */
const maxValues = 20_000
const maxCharacters = 1_000_000
const maxDepth = 64
/** What has more names than this is no record, and slow to look at. */
const maxNames = 2000

/** Those that were found to be small enough, how much text was allowed them, and how many values they hold. */
const weighed = new WeakMap<object, { most: number; values: number }>()

/** How many values a record holds; a TypeError where it is too large or too deep. Stops as soon as it is. */
export function weigh(record: unknown, { characters: most = maxCharacters }: { characters?: number } = {}): number {
  if (typeof record !== 'object' || record === null) return 1
  const known = weighed.get(record)
  if (known && known.most <= most) return known.values
  let values = 0
  let characters = 0
  const waiting: { value: unknown; depth: number }[] = [{ value: record, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next
    values += 1
    if (typeof value === 'string') characters += value.length
    if (values + waiting.length > maxValues || characters > most) throw tooLarge('is too large')
    if (typeof value !== 'object' || value === null) continue
    if (depth >= maxDepth) throw tooLarge('is nested too deep')
    if (Array.isArray(value) && value.length > maxValues) throw tooLarge('is too large')
    const inner = Object.values(value)
    if (!Array.isArray(value) && inner.length > maxNames) throw tooLarge('is too large')
    for (const one of inner) waiting.push({ value: one, depth: depth + 1 })
  }
  weighed.set(record, { most, values })
  return values
}

const tooLarge = (what: string) => new TypeError(`The record ${what} to be read by a description.`)
