import type { Results, Row } from './report.ts'
import { type Comparison, compare, seededRandom } from './support/compare.ts'

/** One sentence about one row, and whether it is worse than what is kept, beyond noise. */
export interface Finding {
  sentence: string
  lost: boolean
}

/** Holds a run of one benchmark against the one that is kept. */
export function check(kept: Results | undefined, now: Results): Finding[] {
  return now.rows.flatMap((row) => (row.rounds ? [findingOf(kept, now, row)] : []))
}

function findingOf(kept: Results | undefined, now: Results, row: Row): Finding {
  const before = kept?.rows.find(({ measured }) => measured === row.measured)
  const unknown = (why: string): Finding => ({ sentence: `Cannot tell: ${row.measured}: ${why}.`, lost: false })
  if (!kept || !before || !row.rounds) return unknown('nothing is kept of it')
  if (!before.rounds) return unknown('no rounds are kept of it')
  if (kept.arch !== now.arch || kept.cores !== now.cores) {
    return unknown(`it was measured on ${kept.cores} cores, ${kept.arch}, and this is ${now.cores} cores, ${now.arch}`)
  }
  const comparison = compare(before.rounds, row.rounds, seededRandom(1))
  const sentence = `${words[comparison.verdict]}: ${row.measured}: ${row.result}, was ${before.result}; ${sizeOf(comparison)}.`
  return { sentence, lost: comparison.verdict === 'lost' }
}

const words: Readonly<Record<Comparison['verdict'], string>> = {
  holds: 'Holds',
  gained: 'Gained',
  lost: 'Lost',
  'cannot tell': 'Cannot tell',
}

function sizeOf({ change, low, high }: Comparison): string {
  if (Number.isNaN(low)) return `${percent(change)}, with too few rounds to say how sure that is`
  return `${percent(change)}, between ${percent(low)} and ${percent(high)} (95 %)`
}

const percent = (change: number): string => `${change >= 1 ? '+' : '−'}${Math.abs((change - 1) * 100).toFixed(0)} %`
