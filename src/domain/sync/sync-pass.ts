import type { Kind, ShopReads, Stored } from './kind.ts'
import { hasQuarantined } from './quarantine/quarantine-store.ts'
import { fetchPage } from './reading/fetch-page.ts'
import { fetchFirst, type Gathered, gatherPages, whileReading } from './reading/gather-pages.ts'
import { type Pages, pagesFrom } from './reading/pages.ts'
import { settlePass } from './settle-pass.ts'
import { storeBatch } from './store-batch.ts'
import { addTo, type Cursor, later, leaveToIndex, type Pass, type Slot } from './sync.ts'
import { readCursor } from './sync-store.ts'
import type { Work } from './work.ts'

/** A number: it goes on in so many seconds. `lost`: somebody else has the run, or it is over. */
export type PassEnd = Pass | number | 'lost'

/**
 * Reads one kind of record from the shop from where it stands. Three things go on at a time: the shop is asked for a page,
 * the one before it is translated, and those before that are stored.
 */
export const syncPass = (work: Work, what: Reading): Promise<PassEnd> => whileReading(() => readPass(work, what))

interface Reading {
  kind: Kind
  reads: ShopReads
  slot: Slot
  /** The pass that the run is at, or a new one. */
  begin: (cursor: Cursor) => Promise<Pass>
}

async function readPass(work: Work, { kind, reads, slot, begin }: Reading): Promise<PassEnd> {
  const { context, claim, turn } = work
  let cursor = await readCursor(context.db, claim.integrationId, { kind: kind.name, slot })
  let pass = await begin(cursor)
  const set = { kind, slot, hasQuarantined: await hasQuarantined(context.db, claim.integrationId, kind.name) }
  const storing = { idle: true }
  const read = (next: string | null) => fetchPage(work, { kind: kind.name, reads, pass, next })
  const start = (next: string | null) => pagesFrom(fetchFirst(read, next), read, turn)
  const gather = (from: Pages) => gatherPages(from, { work, reads, storing })
  let pages: Pages | null = null
  let ahead: Promise<Gathered> | null = null
  while (pass.stage !== 'done') {
    if (ahead === null && turn.pages-- <= 0) return 0
    let stored: Cursor | null
    let failure: Gathered['failure'] = null
    if (pass.stage === 'reading') {
      storing.idle = true
      if (ahead === null || pages === null) pages = start(pass.next)
      const gathered: Gathered = await (ahead ?? gather(pages))
      storing.idle = false
      failure = gathered.failure
      ahead = pages.coming ? gather(pages) : null
      // As with a page: it is waited for later.
      ahead?.catch(() => undefined)
      const place = { ...set, cursor, pass: { ...pass, total: gathered.total ?? pass.total } }
      stored = await storeBatch(work, place, { ...gathered, gone: [] }, (now, outcome) =>
        moved(now, gathered, outcome, reads),
      )
      // The list begins anew, and what was asked for ahead belongs to the one before.
      if (stored?.pass?.leftToIndex && !pass.leftToIndex) ahead = null
    } else {
      stored = await settlePass(work, { ...set, cursor, pass, reads })
    }
    if (stored?.pass == null) return 'lost'
    cursor = stored
    pass = stored.pass
    if (failure) throw failure.error
  }
  return pass
}

function moved(
  pass: Pass,
  { next, newest, compares, isPart }: Gathered,
  { inserted, updated }: Stored,
  { outlines }: ShopReads,
): Pass {
  const now: Pass = {
    ...pass,
    ...(!isPart && { stage: next === null ? 'settling' : 'reading', next }),
    newest: later(pass.newest, newest),
    // Without an index the comparison is in what had to be written.
    tally: pass.mode === 'compare' && !compares ? addTo(pass.tally, { missing: inserted, stale: updated }) : pass.tally,
  }
  const isFirst = pass.mode === 'initial' && pass.since === null
  const isLong = next !== null && outlines !== undefined && pass.tally.read >= outlines.afterListing
  return isFirst && isLong ? leaveToIndex(now) : now
}
