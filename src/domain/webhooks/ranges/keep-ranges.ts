import type { Context } from '../../context.ts'
import { ageOf, dropRange, makeRange, type Range, type Ranged, readPace, readRanges } from './range-store.ts'

export const keptDays = 30
/** What a range holds: as much as comes in these days, so that there are few, however much comes. */
const daysInRange = 5
const leastInRange = 1_000_000
/** One that can be dropped in so many days is left until then: row by row, deleting costs as much as writing did. */
const patienceDays = 7

type Needs = Pick<Context, 'db' | 'transaction'>

/** Makes the next range ahead of its time, and drops those that are old. From which ids on rows are left to be deleted singly. */
export async function keepRanges(context: Needs): Promise<Record<Ranged, number>> {
  return {
    webhook_events: await keep(context, 'webhook_events'),
    webhook_deliveries: await keep(context, 'webhook_deliveries'),
  }
}

async function keep(context: Needs, table: Ranged): Promise<number> {
  const pace = await readPace(context.db, table)
  const ranges = await readRanges(context.db, table)
  const next = nextRange(ranges.at(-1)?.end ?? 0, pace)
  if (next) await context.transaction((trx) => makeRange(trx, table, next))
  let from = 0
  for (const range of ranges.filter(({ end }) => end <= pace.reached)) {
    const days = await ageOf(context.db, table, range)
    if (days === null || days > keptDays) await context.transaction((trx) => dropRange(trx, table, range))
    else if (days <= keptDays - patienceDays) break
    from = range.end
  }
  return from
}

/**
 * Null while the last one has room for a day. Where nobody has made one in time, ids have gone on without: it begins where they
 * will be in an hour, and what comes before that stays where such rows lie.
 */
export function nextRange(end: number, { reached, perHour }: { reached: number; perHour: number }): Range | null {
  const inRange = Math.max(leastInRange, perHour * 24 * daysInRange)
  if (end - reached > Math.max(leastInRange / 2, perHour * 24)) return null
  const begin = reached < end ? end : reached + perHour + 1000
  return { name: `from_${begin}`, begin, end: begin + inRange }
}
