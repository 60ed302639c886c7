/** Looking at a record costs what it holds; beyond this nobody looks. Records of shops are a hundredth of it. */
const maxValues = 50_000
const maxCharacters = 1_000_000
const maxDepth = 64

const weighed = new WeakSet<object>()

/** A TypeError for a record that is too large or too deep. Stops as soon as it is. */
export function weigh(record: unknown): void {
  if (typeof record !== 'object' || record === null || weighed.has(record)) return
  let values = 0
  let characters = 0
  const waiting: { value: unknown; depth: number }[] = [{ value: record, depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next
    values += 1
    if (typeof value === 'string') characters += value.length
    if (values + waiting.length > maxValues || characters > maxCharacters) throw tooLarge('is too large')
    if (typeof value !== 'object' || value === null) continue
    if (depth >= maxDepth) throw tooLarge('is nested too deep')
    if (Array.isArray(value) && value.length > maxValues) throw tooLarge('is too large')
    for (const inner of Object.values(value)) waiting.push({ value: inner, depth: depth + 1 })
  }
  weighed.add(record)
}

const tooLarge = (what: string) => new TypeError(`The record ${what} for expressions.`)
