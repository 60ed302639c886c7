import { describe, expect, test } from 'vitest'
import { drawLots } from '../../../test/support/chance.ts'
import { quantityFor, quantityOf, type Rule } from './stock.ts'

const open: Rule = { active: true, share_percent: 100, margin: 0, cap: null, minimum: 0, multiple: 1 }

describe('what a shop is to show', () => {
  test.each([
    ['all there is', 7, {}, 1, 7],
    ['nothing while it is off', 7, { active: false }, 1, null],
    ['none of what is oversold', -3, {}, 1, 0],
    ['a share, rounded down', 7, { share_percent: 50 }, 1, 3],
    ['no share', 7, { share_percent: 0 }, 1, 0],
    ['what the margin leaves', 7, { margin: 5 }, 1, 2],
    ['no less than none beside the margin', 7, { margin: 9 }, 1, 0],
    ['no more than the cap', 70, { cap: 5 }, 1, 5],
    ['nothing below the minimum', 7, { minimum: 8 }, 1, 0],
    ['whole packs', 17, { multiple: 6 }, 1, 12],
    ['boxes of six', 17, {}, 6, 2],
    ['boxes, with everything at once', 1000, { share_percent: 50, margin: 10, cap: 70, multiple: 4 }, 6, 68],
    ['a large share without loss', 999_999_999_999, { share_percent: 99 }, 1, 989_999_999_999],
  ] as const)('%s', (_, available, rule, pack, shown) => {
    expect(quantityFor(available, { ...open, ...rule }, pack)).toBe(shown)
  })

  test('a bundle is limited by its scarcest part', () => {
    const there = new Map([
      [1, 20],
      [2, 7],
    ])
    const parts = [
      { article_id: 1, quantity: 6 },
      { article_id: 2, quantity: 1 },
    ]
    expect(quantityOf(parts, (id) => there.get(id) ?? 0, open)).toBe(3)
    expect(quantityOf(parts, (id) => there.get(id) ?? 0, { ...open, active: false })).toBe(null)
    expect(quantityOf([{ article_id: 3, quantity: 1 }], () => 0, open)).toBe(0)
  })

  test('whatever the rule, it is a whole number that is there, and more stock never shows less', () => {
    const lots = drawLots('stock rules')
    for (let n = 0; n < 3000; n++) {
      const rule: Rule = {
        active: true,
        share_percent: lots.below(101),
        margin: lots.below(20),
        cap: lots.below(3) === 0 ? lots.below(50) : null,
        minimum: lots.below(4) === 0 ? lots.below(10) : 0,
        multiple: 1 + lots.below(7),
      }
      const pack = 1 + lots.below(8)
      const available = lots.below(400) - 100
      const shown = quantityFor(available, rule, pack) ?? -1
      expect(Number.isInteger(shown) && shown >= 0).toBe(true)
      expect(shown * pack).toBeLessThanOrEqual(Math.max(0, available - rule.margin))
      expect(shown % rule.multiple).toBe(0)
      expect(shown).toBeLessThanOrEqual(rule.cap ?? shown)
      expect(shown === 0 || shown >= rule.minimum).toBe(true)
      expect(quantityFor(available + 1 + lots.below(9), rule, pack)).toBeGreaterThanOrEqual(shown)
    }
  })

  test('shares of several shops never add up to more than there is', () => {
    const lots = drawLots('stock shares')
    for (let n = 0; n < 500; n++) {
      const available = lots.below(1000)
      const first = lots.below(101)
      const shown = [first, 100 - first].map((share) => quantityFor(available, { ...open, share_percent: share }) ?? 0)
      expect(shown.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(available)
    }
  })
})
