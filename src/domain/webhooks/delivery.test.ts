import { describe, expect, test } from 'vitest'
import { readRetryAfter, retryDelay, retryDelays } from './delivery.ts'

describe('retries', () => {
  test('go on for about three days', () => {
    const hours = retryDelays.reduce((sum, delay) => sum + delay, 0) / 3600
    expect(hours).toBeGreaterThan(72)
    expect(hours).toBeLessThan(78)
    expect(retryDelays.slice(0, 6)).toEqual([5, 300, 1800, 7200, 18_000, 36_000])
  })

  test('are spread by a fifth either way', () => {
    expect(retryDelay(1, null, () => 0)).toBe(4)
    expect(retryDelay(1, null, () => 1)).toBeCloseTo(6)
  })

  test('end', () => {
    expect(retryDelay(retryDelays.length, null, () => 0.5)).not.toBeNull()
    expect(retryDelay(retryDelays.length + 1, null, () => 0.5)).toBeNull()
  })

  test('come later if the endpoint asks for it, never earlier, and within reason', () => {
    expect(retryDelay(1, 60, () => 0.5)).toBe(60)
    expect(retryDelay(2, 1, () => 0.5)).toBe(300)
    expect(retryDelay(1, 10_000_000, () => 0.5)).toBe(36_000)
  })
})

describe('Retry-After', () => {
  const now = Date.parse('2026-11-15T10:00:00Z')
  test.each([
    [undefined, null],
    ['120', 120],
    [' 5 ', 5],
    ['Sun, 15 Nov 2026 10:01:00 GMT', 60],
    ['Sun, 15 Nov 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['-1', null],
    ['99999999999', null],
  ])('%s is %s seconds', (header, seconds) => {
    expect(readRetryAfter(header, now)).toBe(seconds)
  })
})
