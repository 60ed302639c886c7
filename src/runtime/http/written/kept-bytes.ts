/** What something was when it was kept; a later question must name the same. */
export type Marks = readonly unknown[]

export interface KeptBytes<Value extends { bytes: Buffer }> {
  get(name: string, marks: Marks): Value | null
  keep(name: string, marks: Marks, value: Value): void
  /** All that are kept. */
  total(): number
}

/** Of an entry besides its bytes. */
const overhead = 300

/**
 * Bytes that were costly to make, in memory: only so many, those that were asked for longest ago go first, and none for longer than
 * `maxAgeMs`, whether it is asked for or not.
 */
export function keptBytes<Value extends { bytes: Buffer }>({
  maxBytes,
  maxAgeMs,
}: {
  maxBytes: number
  maxAgeMs: number
}): KeptBytes<Value> {
  const entries = new Map<string, { marks: Marks; value: Value; since: number }>()
  let total = 0
  let timer: NodeJS.Timeout | undefined

  function drop(name: string, { bytes }: Value): void {
    entries.delete(name)
    total -= bytes.length + overhead
  }

  function dropOld(): void {
    timer = undefined
    const now = performance.now()
    let eldest = Number.POSITIVE_INFINITY
    for (const [name, { since, value }] of entries) {
      if (now - since >= maxAgeMs) drop(name, value)
      else eldest = Math.min(eldest, since)
    }
    if (entries.size > 0) wait(eldest + maxAgeMs - now)
  }

  function wait(ms: number): void {
    timer = setTimeout(dropOld, ms).unref()
  }

  return {
    get(name, marks) {
      const entry = entries.get(name)
      if (!entry || !isSame(entry.marks, marks)) return null
      entries.delete(name)
      entries.set(name, entry)
      return entry.value
    },
    keep(name, marks, value) {
      const known = entries.get(name)
      if (known) drop(name, known.value)
      const { length } = value.bytes
      // One that takes much of the room would push out many.
      if (length > maxBytes / 100) return
      entries.set(name, { marks, value, since: performance.now() })
      total += length + overhead
      for (const [oldest, entry] of entries) {
        if (total <= maxBytes) break
        drop(oldest, entry.value)
      }
      if (!timer) wait(maxAgeMs)
    },
    total: () => total,
  }
}

const isSame = (known: Marks, named: Marks): boolean =>
  known.length === named.length && known.every((mark, place) => mark === named[place])
