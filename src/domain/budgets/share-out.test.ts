import { describe, expect, test } from 'vitest'
import { drawLots } from '../../../test/support/chance.ts'
import { connectors } from '../../connectors/index.ts'
import { hasSharedBudget } from './budget.ts'
import { callsPerDay, type Levels, plannable, plannedParts, shareOut, type Wish } from './share-out.ts'

const wish = (shops: number, calls: number, isSelling = false): Wish => ({ shops, callsPerDay: calls, isSelling })
const gets = ({ callsPerDay: calls, isSelling }: Wish, { selling, others }: Levels) =>
  Math.min(calls, isSelling ? selling : others)
const sumOf = (wishes: readonly Wish[], levels: Levels) =>
  wishes.reduce((sum, one) => sum + one.shops * gets(one, levels), 0)

describe('what shops may ask together', () => {
  test('is all that they wish for while that is no more than there is', () => {
    for (const wishes of [[], [wish(10, 288)], [wish(3, 288), wish(1, 1000, true)], [wish(5, 0)]]) {
      const levels = shareOut(5000, wishes)
      for (const one of wishes) expect(gets(one, levels)).toBe(one.callsPerDay)
    }
  })

  test('is shared evenly where nobody sells, and who wishes for less leaves the rest to others', () => {
    expect(shareOut(5000, [wish(100, 288)]).others).toBe(50)
    expect(shareOut(5000, [wish(50, 20), wish(50, 288)]).others).toBeCloseTo(80, 9)
  })

  test('is in one half everybody’s, in the other theirs who sell', () => {
    const levels = shareOut(6000, [wish(50, 288), wish(10, 43_200, true)])
    expect(levels.others).toBeCloseTo(50, 9)
    expect(levels.selling).toBeCloseTo(50 + 3000 / 10, 9)
    // What those who sell have no use for comes back.
    expect(shareOut(6000, [wish(50, 288), wish(10, 60, true)]).others).toBeCloseTo((6000 - 600) / 50, 9)
  })

  test('is never more than there is, for any number of shops; nobody has less than half of an even share, nor more than he wishes', () => {
    const lots = drawLots('shares of a limit')
    for (let round = 0; round < 2000; round++) {
      const calls = 1 + lots.below(200_000)
      const wishes = Array.from({ length: 1 + lots.below(8) }, () =>
        wish(
          1 + lots.below(lots.pick([3, 60, 5000])),
          lots.pick([0, 24, 288, 1440, 8640, 43_200]),
          lots.fraction() < 0.4,
        ),
      )
      const levels = shareOut(calls, wishes)
      const shops = wishes.reduce((sum, one) => sum + one.shops, 0)
      const sum = sumOf(wishes, levels)
      expect(sum).toBeLessThanOrEqual(calls * (1 + 1e-9))
      // Nothing is kept back that somebody wishes for.
      const wished = wishes.reduce((all, one) => all + one.shops * one.callsPerDay, 0)
      expect(sum).toBeGreaterThanOrEqual(Math.min(calls, wished) * (1 - 1e-9))
      for (const one of wishes) {
        const least = Math.min(one.callsPerDay, calls / 2 / shops)
        expect(gets(one, levels)).toBeGreaterThanOrEqual(least * (1 - 1e-9))
      }
      // Of two that wish for as much, the one that sells comes first.
      for (const one of wishes.filter(({ isSelling }) => isSelling))
        for (const other of wishes.filter(({ callsPerDay: same }) => same === one.callsPerDay))
          expect(gets(one, levels)).toBeGreaterThanOrEqual(gets(other, levels) * (1 - 1e-9))
    }
  })
})

describe('of what a platform allows in a day', () => {
  const etsy = { capacity: 10, perSecond: 10, perDay: 10_000, reads: { orders: 1, catalogue: 10 } }
  const known = { perSecond: 10, perDay: 10_000, dayLeft: 10_000 }

  test('a quarter is kept for the rest of the work', () => {
    expect(plannedParts.orders + plannedParts.catalogue).toBe(0.75)
    expect(plannable(etsy, 'orders')).toBe(5000)
    expect(plannable(etsy, 'catalogue')).toBe(250)
  })

  test('as much counts as it has said last, by the day or by the second', () => {
    expect(plannable(etsy, 'orders', { ...known, perDay: 100_000, dayLeft: 90_000 })).toBe(50_000)
    expect(callsPerDay(etsy, { ...known, perSecond: 0.01 })).toBe(864)
    expect(callsPerDay({ capacity: 200, perSecond: 1 })).toBe(86_400)
  })

  test('less is planned once little is left, whoever has used it, and never nothing', () => {
    const left = (dayLeft: number) => plannable(etsy, 'orders', { ...known, dayLeft })
    expect([left(9000), left(2000), left(1000), left(0)]).toEqual([5000, 5000, 2500, 250])
  })

  test('what takes nothing of a limit is not bounded by it', () => {
    expect(plannable({ capacity: 1, perSecond: 1, reads: { orders: 1 } }, 'catalogue')).toBe(Number.POSITIVE_INFINITY)
  })
})

test('a connector whose shops share a limit says what it takes to ask them', () => {
  const sharing = [...connectors.values()].filter(hasSharedBudget)
  expect(sharing.length).toBeGreaterThan(1)
  for (const { remote } of sharing)
    for (const what of ['orders', 'catalogue'] as const)
      expect(Object.values(remote.budgets).some(({ reads }) => (reads?.[what] ?? 0) > 0)).toBe(true)
})
