import { load, type Throughput } from './load.ts'
import { median } from './statistics.ts'

export interface RatioResult {
  bare: Throughput[]
  ours: Throughput[]
  /** Ours against bare, round by round. */
  perSecond: number[]
  p99: number[]
}

type Way = Parameters<typeof load>[0]

/**
 * The same work, asked of a bare handler and of us. Rounds alternate, and so does who is first in them, so that whatever else the machine
 * does, and what one leaves to the other, falls on both; each ratio is of one round, and the first round of both counts for nothing.
 */
export async function measureRatio(
  ways: { bare: Way; ours: Way },
  { rounds, progress }: { rounds: number; progress(text: string): void },
): Promise<RatioResult> {
  const result: RatioResult = { bare: [], ours: [], perSecond: [], p99: [] }
  for (const way of [ways.bare, ways.ours]) await load(way)
  for (let round = 1; round <= rounds; round++) {
    const isBareFirst = round % 2 === 1
    const first = await load(isBareFirst ? ways.bare : ways.ours)
    const second = await load(isBareFirst ? ways.ours : ways.bare)
    const [bare, ours] = isBareFirst ? [first, second] : [second, first]
    result.bare.push(bare)
    result.ours.push(ours)
    result.perSecond.push(ours.perSecond / bare.perSecond)
    result.p99.push(ours.p99 / bare.p99)
    progress(
      `round ${round} of ${rounds}: ${Math.round(ours.perSecond)}/s against ${Math.round(bare.perSecond)}/s, ` +
        `ratio ${(ours.perSecond / bare.perSecond).toFixed(2)} (median ${median(result.perSecond).toFixed(2)}), ` +
        `p99 ${ours.p99} ms against ${bare.p99} ms`,
    )
  }
  return result
}
