import { describe, expect, test } from 'vitest'
import { fromPostgres, hoursAfter } from './timestamp.ts'

describe('so many hours later', () => {
  test('keeps the microseconds', () => {
    expect(hoursAfter('2026-11-15T22:15:44.123456Z', 4)).toBe('2026-11-16T02:15:44.123456Z')
    expect(hoursAfter(fromPostgres('2026-12-31 23:59:59.9+00'), 24)).toBe('2027-01-01T23:59:59.900000Z')
  })

  test.each(['infinity', '-infinity', '0044-03-15 00:00:00+00 BC', '12026-01-01T00:00:00.000000Z', ''])(
    'there is none of "%s"',
    (text) => {
      expect(hoursAfter(text, 4)).toBeNull()
    },
  )
})
