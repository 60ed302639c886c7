import { Cron } from 'croner'
import { toTimestamp } from './timestamp.ts'

/**
 * Five fields: minute, hour, day of month, month, day of week, with `*`, lists, ranges, steps and English names of
 * months and weekdays. No seconds, no nicknames, and none of the further signs that some implementations know and
 * others do not.
 */
const signs = String.raw`[\d*,/-]+`
const months = String.raw`(?:[\d*,/-]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)+`
const weekdays = String.raw`(?:[\d*,/-]|sun|mon|tue|wed|thu|fri|sat)+`
const fiveFields = new RegExp(`^${[signs, signs, signs, months, weekdays].join(' ')}$`, 'i')

/** The first time after `after` that the expression names on the clocks of the time zone; null if there is none. */
export function nextRun(expression: string, timezone: string, after: Date): string | null {
  const fields = expression.trim().replace(/\s+/g, ' ')
  if (!fiveFields.test(fields)) return null
  try {
    const next = new Cron(fields, { mode: '5-part', timezone, paused: true }).nextRun(after)
    return next ? toTimestamp(next) : null
  } catch {
    return null
  }
}
