import { fetchPage } from './fetch-page.ts'
import { fetchFirst, type Gathered, gatherPages } from './gather-pages.ts'
import type { Kind, ShopReads, Stored } from './kind.ts'
import { settlePass } from './settle-pass.ts'
import { storeBatch } from './store-batch.ts'
import { addTo, type Cursor, later, type Pass } from './sync.ts'
import { hasSetAside, readCursor } from './sync-store.ts'
import type { Work } from './work.ts'

/** `paused`: it goes on in the next turn. `lost`: somebody else has the run, or it is over. */
export type PassEnd = Pass | 'paused' | 'lost'

/**
 * Reads one kind of record from the shop from where it stands. While pages are stored the next ones are already fetched
 * and translated; never more than two batches are in memory.
 */
export async function syncPass(
  work: Work,
  { kind, reads, begin }: { kind: Kind; reads: ShopReads; begin: (cursor: Cursor) => Pass },
): Promise<PassEnd> {
  const { context, claim, turn } = work
  let cursor = await readCursor(context.db, claim.integrationId, kind.name)
  let pass = cursor.pass?.run === claim.id ? cursor.pass : begin(cursor)
  const set = { kind, hasSetAside: await hasSetAside(context.db, claim.integrationId, kind.name) }
  const storing = { idle: true }
  const read = (next: string | null) => fetchPage(work, { kind: kind.name, reads, pass, next })
  const gather = (first: ReturnType<typeof read>) => gatherPages(read, first, { work, reads, storing })
  let ahead: Promise<Gathered> | null = null
  while (pass.stage !== 'done') {
    if (ahead === null && turn.pages-- <= 0) return 'paused'
    let stored: Cursor | null
    let failure: Gathered['failure'] = null
    if (pass.stage === 'reading') {
      storing.idle = true
      const pages: Gathered = await (ahead ?? gather(fetchFirst(read, pass.next)))
      storing.idle = false
      failure = pages.failure
      ahead = failure || pages.next === null || turn.pages-- <= 0 ? null : gather(read(pages.next))
      // It is waited for later; until then its failure is nobody's.
      ahead?.catch(() => undefined)
      const place = { ...set, cursor, pass: { ...pass, total: pages.total ?? pass.total } }
      stored = await storeBatch(work, place, { ...pages, gone: [] }, (now, outcome) => moved(now, pages, outcome))
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

const moved = (pass: Pass, { next, newest, compares }: Gathered, { inserted, updated }: Stored): Pass => ({
  ...pass,
  stage: next === null ? 'settling' : 'reading',
  next,
  newest: later(pass.newest, newest),
  // Without an index the comparison is in what had to be written.
  tally: pass.mode === 'compare' && !compares ? addTo(pass.tally, { missing: inserted, stale: updated }) : pass.tally,
})
