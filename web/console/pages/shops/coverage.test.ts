import { expect, test } from 'vitest'
import { byDay } from './coverage-days.ts'

const noon = Date.UTC(2026, 10, 16, 12)
const comparison = (day: number, compared: number, missing = 0) => ({
  at: new Date(Date.UTC(2026, 10, day, 3)).toISOString(),
  ...{ compared, missing, stale: 0, healed: missing },
})

test('comparisons are summed up day by day, from the first to today', () => {
  const days = byDay([comparison(16, 10), comparison(14, 7, 2), comparison(14, 3)], noon)
  expect(days.steps.map((at) => at.slice(8, 10))).toEqual(['14', '15', '16'])
  expect(days.compared).toEqual([10, 0, 10])
  expect(days.missing).toEqual([2, 0, 0])
  expect(days.healed).toEqual([2, 0, 0])
})

test('no further back than thirty days', () => {
  const old = { ...comparison(1, 5), at: '2026-01-01T00:00:00.000Z' }
  const days = byDay([old, comparison(16, 1)], noon)
  expect(days.steps).toHaveLength(30)
  expect(days.compared.at(-1)).toBe(1)
  expect(days.compared.reduce((sum, n) => sum + n)).toBe(1)
})
