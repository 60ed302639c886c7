import type { Budget } from '../../commerce/connector/remote-rules.ts'

/** Shops that would ask as often, if nobody else had part in the limit. */
export interface Wish {
  shops: number
  /** Each of them. */
  callsPerDay: number
  /** Others wait for what is sold there. */
  isSelling: boolean
}

/** Calls a day that a shop has at most, by whether it is selling; infinite where all get what they wish. */
export interface Levels {
  selling: number
  others: number
}

const totalOf = (wishes: readonly Wish[], callsOf: (wish: Wish) => number): number =>
  wishes.reduce((sum, wish) => sum + wish.shops * callsOf(wish), 0)

/** So much for each that nothing is left, or all have enough; who wishes for less leaves the rest to the others. */
function levelOf(calls: number, wishes: readonly Wish[]): number {
  let left = calls
  let shops = totalOf(wishes, () => 1)
  for (const wish of wishes.toSorted((one, other) => one.callsPerDay - other.callsPerDay)) {
    if (wish.callsPerDay * shops > left) return Math.max(0, left / shops)
    left -= wish.callsPerDay * wish.shops
    shops -= wish.shops
  }
  return Number.POSITIVE_INFINITY
}

/**
 * What may be asked in a day, shared out. One half is everybody's: nobody has less than half of an even share, however many sell. Of the
 * other, those that sell have what they wish for before the rest.
 */
export function shareOut(callsPerDay: number, wishes: readonly Wish[]): Levels {
  const even = levelOf(callsPerDay / 2, wishes)
  const got = (wish: Wish) => Math.min(wish.callsPerDay, even)
  const missing = wishes.map((wish) => ({ ...wish, callsPerDay: wish.callsPerDay - got(wish) }))
  const selling = missing.filter(({ isSelling }) => isSelling)
  const rest = callsPerDay - totalOf(wishes, got)
  const more = levelOf(rest, selling)
  const last = levelOf(
    rest - totalOf(selling, (wish) => Math.min(wish.callsPerDay, more)),
    missing.filter(({ isSelling }) => !isSelling),
  )
  return { selling: even + more, others: even + last }
}

/** What the clock asks for. */
export type Planned = 'orders' | 'catalogue'

/** The parts of a day that the clock may plan. What remains is for parcels, levels, imports, comparisons and people. */
export const plannedParts: Readonly<Record<Planned, number>> = { orders: 0.5, catalogue: 0.25 }

/** A limit as it was last known. */
export interface KnownLimit {
  perSecond: number
  perDay: number | null
  dayLeft: number | null
}

const daySeconds = 86_400
/** Once less than this is left of a day, less is planned: something takes more than was expected. */
const scarce = 0.2
/** So that somebody asks, and learns that there is more again. */
const leastPart = 0.05

/** Calls that the platform allows in a day. */
export const callsPerDay = ({ perSecond, perDay }: Budget, known: KnownLimit | undefined = undefined): number =>
  Math.min((known?.perSecond ?? perSecond) * daySeconds, known?.perDay ?? perDay ?? Number.POSITIVE_INFINITY)

/** Questions that the clock may plan in a day; as many as it likes where they take nothing of this limit. */
export function plannable(budget: Budget, what: Planned, known: KnownLimit | undefined = undefined): number {
  const cost = budget.reads?.[what] ?? 0
  if (cost === 0) return Number.POSITIVE_INFINITY
  const day = callsPerDay(budget, known)
  const left = known?.dayLeft ?? day
  const part = Math.min(1, Math.max(leastPart, left / day / scarce))
  return (day * plannedParts[what] * part) / cost
}
