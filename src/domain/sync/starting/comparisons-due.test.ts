import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../../test/support/order-shop.ts'
import type { Comparison } from '../../../commerce/connector/parts.ts'
import { toTimestamp } from '../../../lib/timestamp.ts'
import { comparisonsDue } from './comparisons-due.ts'
import { comparisonsPerPass } from './queue-comparisons.ts'

const now = Date.UTC(2026, 10, 15)
const daysAgo = (days: number) => toTimestamp(new Date(now - days * 86_400_000))
const { orders } = scriptedShop(0).connector
if (!orders) throw new Error('There are no orders.')
const products = { list: orders.list, translate: () => expect.fail() }

/** Everything was compared three days ago, orders alone two days ago. */
const compared = { whole_at: daysAgo(3), resources: { orders: { proven_at: daysAgo(2) } } }
const due = (comparison: Comparison | undefined, completeness: unknown = compared) =>
  comparisonsDue({ orders: comparison ? { ...orders, comparison } : orders, products }, { completeness, now })

describe('a copy is compared', () => {
  test('over a month, and after a week from the beginning', () => {
    expect(due(undefined)).toEqual([{ updated_since: daysAgo(30) }])
    expect(due(undefined, { whole_at: daysAgo(8) })).toEqual([{ updated_since: null }])
    expect(due(undefined, null)).toEqual([{ updated_since: null }])
  })

  test('without its orders, where listing them is too dear', () => {
    expect(due('none')).toEqual([{ resources: ['products'], updated_since: daysAgo(30) }])
    expect(comparisonsDue({ orders: { ...orders, comparison: 'none' } }, { completeness: null, now })).toEqual([])
  })

  test('no further back than the connector says, also when all of the rest is compared', () => {
    const rest = (updated_since: string | null) => ({ resources: ['products'], updated_since })
    expect(due({ days: 1 })).toEqual([{ resources: ['orders'], updated_since: daysAgo(1) }, rest(daysAgo(30))])
    expect(due({ days: 1 }, null)).toEqual([{ resources: ['orders'], updated_since: daysAgo(1) }, rest(null)])
    expect(due({ days: 90 })).toEqual([{ resources: ['orders'], updated_since: daysAgo(30) }, rest(daysAgo(30))])
    expect(due({ days: 90 }, null)).toEqual([{ resources: ['orders'], updated_since: daysAgo(90) }, rest(null)])
  })

  test('no more often than the connector says', () => {
    expect(due({ everyHours: 72 })).toEqual([{ resources: ['products'], updated_since: daysAgo(30) }])
    expect(due({ everyHours: 48 })[0]).toEqual({ resources: ['orders'], updated_since: daysAgo(30) })
    expect(due({ everyHours: 72 }, null)[0]).toEqual({ resources: ['orders'], updated_since: null })
  })
})

test.each([1, 28_800, 100_000, 1_000_000])(
  'every copy of %i is compared once a day, with room to catch up',
  (shops) => {
    expect(comparisonsPerPass(shops) * 144).toBeGreaterThanOrEqual(shops * 1.5)
  },
)
