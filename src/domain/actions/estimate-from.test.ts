import { expect, test } from 'vitest'
import { estimateFrom } from './estimate-from.ts'

const connector = {
  type: 'any',
  remote: {
    origin: () => '',
    authenticate: <T>(request: T) => request,
    budgets: { default: { capacity: 10, perSecond: 2 }, points: { capacity: 1000, perSecond: 100 } },
  },
}
const look = { total: 10_000, size: 100, seconds: 0.1, costs: new Map([['default', 1]]) }

test('what a shop allows is what it takes, where that is longer than the reading', () => {
  // A hundred pages; nine at once, then two a second.
  expect(estimateFrom(connector, 'orders', look)).toBe(46)
  expect(estimateFrom(connector, 'orders', { ...look, costs: new Map([['points', 500]]) })).toBe(491)
})

test('a shop without limits takes as long as its pages do', () => {
  expect(estimateFrom(connector, 'orders', { ...look, seconds: 2, costs: new Map() })).toBe(200)
})

test('a page that began is a page', () => {
  expect(estimateFrom(connector, 'orders', { ...look, total: 101, seconds: 1, costs: new Map() })).toBe(2)
  expect(estimateFrom(connector, 'orders', { ...look, total: 0, seconds: 1, costs: new Map() })).toBe(0)
})
