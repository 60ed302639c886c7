/** Chance that repeats itself: the same seed always gives the same shop and the same weather. */

/** FNV-1a: a number from words. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** One number from two, well mixed (the finaliser of MurmurHash3). */
export function mix(a: number, b: number): number {
  let hash = (a ^ Math.imul(b + 0x9e3779b9, 0x85ebca6b)) | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

export interface Draws {
  /** 0 ≤ n < 1. */
  next(): number
  /** A whole number below the limit. */
  below(limit: number): number
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
}

/** A row of numbers (mulberry32). */
export function draws(seed: number): Draws {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick<T>(list: readonly T[]): T {
      const picked = list[below(list.length)]
      if (picked === undefined) throw new RangeError('Nothing to pick from.')
      return picked
    },
  }
}

/** `count` different ones of the list, in no order. */
export function sample(list: Int32Array, count: number, { below }: Draws): number[] {
  const rest = list.slice()
  const wanted = Math.min(count, rest.length)
  const picked: number[] = []
  for (let i = 0; i < wanted; i++) {
    const j = i + below(rest.length - i)
    picked.push(rest[j] ?? 0)
    rest[j] = rest[i] ?? 0
  }
  return picked
}
