import { day, hour, type Moment, second } from '../clock.ts'
import { mix } from '../random.ts'
import { type Stage, stages } from './order.ts'

/** The state of all orders, a number per order and column: 26 bytes each. */
export type OrderColumns = ReturnType<typeof allocate>

export const allocate = (capacity: number) => ({
  placedAt: new Float64Array(capacity),
  updatedAt: new Float64Array(capacity),
  version: new Uint32Array(capacity),
  stage: new Uint8Array(capacity),
  acknowledged: new Uint8Array(capacity),
  gone: new Uint8Array(capacity),
  noteEdits: new Uint16Array(capacity),
  surcharges: new Uint8Array(capacity),
})

export function grow(columns: OrderColumns, capacity: number): OrderColumns {
  const larger = allocate(capacity)
  const before = new Map(Object.entries(columns))
  for (const [name, column] of Object.entries(larger)) column.set(before.get(name) ?? [])
  return larger
}

export const codeOf = (stage: Stage): number => stages.indexOf(stage)
export const stageOf = (code: number): Stage => stages[code] ?? 'paid'

/** How many of a hundred old orders stand where. */
const shares: readonly (readonly [Stage, number])[] = [
  ['unpaid', 6],
  ['held', 3],
  ['paid', 20],
  ['part_sent', 9],
  ['sent', 17],
  ['delivered', 33],
  ['part_refunded', 2],
  ['refunded', 3],
  ['cancelled', 7],
]
const byPercent = shares.flatMap(([stage, share]) => Array.from({ length: share }, () => stage))

/** One year of trade. Long over, so that what happens from now on is always the newest. */
export const firstDay: Moment = Date.UTC(2025, 0, 1) * 1000
export const lastDay: Moment = Date.UTC(2026, 0, 1) * 1000

/** Orders were placed from and until then; what happened to them afterwards was over at the end. */
interface History {
  from: Moment
  until: Moment
  ends: Moment
}

export const lastYear: History = { from: firstDay, until: lastDay - 40 * day, ends: lastDay }
export const lastMonth = (ends: Moment): History => ({ from: ends - 30 * day, until: ends - hour, ends })

/**
 * The history of the first `count` orders. A tenth of them were touched by bulk edits in the night, thousands at the very
 * same microsecond; the others have times of their own, and many of those agree in the second.
 */
export function fillHistory(
  columns: OrderColumns,
  { seed, count, from, until, ends }: { seed: number; count: number } & History,
  inTwo: (index: number) => boolean,
): void {
  const gap = Math.max(1, Math.floor((until - from) / Math.max(1, count)))
  for (let index = 0; index < count; index++) {
    const chance = mix(mix(seed, 1_000_003), index)
    const placed = from + index * gap + (chance % gap)
    let stage = byPercent[chance % 100] ?? 'paid'
    if (stage === 'part_sent' && !inTwo(index)) stage = 'sent'
    if (stage.endsWith('refunded') && ends - placed < 11 * day) stage = 'delivered'
    const days = stage === 'unpaid' || stage === 'paid' ? 0 : 1 + ((chance >>> 8) % 20)
    const later = days * day + ((chance >>> 4) % 86_400) * second + (chance % 1_000_000)
    const bulk = (chance >>> 12) % 10 === 0
    columns.placedAt[index] = placed
    columns.updatedAt[index] = Math.min(bulk ? nightAfter(placed + later) : placed + later, ends)
    columns.version[index] = 1
    columns.stage[index] = codeOf(stage)
    columns.acknowledged[index] = stage === 'unpaid' || (stage === 'paid' && chance % 2 === 0) ? 0 : 1
  }
}

/** Bulk edits run every ten days at two. */
const nightAfter = (moment: Moment): Moment =>
  firstDay + Math.ceil((moment - firstDay) / (10 * day)) * 10 * day + 2 * hour
