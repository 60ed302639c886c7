/**
 * Timestamps are text with microseconds from the database to the wire: a JavaScript `Date` would cut them to
 * milliseconds. PostgreSQL prints `2026-11-15 02:15:44.1234+00`; the wire wants `2026-11-15T02:15:44.123400Z`.
 */
export function fromPostgres(text: string): string {
  // The year has five digits where somebody's last second of 9999 is told in our time.
  if (text.length < 22 || text[10] !== ' ' || !text.endsWith('+00')) return slowFromPostgres(text)
  const fraction = text.slice(20, -3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(6, '0')}Z`
}

function slowFromPostgres(text: string): string {
  const match = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00(?::?00)?$/.exec(text)
  if (!match) return text
  return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(6, '0')}Z`
}

/** A day, or a time of one. What names no zone is UTC, as all our times are, wherever the program runs; NaN for what names no time. */
export function momentOf(text: string): number {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return Number.NaN
  const day = text.slice(0, 10)
  // A day that its month does not have would be one of the next.
  const midnight = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return Number.NaN
  if (isBare.test(text)) return Date.parse(`${text}Z`)
  // Written otherwise, it would be a time by the clocks of this machine.
  return text === day || namesZone.test(text) ? Date.parse(text) : Number.NaN
}

const isBare = /^.{10}[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/i
const namesZone = /(?:z|gmt|utc?|[ecmp][sd]t|[+-]\d\d:?\d\d)$/i

export const toTimestamp = (date: Date): string => date.toISOString().replace('Z', '000Z')

const hourMs = 3_600_000

/** So many whole hours later, to the microsecond; null for what is no moment that people live to see, such as `infinity`. */
export function hoursAfter(timestamp: string, hours: number): string | null {
  const later = new Date(Date.parse(timestamp) + hours * hourMs)
  const fraction = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6}Z)$/.exec(timestamp)?.[1]
  if (fraction === undefined || Number.isNaN(later.getTime())) return null
  return `${later.toISOString().slice(0, -5)}${fraction}`
}
