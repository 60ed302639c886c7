const max = 2000

/** Remembers what a pure function said, of the last so many texts that it was asked about. */
export function bounded<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const result = work(text)
    if (known.size >= max) known.clear()
    known.set(text, result)
    return result
  }
}
