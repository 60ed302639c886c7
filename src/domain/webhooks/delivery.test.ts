import { describe, expect, test } from 'vitest'
import { messageId, payloadOf, readRetryAfter, retryDelay, retryDelays } from './delivery.ts'

describe('retries', () => {
  test('go on for about three days', () => {
    const hours = retryDelays.reduce((sum, delay) => sum + delay, 0) / 3600
    expect(hours).toBeGreaterThan(72)
    expect(hours).toBeLessThan(78)
    expect(retryDelays.slice(0, 6)).toEqual([5, 300, 1800, 7200, 18_000, 36_000])
    expect(retryDelays.at(-1)).toBe(28_800)
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
    expect(retryDelay(1, 0, () => 0.5)).toBe(5)
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
    [' Sun, 15 Nov 2026 10:01:00 GMT ', 60],
    // Dates to JavaScript, and to nobody else.
    ['2026-11-15T10:01:00Z', null],
    ['15 Nov 2026 10:01:00 GMT', null],
    ['No 15, 2026', null],
    ['soon', null],
    ['-1', null],
    ['99999999999', null],
  ])('%s is %s seconds', (header, seconds) => {
    expect(readRetryAfter(header, now)).toBe(seconds)
  })
})

test('a message has the same id and the same bytes each time, with the data as it is stored', () => {
  expect([messageId(7), messageId(8)]).toEqual(['evt_7', 'evt_8'])
  const event = { type: 'order.created', created_at: '2026-11-15T10:00:00.000000Z', data: '{"total": "1.50","id":1}' }
  expect(payloadOf(event)).toBe(
    '{"type":"order.created","timestamp":"2026-11-15T10:00:00.000000Z","data":{"total": "1.50","id":1}}',
  )
  expect(JSON.parse(payloadOf({ ...event, type: '"' }))).toMatchObject({ type: '"', data: { id: 1 } })
  expect(payloadOf({ ...event, data: '{"total":"1","id":1,"order_ids":[2],"idle":true,"href":"/x"}' }, true)).toContain(
    '"data":{"id":1,"order_ids":[2],"href":"/x"}',
  )
})
