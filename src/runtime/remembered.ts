/** Reads anew when the last answer is older than so many seconds; all who ask meanwhile get the same one. */
export function remembered<T>(seconds: number, read: () => Promise<T>, now: () => number = Date.now): () => Promise<T> {
  let known: { at: number; answer: Promise<T> } | null = null
  return () => {
    if (known && now() - known.at < seconds * 1000) return known.answer
    const fresh = { at: now(), answer: read() }
    known = fresh
    fresh.answer.catch(() => {
      if (known === fresh) known = null
    })
    return fresh.answer
  }
}
