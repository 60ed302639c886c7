import { type FetchedPage, fetchPage, isPlainRefusal } from './fetch-page.ts'
import type { Kind, ShopReads, Stored } from './kind.ts'
import { readRecords } from './read-records.ts'
import { settlePass } from './settle-pass.ts'
import { type Batch, storeBatch } from './store-batch.ts'
import { addTo, type Cursor, later, type Pass } from './sync.ts'
import { hasSetAside, readCursor } from './sync-store.ts'
import type { Work } from './work.ts'

/** `paused`: it goes on in the next turn. `lost`: somebody else has the run, or it is over. */
export type PassEnd = Pass | 'paused' | 'lost'

/**
 * Reads one kind of record from the shop, page by page, from where it stands. While a page is stored the next one is
 * already fetched and translated; never more than these two are in memory.
 */
export async function syncPass(
  work: Work,
  { kind, reads, begin }: { kind: Kind; reads: ShopReads; begin: (cursor: Cursor) => Pass },
): Promise<PassEnd> {
  const { context, claim } = work
  let cursor = await readCursor(context.db, claim.integrationId, kind.name)
  let pass = cursor.pass?.run === claim.id ? cursor.pass : begin(cursor)
  const set = { kind, hasSetAside: await hasSetAside(context.db, claim.integrationId, kind.name) }
  const read = async (next: string | null): Promise<Step> =>
    stepOf(await fetchPage(work, { kind: kind.name, reads, pass, next }), reads, work)
  let ahead: Promise<Step> | null = null
  while (pass.stage !== 'done') {
    if (work.turn.pages-- <= 0) return 'paused'
    if (pass.stage === 'reading') {
      const step: Step = await (ahead ?? fetchAgain(read, pass.next))
      const { page, batch, move } = step
      ahead = page.next === null || work.turn.pages <= 0 ? null : read(page.next)
      // It is waited for later; until then its failure is nobody's.
      ahead?.catch(() => undefined)
      const place = { ...set, cursor, pass: { ...pass, total: page.total ?? pass.total } }
      const stored = await storeBatch(work, place, batch, move)
      if (stored?.pass == null) return 'lost'
      cursor = stored
      pass = stored.pass
      continue
    }
    const settled = await settlePass(work, { ...set, cursor, pass, reads })
    if (settled?.pass == null) return 'lost'
    cursor = settled
    pass = settled.pass
  }
  return pass
}

/** A cursor of the shop may have died while nobody worked: then everything is read again, and nothing written twice. */
async function fetchAgain<T>(read: (next: string | null) => Promise<T>, next: string | null): Promise<T> {
  try {
    return await read(next)
  } catch (error) {
    if (next === null || !isPlainRefusal(error)) throw error
    return await read(null)
  }
}

/** What a page comes to, and where the pass stands after it. */
interface Step {
  page: FetchedPage
  batch: Batch
  move: (pass: Pass, stored: Stored) => Pass
}

function stepOf(page: FetchedPage, reads: ShopReads, { open }: Work): Step {
  const { records, setAside } = readRecords(reads, page.raws, open.shop)
  let newest: string | null = null
  for (const { updatedAt } of records) newest = later(newest, updatedAt)
  const batch = { records, setAside, seen: page.seen, gone: [], count: page.count }
  const move = (pass: Pass, { inserted, updated }: Stored): Pass => ({
    ...pass,
    stage: page.next === null ? 'settling' : 'reading',
    next: page.next,
    newest: later(pass.newest, newest),
    // Without an index the comparison is in what had to be written.
    tally:
      pass.mode === 'compare' && page.count.missing === undefined
        ? addTo(pass.tally, { missing: inserted, stale: updated })
        : pass.tally,
  })
  return { page, batch, move }
}
