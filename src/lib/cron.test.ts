import { expect, test } from 'vitest'
import { nextRun } from './cron.ts'

const after = new Date('2026-11-15T00:00:00Z')
const next = (expression: string, timezone = 'UTC', from = after) => nextRun(expression, timezone, from)

test('the next time is later than the one given', () => {
  expect(next('0 0 * * *')).toBe('2026-11-16T00:00:00.000000Z')
  expect(next('*/15 * * * *')).toBe('2026-11-15T00:15:00.000000Z')
})

test('a time is one on the clocks of the time zone', () => {
  expect(next('0 9 * * mon-fri', 'America/New_York')).toBe('2026-11-16T14:00:00.000000Z')
})

test('a time that the clocks skip comes as soon as they go on', () => {
  expect(next('30 2 * * *', 'Europe/Berlin', new Date('2027-03-27T12:00:00Z'))).toBe('2027-03-28T01:00:00.000000Z')
})

test('a time that the clocks show twice comes once', () => {
  const first = next('30 2 * * *', 'Europe/Berlin', new Date('2026-10-24T12:00:00Z'))
  expect(first).toBe('2026-10-25T00:30:00.000000Z')
  expect(next('30 2 * * *', 'Europe/Berlin', new Date(first ?? ''))).toBe('2026-10-26T01:30:00.000000Z')
})

test.each([
  '',
  '* * * *',
  '* * * * * *',
  '60 * * * *',
  '* 24 * * *',
  '*/0 * * * *',
  '5-1 * * * *',
  '@daily',
  '0 0 L * *',
  '0 0 15W * *',
  '0 0 * * 5#2',
  '? * * * *',
  'jan * * * *',
  'every day at noon sharp',
  '0 0 30 2 *',
])('"%s" names no time', (expression) => {
  expect(next(expression)).toBeNull()
})

test('an unknown time zone names no time', () => {
  expect(next('* * * * *', 'Mars/Olympus')).toBeNull()
})

/** All times of an expression between two moments. */
function timesBetween(expression: string, timezone: string, from: string, to: string): string[] {
  const times: string[] = []
  let at = nextRun(expression, timezone, new Date(from))
  while (at !== null && Date.parse(at) < Date.parse(to)) {
    times.push(at)
    at = nextRun(expression, timezone, new Date(at))
  }
  return times
}

test.each([
  ['Europe/London', '2027-03-28', '2027-10-31'],
  ['America/New_York', '2027-03-14', '2027-11-07'],
])('on the days when the clocks of %s change, a daily time comes once', (timezone, spring, autumn) => {
  for (const day of [spring, autumn]) {
    const noon = Date.parse(`${day}T12:00:00Z`)
    const around = [noon - 60 * 3_600_000, noon + 60 * 3_600_000].map((at) => new Date(at).toISOString())
    for (const expression of ['30 1 * * *', '30 2 * * *', '0 3 * * *']) {
      const days = timesBetween(expression, timezone, around[0] ?? '', around[1] ?? '').map((at) =>
        new Date(at).toLocaleDateString('en-CA', { timeZone: timezone }),
      )
      expect(days).toEqual([...new Set(days)])
      expect(days).toContain(day)
    }
  }
})

test.each(['Europe/London', 'America/New_York'])(
  'every quarter of an hour is one, whatever the clocks of %s do',
  (zone) => {
    for (const [from, to] of [
      ['2027-03-14T00:00:00Z', '2027-03-15T00:00:00Z'],
      ['2027-03-28T00:00:00Z', '2027-03-29T00:00:00Z'],
      ['2027-10-31T00:00:00Z', '2027-11-01T00:00:00Z'],
      ['2027-11-07T00:00:00Z', '2027-11-08T00:00:00Z'],
    ] as const) {
      const times = timesBetween('*/15 * * * *', zone, from, to)
      const quarters = (Date.parse(to) - Date.parse(from)) / 900_000 - 1
      expect(times).toHaveLength(quarters)
    }
  },
)
