import { describe, expect, test } from 'vitest'
import { cronOf, nextRuns, type Plan, planInWords, planOf } from './cron.ts'
import { wordsFor } from './words/index.ts'

const plans: readonly [Plan, string, string][] = [
  [{ kind: 'minutes', every: 15 }, '*/15 * * * *', 'Every 15 minutes'],
  [{ kind: 'hours', every: 1, minute: 5 }, '5 * * * *', 'Every hour, at minute 05'],
  [{ kind: 'hours', every: 6, minute: 0 }, '0 */6 * * *', 'Every 6 hours, at minute 00'],
  [{ kind: 'days', hour: 6, minute: 30 }, '30 6 * * *', 'Every day at 06:30'],
  [{ kind: 'weeks', days: [1, 5], hour: 8, minute: 0 }, '0 8 * * 1,5', 'Monday and Friday at 08:00'],
  [{ kind: 'months', day: 31, hour: 0, minute: 0 }, '0 0 31 * *', 'On day 31 of each month at 00:00'],
  [{ kind: 'custom', cron: '0 9-17 * * 1-5' }, '0 9-17 * * 1-5', '0 9-17 * * 1-5'],
]

describe('a schedule', () => {
  test.each(plans)('is the same in both languages: %j', (plan, cron, words) => {
    expect(cronOf(plan)).toBe(cron)
    expect(planOf(cron)).toEqual(plan)
    expect(planInWords(plan, wordsFor('en'), 'en')).toBe(words)
  })

  test('tells its next runs over a change of the clocks', () => {
    const runs = nextRuns('30 2 * * *', 'Europe/Berlin', 2, new Date('2026-03-28T12:00:00Z'))
    expect(runs?.map((run) => run.toISOString())).toEqual(['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'])
  })

  test('that is none is told', () => {
    for (const cron of ['', 'every day', '* * * *', '61 * * * *', '* * * * * *']) {
      expect(nextRuns(cron, 'UTC', 1)).toBeNull()
    }
  })
})
