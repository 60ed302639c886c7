import { Unreadable } from '../../lib/words/unreadable.ts'
import { say } from '../words/say.ts'

/**
 * Times of shops that write them as their own clock shows them, without a zone: `2026-10-25 02:30:00`. Seconds, as text;
 * zones by their names of the IANA.
 */

const hour = 3_600_000
const day = 24 * hour

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  const parts = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const
  // Throws a RangeError on a zone that nobody knows.
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', era: 'short', ...parts })
  clocks.set(zone, clock)
  return clock
}

/** How far the clock there is ahead of Greenwich, in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: string) => Number(parts.get(name as Intl.DateTimeFormatPartTypes))
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return shown - Math.floor(instant / 1000) * 1000
}

const written = (instant: number): string => new Date(instant).toISOString().slice(0, 19)

/**
 * In Greenwich. An hour that the clock shows twice, in autumn, counts as its beginning for as long as it lasts: so that
 * what is later never comes out as earlier.
 */
export function fromLocalTime(local: string, zone: string): string {
  const shown = Date.parse(`${local.replace(' ', 'T')}Z`)
  if (!/^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d$/.test(local) || Number.isNaN(shown))
    throw new Unreadable(say('no_time', { value: local }))
  const [before, after] = [offsetAt(shown - day, zone), offsetAt(shown + day, zone)]
  const [early, late] = [shown - before, shown - after]
  if (before > after && offsetAt(early, zone) === before && offsetAt(late, zone) === after) {
    return `${written(turnBetween(early, late, zone) - (before - after))}.000000Z`
  }
  return `${written(offsetAt(early, zone) === before ? early : late)}.000000Z`
}

/** The second in which the clock is put back. */
function turnBetween(from: number, to: number, zone: string): number {
  const old = offsetAt(from, zone)
  let [low, high] = [from / 1000, to / 1000]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * 1000, zone) === old) low = middle
    else high = middle
  }
  return high * 1000
}

/** What the clock there shows, or an hour less where it is about to be put back or just was: never too late. */
export function toLocalTime(time: string, zone: string): string {
  const instant = Date.parse(time)
  const offsets = [-2 * hour, 0, 2 * hour].map((away) => offsetAt(instant + away, zone))
  return written(instant + Math.min(...offsets))
}

export function isZone(zone: string): boolean {
  try {
    clockOf(zone)
    return true
  } catch {
    return false
  }
}
