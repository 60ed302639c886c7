import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fromPostgres, hoursAfter, momentOf, toTimestamp } from './timestamp.ts'

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

describe('what PostgreSQL prints', () => {
  test.each([
    ['2026-11-15 02:15:44.1234+00', '2026-11-15T02:15:44.123400Z'],
    ['2026-11-15 02:15:44.123456+00', '2026-11-15T02:15:44.123456Z'],
    ['2026-11-15 02:15:44+00', '2026-11-15T02:15:44.000000Z'],
    ['2026-11-15 02:15:44+00:00', '2026-11-15T02:15:44.000000Z'],
    ['2026-11-15 02:15:44.5+0000', '2026-11-15T02:15:44.500000Z'],
    ['10000-01-01 04:59:59+00', '10000-01-01T04:59:59.000000Z'],
    ['10000-01-01 04:59:59.999999+00', '10000-01-01T04:59:59.999999Z'],
    ['infinity', 'infinity'],
    ['0044-03-15 00:00:00+00 BC', '0044-03-15 00:00:00+00 BC'],
    ['2026-11-15 02:15:44+02', '2026-11-15 02:15:44+02'],
    ['x2026-11-15 02:15:44+00:00', 'x2026-11-15 02:15:44+00:00'],
    ['2026-11-15 02:15:44+00:00x', '2026-11-15 02:15:44+00:00x'],
  ])('"%s" is "%s"', (text, ours) => {
    expect(fromPostgres(text)).toBe(ours)
  })
})

test('a moment is written with microseconds', () => {
  expect(toTimestamp(new Date('2026-11-15T02:15:44.123Z'))).toBe('2026-11-15T02:15:44.123000Z')
})

test('only what is a timestamp from the first sign to the last has later hours', () => {
  const moment = '2026-11-15T22:15:44.123456Z'
  expect(['+0', ' '].map((sign) => hoursAfter(`${sign}${moment}`, 4))).toEqual([null, null])
  expect(hoursAfter(`${moment} `, 4)).toBeNull()
  expect(hoursAfter('2026-19-15T22:15:44.123456Z', 4)).toBeNull()
})

describe('the moment that somebody names', () => {
  const zone = process.env['TZ']
  beforeEach(() => {
    process.env['TZ'] = 'America/New_York'
  })
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })

  test.each([
    ['2026-11-15', '2026-11-15T00:00:00.000Z'],
    ['2026-11-15T10:00', '2026-11-15T10:00:00.000Z'],
    ['2026-11-15T10:00:00', '2026-11-15T10:00:00.000Z'],
    ['2026-11-15 10:00:00.123456', '2026-11-15T10:00:00.123Z'],
    ['2026-11-15T10:00:00Z', '2026-11-15T10:00:00.000Z'],
    ['2026-11-15T10:00:00+01:00', '2026-11-15T09:00:00.000Z'],
    ['2026-11-15T10:00:00.5-0500', '2026-11-15T15:00:00.500Z'],
    ['2026-11-15 10:00 +0100', '2026-11-15T09:00:00.000Z'],
    ['2026-11-15 10:00 GMT', '2026-11-15T10:00:00.000Z'],
  ])('by "%s" is %s also where the clocks show another time', (text, at) => {
    expect(new Date(2026, 10, 15).getTimezoneOffset()).toBe(300)
    expect(new Date(momentOf(text)).toISOString()).toBe(at)
  })

  test.each([
    '',
    'now',
    'yesterday',
    '15.11.2026',
    '2026-13-01',
    '2026-02-30',
    '2026-11-31T10:00Z',
    '2026-11-15T25:00',
    '2026-11-15 10:00 PM',
    '2026-11-15,10:00',
    '2026-11-15 (Sunday)',
  ])('is none by "%s"', (text) => {
    expect(momentOf(text)).toBeNaN()
  })
})
