import { nextRun } from '../../lib/cron.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { remembered } from '../../runtime/remembered.ts'
import type { Context } from '../context.ts'
import { countSchedules } from './due-store.ts'
import type { Schedule } from './schedule.ts'

/** What one small machine starts in a second without being felt. */
const startsPerSecond = 40
const standardSeconds = 30
/** Whoever names an hour means that hour, however many others do too. */
const maxSeconds = 15 * 60
const countEverySeconds = 60

/** For how many seconds all that there is would keep the dispatchers busy if it came due in one minute. */
export const rushSeconds = (schedules: number): number => Math.ceil(schedules / startsPerSecond)

/**
 * How long after its next appointment a schedule runs: somewhere in the time that the rush would take, never past the
 * appointment after it, and by its id, so that the times between two runs stay even. Null: the standard half minute is enough.
 */
export function spreadOf(
  { id, cron, timezone }: Pick<Schedule, 'id' | 'cron' | 'timezone'>,
  nextRunAt: string | null,
  rush: number,
): number | null {
  if (nextRunAt === null || rush <= standardSeconds) return null
  const after = nextRun(cron, timezone, new Date(nextRunAt))
  const interval = after === null ? maxSeconds : (Date.parse(after) - Date.parse(nextRunAt)) / 1000
  return id % Math.floor(Math.max(standardSeconds, Math.min(rush, interval, maxSeconds)))
}

const rushes = new WeakMap<Db, () => Promise<number>>()

/** By the number of schedules, counted every minute for all who dispatch from this process to a database. */
export function readRush({ db }: Pick<Context, 'db'>): Promise<number> {
  const known = rushes.get(db) ?? remembered(countEverySeconds, async () => rushSeconds(await countSchedules(db)))
  rushes.set(db, known)
  return known()
}
