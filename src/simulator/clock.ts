/** Time in the shop: microseconds since 1970 as a number, which stays exact until the year 2255. */
export type Moment = number

export const second = 1_000_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

export type Clock = ReturnType<typeof createClock>

export function createClock(notBefore: Moment) {
  let ahead = Math.max(0, notBefore - Date.now() * 1000)
  let last = notBefore
  const now = (): Moment => {
    last = Math.max(last, Date.now() * 1000 + ahead)
    return last
  }
  return {
    now,
    /** A moment that no tick before has had, so that later changes sort after earlier ones. */
    tick: (): Moment => {
      last = Math.max(last + 1, now())
      return last
    },
    advance: (seconds: number): void => {
      ahead += Math.round(seconds * second)
    },
  }
}

const isoOf = (moment: Moment) => new Date(Math.floor(moment / 1000)).toISOString()

/** 2026-11-15T02:15:44.123456Z */
export const inMicroseconds = (moment: Moment): string =>
  `${isoOf(moment).slice(0, -1)}${String(moment % 1000).padStart(3, '0')}Z`

/** 2026-11-15T02:15:44Z */
export const inSeconds = (moment: Moment): string => `${isoOf(moment).slice(0, 19)}Z`

/** 2026-11-15T02:15:44 */
export const withoutZone = (moment: Moment): string => isoOf(moment).slice(0, 19)

/** At or after, and before. */
export interface Span {
  from?: Moment | null | undefined
  before?: Moment | null | undefined
}

export const isWithin = (at: Moment, { from, before }: Span): boolean =>
  (from == null || at >= from) && (before == null || at < before)

export const toSecond = (moment: Moment): Moment => moment - (moment % second)

const pattern = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?$/i

/** Null for what is no time. Without a zone it is taken as UTC. */
export function momentOf(text: string): Moment | null {
  const match = pattern.exec(text.trim())
  if (!match) return null
  const [, date, time = '00:00:00', fraction = '', zone = 'Z'] = match
  const milliseconds = Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}${zone.toUpperCase()}`)
  return Number.isNaN(milliseconds) ? null : milliseconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}
