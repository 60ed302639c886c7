import { median } from './statistics.ts'

/** What a run is held against: the rounds of one measurement, and whether more or less of it is better. */
export interface Rounds {
  values: readonly number[]
  better: 'more' | 'less'
}

export interface Comparison {
  /** How much better this run is than the other: 0.9 says a tenth worse. With the ends of its confidence interval. */
  change: number
  low: number
  high: number
  verdict: 'holds' | 'gained' | 'lost' | 'cannot tell'
}

/** Fewer say nothing about how far rounds lie apart. */
const minRounds = 5
const resamples = 2000
const confidence = 0.95
/** Losses below this are not looked for: no benchmark here is that steady from one day to the next. */
const tolerance = 0.05
/** It holds if a loss of this size can be ruled out. */
const largeLoss = 0.1

/**
 * Holds the rounds of a run against those of another, by bootstrap: what the ratio of the medians would have been with other
 * rounds of the same two runs. Something is lost only if even the best end of the interval is worse than what was there, and it
 * holds only if the worst end is not much worse: between them nobody can tell.
 */
export function compare(before: Rounds, now: Rounds, random: () => number): Comparison {
  const isBetter = (values: readonly number[]) => (now.better === 'more' ? median(values) : 1 / median(values))
  const change = isBetter(now.values) / isBetter(before.values)
  if (Math.min(before.values.length, now.values.length) < minRounds) {
    return { change, low: Number.NaN, high: Number.NaN, verdict: 'cannot tell' }
  }
  const changes = Array.from(
    { length: resamples },
    () => isBetter(resampled(now.values, random)) / isBetter(resampled(before.values, random)),
  ).sort((a, b) => a - b)
  const at = (share: number) => changes[Math.round(share * (resamples - 1))] ?? Number.NaN
  const [low, high] = [at((1 - confidence) / 2), at((1 + confidence) / 2)]
  return { change, low, high, verdict: verdictOf(low, high) }
}

function verdictOf(low: number, high: number): Comparison['verdict'] {
  if (high < 1 - tolerance) return 'lost'
  if (low > 1 + tolerance) return 'gained'
  return low >= 1 - largeLoss ? 'holds' : 'cannot tell'
}

const resampled = (values: readonly number[], random: () => number): number[] =>
  values.map(() => values[Math.floor(random() * values.length)] ?? Number.NaN)

/** Always the same sequence: two looks at the same figures must not differ. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    // xorshift32: plenty for drawing rounds.
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}
