/** How far back an overview looks, and in what steps. */
const ranges = {
  '1h': { seconds: 3600, unit: 'minute' },
  '24h': { seconds: 86_400, unit: 'hour' },
  '7d': { seconds: 7 * 86_400, unit: 'hour' },
  '30d': { seconds: 30 * 86_400, unit: 'day' },
} as const

export type RangeName = keyof typeof ranges
export const rangeNames: readonly RangeName[] = ['1h', '24h', '7d', '30d']

/** The figures of an overview are about what happened from `from` up to, and not at, `to`. */
export interface Range {
  name: RangeName
  from: string
  to: string
  unit: 'minute' | 'hour' | 'day'
  /** In which hours and days begin. */
  timeZone: string
}

export function rangeUpTo(name: RangeName, { now, timeZone }: { now: Date; timeZone: string }): Range {
  const { seconds, unit } = ranges[name]
  const from = new Date(now.getTime() - seconds * 1000)
  return { name, from: from.toISOString(), to: now.toISOString(), unit, timeZone }
}
