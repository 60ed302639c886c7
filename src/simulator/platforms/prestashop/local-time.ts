import { day, hour, type Moment, momentOf, type Span, toSecond, withoutZone } from '../../clock.ts'

/** The shop's clock is that of Paris, and its times do not say so. */
export const zone = 'Europe/Paris'

/** The last Sunday of a month at one o'clock in Greenwich: then the clocks of Europe are changed. */
function changeIn(year: number, month: number): Moment {
  const end = Date.UTC(year, month + 1, 0)
  return (end - new Date(end).getUTCDay() * 86_400_000) * 1000 + hour
}

const yearOf = (at: Moment): number => new Date(at / 1000).getUTCFullYear()

export function local(at: Moment): Moment {
  const summer = at >= changeIn(yearOf(at), 2) && at < changeIn(yearOf(at), 9)
  return toSecond(at) + (summer ? 2 * hour : hour)
}

export const written = (at: Moment): string => withoutZone(local(at)).replace('T', ' ')

/** An hour of autumn is there twice: what changed in either is listed together. */
export function together(at: Moment): Moment {
  const change = changeIn(yearOf(at), 9)
  return at >= change - hour && at < change + hour ? change : toSecond(at)
}

/** All moments that may be meant by two times of the shop's clock. */
export const momentsWithin = (from: string, until: string): Span => {
  const [first, last] = [momentOf(from), momentOf(until)]
  return { from: first === null ? null : first - 2 * hour, before: last === null ? null : last + day }
}
