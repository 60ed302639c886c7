import { expect, test } from 'vitest'
import { drawLots } from '../../../test/support/chance.ts'
import { deal, type Hand } from './deal.ts'

const hand = (id: number, offers: number, more: Partial<Hand> = {}): Hand => ({
  ...{ id, most: 100, weight: 100, offers, exposed: offers },
  ...more,
})
const dealt = (available: number, hands: readonly Hand[]) => [...deal(available, hands).values()]

test('each of the last pieces is offered in one shop', () => {
  const shops = [1, 2, 3, 4, 5].map((id) => hand(id, 4))
  expect(dealt(4, shops)).toEqual([1, 1, 1, 1, 0])
  expect(dealt(7, shops)).toEqual([2, 2, 1, 1, 1])
  expect(dealt(0, shops)).toEqual([0, 0, 0, 0, 0])
})

test('what a shop sells is its own: the others keep what they have', () => {
  expect(dealt(3, [hand(1, 0), hand(2, 1), hand(3, 1), hand(4, 1)])).toEqual([0, 1, 1, 1])
  expect(dealt(2, [hand(1, 1), hand(2, 0), hand(3, 1), hand(4, 0)])).toEqual([1, 0, 1, 0])
})

test('a piece that changes shops is taken from one before another gets it', () => {
  const before = [hand(1, 0), hand(2, 2), hand(3, 2)]
  expect(dealt(4, before)).toEqual([0, 2, 1])
  expect(dealt(4, [hand(1, 0), hand(2, 2), hand(3, 1)])).toEqual([1, 2, 1])
})

test('nobody gets more while it is not known what another shows', () => {
  expect(dealt(4, [hand(1, 1), hand(2, 1), hand(3, 1, { exposed: null })])).toEqual([1, 1, 1])
  expect(dealt(4, [hand(1, 1), hand(2, 1), hand(3, 1, { exposed: 2 })])).toEqual([1, 1, 1])
  expect(dealt(4, [hand(1, 1), hand(2, 1), hand(3, 1)])).toEqual([2, 1, 1])
})

test('by weight, and no more than the rule of a shop allows', () => {
  expect(dealt(6, [hand(1, 9), hand(2, 9, { weight: 50 })])).toEqual([4, 2])
  expect(dealt(6, [hand(1, 9, { most: 1 }), hand(2, 9)])).toEqual([1, 5])
  expect(dealt(6, [hand(1, 9, { weight: 0 }), hand(2, 9, { most: 0 })])).toEqual([0, 0])
})

test('whatever shops show, and whoever sells in between, no more is offered than there is', () => {
  const { below } = drawLots('dealt out')
  for (let round = 0; round < 300; round++) {
    let available = 1 + below(12)
    const shown = Array.from({ length: 2 + below(5) }, () => 0)
    for (let step = 0; step < 40; step++) {
      const targets = dealt(
        available,
        shown.map((n, id) => hand(id, n)),
      )
      const shop = below(shown.length)
      // Shops are told one by one and in any order; some sell before they are, some get new goods.
      shown[shop] = targets[shop] ?? 0
      const seller = below(shown.length)
      if ((shown[seller] ?? 0) > 0 && below(2) === 0) {
        shown[seller] = (shown[seller] ?? 0) - 1
        available--
      }
      if (below(10) === 0) available += below(3)
      expect(shown.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(available)
    }
  }
})
