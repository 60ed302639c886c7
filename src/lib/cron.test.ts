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
