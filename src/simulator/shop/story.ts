import { day, hour, type Moment, minute } from '../clock.ts'
import { mix } from '../random.ts'
import type { Stage } from './order.ts'
import { codeOf, type OrderColumns } from './order-columns.ts'
import type { RangeName } from './ranges.ts'

/** A shop that looks like somebody's: a month of trade up to a moment, and what goes on after it. */
export interface Story {
  /** The month of history ends here. */
  openedAt: Moment
  range: RangeName
  /** Where buyers live, by country code. */
  countries: readonly string[]
  /** Something happens so often afterwards; never where it is 0. */
  everySeconds: number
}

/** How many of a hundred orders of some age stand where: from the youngest on. */
const shares: readonly { days: number; share: Partial<Record<Stage, number>> }[] = [
  { days: 1.5, share: { paid: 68, unpaid: 8, held: 5, sent: 14, cancelled: 5 } },
  { days: 5, share: { paid: 8, part_sent: 6, sent: 56, delivered: 22, held: 2, cancelled: 6 } },
  { days: 11, share: { part_sent: 1, sent: 14, delivered: 79, cancelled: 6 } },
  { days: 99, share: { delivered: 82, part_refunded: 6, refunded: 6, cancelled: 6 } },
]
const byAge = shares.map(({ days, share }) => ({
  before: days * day,
  stages: Object.entries(share).flatMap(([stage, count]) => Array.from({ length: count }, () => stage as Stage)),
}))

/** Hours from the order to its parcel. */
export const packingOf = (index: number): Moment => (3 + ((index * 7) % 22)) * hour

/** By day more is bought than by night. */
const byDaylight = (moment: Moment): Moment => {
  const part = (moment % day) / day
  return moment - (moment % day) + Math.floor((part + 0.12 * Math.sin(2 * Math.PI * part)) * day)
}

export function fillMonth(
  columns: OrderColumns,
  { seed, count, openedAt }: { seed: number; count: number; openedAt: Moment },
  inTwo: (index: number) => boolean,
): void {
  const gap = Math.floor((30 * day) / Math.max(1, count))
  for (let index = 0; index < count; index++) {
    const chance = mix(mix(seed, 1_000_003), index)
    const even = openedAt - 30 * day + index * gap + (chance % gap)
    // The last hours stay as they are: they must not come to lie ahead.
    const placed = openedAt - even > 12 * hour ? Math.min(byDaylight(even), openedAt - 6 * hour) : even
    const age = openedAt - placed
    const { stages = [] } = byAge.find(({ before }) => age < before) ?? {}
    let stage = stages[chance % 100] ?? 'paid'
    if (stage === 'part_sent' && !inTwo(index)) stage = 'sent'
    if (stage === 'sent' && age < packingOf(index) + hour) stage = 'paid'
    columns.placedAt[index] = placed
    columns.updatedAt[index] = Math.min(placed + delayOf(stage, index, chance), openedAt - minute - (count - index))
    columns.version[index] = 1
    columns.stage[index] = codeOf(stage)
    columns.acknowledged[index] = stage === 'unpaid' ? 0 : 1
  }
}

function delayOf(stage: Stage, index: number, chance: number): Moment {
  const some = (chance % 3_600_000) * 1000
  if (stage === 'unpaid' || stage === 'paid') return some % minute
  if (stage === 'held' || stage === 'cancelled') return hour + some
  if (stage === 'part_sent' || stage === 'sent') return packingOf(index) + some
  return (stage === 'delivered' ? 2 + (index % 3) : 10) * day + some
}
