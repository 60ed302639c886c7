import { toTimestamp } from '../../lib/timestamp.ts'
import type { Unreported } from './silence/unreported-store.ts'

/** What is kept of a shop. */
export const syncKinds = ['orders', 'products', 'inventory'] as const
export type SyncKind = (typeof syncKinds)[number]

/**
 * `initial`: nothing has been read yet. `incremental`: what changed since. `full`: everything again, to find what is
 * gone. `compare`: as full, or from a given time, to prove that the copy is complete.
 */
export type PassMode = 'initial' | 'incremental' | 'full' | 'compare'

export interface Tally {
  read: number
  inserted: number
  updated: number
  unchanged: number
  set_aside: number
  deleted: number
  /** Placed so long ago that the app does not keep them: not stored. */
  expired: number
  /** So many were missing that nothing was deleted. */
  suspicious_deletes: number
  /** Found by a comparison: not held at all, or in an older version. */
  missing: number
  stale: number
  /** Read again although their version had not moved. */
  rechecked: number
  /** Could not be compared: the shop does not say whether it still has them. */
  uncertain: number
}

export const emptyTally: Tally = {
  read: 0,
  inserted: 0,
  updated: 0,
  unchanged: 0,
  set_aside: 0,
  deleted: 0,
  expired: 0,
  suspicious_deletes: 0,
  missing: 0,
  stale: 0,
  rechecked: 0,
  uncertain: 0,
}

/** One reading of one kind of record: all that a worker needs to go on where another one stopped. */
export interface Pass {
  run: number
  mode: PassMode
  /** The shop is asked for what changed at or after this time; null is everything. */
  since: string | null
  /** It looks back for a short time only: what the shop shows late is left to the next one that looks back further. */
  near?: boolean
  /** What was placed before is not expected: the platform no longer shows it. Left out or null where it shows everything. */
  oldest?: string | null
  /** What was placed before is not kept: the app wants it so. Left out or null where everything is. */
  keptFrom?: string | null
  /** The database's time. */
  startedAt: string
  stage: 'reading' | 'settling' | 'done'
  /** Where the next page begins, in the connector's own words; null at the start. */
  next: string | null
  /** The newest change seen, in the shop's time. */
  newest: string | null
  total: number | null
  /** How often everything has been read anew because the shop moved below us. */
  rounds: number
  tally: Tally
  /** Older records were left to a comparison, which has them from the index. */
  leftToIndex?: boolean
  /** The first comparison of a copy that the list has begun: what it lacks is not missing, but still to come. */
  first?: boolean
  /** Of what a read for news has found: what no message of the shop had told. */
  unreported?: Unreported
  /** What of ours it has not come across, counted once; and how far that has been looked into, record by record. */
  missed?: { held: number; unseen: number; after: string[] | null }
  /** Some were so new that their message may still have been under way. */
  undecided?: boolean
}

/** How far one kind of record has been read. */
export interface Cursor {
  /** Every change in the shop before this time is held, or was when it was read. */
  watermark: string | null
  /** Further than that, what the shop had shown at once is held. */
  ahead?: string | null
  pass: Pass | null
  /** Older records than the list was read for are still to come from the index. */
  historyDue?: boolean
}

/**
 * Where a pass is remembered. News has a place of its own: a comparison that takes hours, because the platform allows
 * little, never keeps new orders out. So have the looks at what is newest while news from further back is read.
 */
export type Slot = 'pass' | 'near' | 'aside'

export const slotOf = ({ mode, since }: { mode: string; since: string | null }): Slot =>
  mode === 'incremental' && since === null ? 'pass' : 'aside'

/** Clocks and late commits in the shop are this far apart at most; what is read twice is not written twice. */
const overlapMs = 10 * 60_000
/**
 * A shop that sells is asked every few seconds, and would send all orders of ten minutes each time. So it is asked for the last minute, and as far
 * back as everybody else no less often than this.
 */
const nearOverlapMs = 60_000
const farEveryMs = 5 * 60_000
const dayMs = 86_400_000

const startOf = (run: number, at: string) =>
  ({ run, startedAt: at, stage: 'reading', next: null, newest: null, total: null, rounds: 0 }) as const

export function beginPass(
  cursor: Cursor,
  asked: {
    run: number
    mode: 'incremental' | 'full' | 'compare'
    since: string | null
    at: string
    horizonDays?: number | null
    keptDays?: number | null
  },
): Pass {
  const { run, at, horizonDays = null, keptDays = null } = asked
  const kept = keptDays === null ? {} : { keptFrom: earlier(at, keptDays * dayMs) }
  const begun = { ...startOf(run, at), ...kept }
  if (asked.mode !== 'incremental' || asked.since !== null) {
    const expectedDays = Math.min(horizonDays ?? Number.POSITIVE_INFINITY, keptDays ?? Number.POSITIVE_INFINITY)
    const oldest = Number.isFinite(expectedDays) ? { oldest: earlier(at, expectedDays * dayMs) } : {}
    const first = cursor.historyDue && asked.since === null ? { first: true } : {}
    return { ...begun, mode: asked.mode, since: asked.since, ...oldest, ...first, tally: emptyTally }
  }
  const { watermark } = cursor
  if (watermark === null) return { ...begun, mode: 'initial', since: null, tally: emptyTally }
  const news = { ...begun, mode: 'incremental', tally: emptyTally } as const
  if (Date.parse(at) - Date.parse(watermark) >= farEveryMs) return { ...news, since: earlier(watermark, overlapMs) }
  return { ...news, since: earlier(later(watermark, cursor.ahead ?? null) ?? watermark, nearOverlapMs), near: true }
}

/** How far back the list is read for news where the older ones come from the index: as late as that may be, and more. */
const recentMs = 2 * 3_600_000

/** From here on the list is for news. */
export function leaveToIndex(pass: Pass): Pass {
  const since = earlier(pass.startedAt, recentMs)
  return { ...pass, since, next: null, newest: later(pass.newest, since), leftToIndex: true }
}

export const earlier = (time: string, byMs: number): string => toTimestamp(new Date(Date.parse(time) - byMs))

/** Whether the pass writes down what it has seen, so that what is gone can be found. */
export const marksSeen = ({ mode }: Pass): boolean => mode === 'full' || mode === 'compare'

/** From when on the pass has compared; null is from the beginning. */
export const comparedFrom = ({ since, oldest = null }: Pick<Pass, 'since' | 'oldest'>): string | null =>
  later(since, oldest)

/** Since when the shop is asked for changes: what was placed before that is kept was not changed later for us. */
export const askedSince = ({ since, keptFrom = null }: Pick<Pass, 'since' | 'keptFrom'>): string | null =>
  later(since, keptFrom)

/** Whether the pass reads everything. */
export const isWhole = ({ since }: Pass): boolean => since === null

/**
 * Where the next incremental pass may begin. The newest change seen is in the shop's own time, whatever our clock says;
 * but what changed while we read may have been passed over, so it is never later than the start of the pass. A pass that
 * left out what lies between the old mark and its own beginning moves nothing.
 */
export function watermarkAfter(watermark: string | null, pass: Pass): string | null {
  const { since, near = false, leftToIndex = false } = pass
  const reaches = since === null || leftToIndex || (watermark !== null && Date.parse(since) <= Date.parse(watermark))
  return reaches && !near ? later(watermark, reachedBy(pass)) : watermark
}

/** Where the next one may begin that looks back for a short time only. One that left out something moves nothing. */
export function aheadAfter(
  { watermark, ahead = null }: Pick<Cursor, 'watermark' | 'ahead'>,
  pass: Pass,
): string | null {
  const mark = later(watermark, ahead)
  const reaches = mark !== null && pass.since !== null && Date.parse(pass.since) <= Date.parse(mark)
  return pass.near && reaches ? later(ahead, reachedBy(pass)) : ahead
}

/** Between two looks at what is newest while a pass goes on that reads further back; and how far they go back at most. */
const lookEveryMs = 10_000
const lookBackMs = 2 * 60_000

/** What is newest is looked for before a long pass goes on; null if it is too soon, or if this pass is none. */
export function beginLook(cursor: Cursor, { last, at }: { last: Pass | null; at: string }): Pass | null {
  const { pass, watermark, ahead = null } = cursor
  if (pass?.mode !== 'incremental' || pass.near || pass.stage !== 'reading' || pass.next === null) return null
  const before = last?.run === pass.run ? last : null
  if (before !== null && Date.parse(at) - Date.parse(before.startedAt) < lookEveryMs) return null
  const mark = later(watermark, ahead)
  const since = later(mark && earlier(mark, nearOverlapMs), earlier(at, lookBackMs))
  const kept = pass.keptFrom === undefined ? {} : { keptFrom: pass.keptFrom }
  return {
    ...startOf(pass.run, at),
    ...kept,
    mode: 'incremental',
    since,
    near: true,
    tally: before?.tally ?? emptyTally,
  }
}

const reachedBy = ({ newest, startedAt }: Pass): string | null =>
  newest === null || Date.parse(newest) < Date.parse(startedAt) ? newest : startedAt

/** What is no time at all counts as never. */
export function later(one: string | null, other: string | null): string | null {
  if (other === null || Number.isNaN(Date.parse(other))) return one
  return one === null || Date.parse(other) > Date.parse(one) ? other : one
}

const fewMayVanish = 10
const shareMayVanish = 0.2

/** A shop that loses a fifth of its orders has more likely lost its mind, or we our way. */
export const looksWrong = ({ held, unseen }: { held: number; unseen: number }): boolean =>
  unseen > fewMayVanish && unseen > held * shareMayVanish

export function addTo(tally: Tally, more: Partial<Tally>): Tally {
  const sum = { ...tally }
  for (const name of Object.keys(emptyTally) as (keyof Tally)[]) sum[name] = (sum[name] ?? 0) + (more[name] ?? 0)
  return sum
}
