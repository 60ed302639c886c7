import type { ShopReads } from '../kind.ts'
import { askByKey } from '../reading/ask-by-key.ts'
import { readRecords } from '../reading/read-records.ts'
import { markCompared } from '../rechecking/recheck-store.ts'
import { type Place, storeBatch } from '../store-batch.ts'
import { marksSeen } from '../sync.ts'
import type { Work } from '../work.ts'
import { incompleteOrders } from './outline-store.ts'

/**
 * Reads some of the orders that are known in outline only. No more than the platform allows at once: then others have their
 * turn, new orders first of all, and it goes on in so many seconds. Zero: there are none left. Null if the run is ours no
 * longer.
 */
export async function completeSome(work: Work, place: Place & { reads: ShopReads }): Promise<number | null> {
  const { pass, reads, kind } = place
  const { context, claim, open } = work
  if (!reads.outlines || !reads.get || kind.name !== 'orders' || !marksSeen(pass)) return 0
  const { atOnce, everySeconds } = reads.outlines
  const about = { startedAt: pass.startedAt, limit: atOnce }
  const keys = await incompleteOrders(context.db, claim.integrationId, about)
  if (keys.length === 0) return 0
  const asked: string[] = []
  const raws: unknown[] = []
  for (const key of keys) {
    try {
      const raw = await askByKey(work, reads.get, key)
      asked.push(key)
      if (raw !== null && raw !== undefined) raws.push(raw)
    } catch (error) {
      // What was read is stored; whoever comes next sees whether the shop is still away.
      if (asked.length === 0) throw error
      break
    }
  }
  const { records, quarantined } = await readRecords(reads, raws, open.shop)
  const batch = { records, quarantined, seen: [], gone: [], count: {} }
  // Counted when they were found.
  const stored = await storeBatch(work, place, batch, (now) => ({ ...now, tally: pass.tally }))
  if (!stored) return null
  await markCompared(context.db, claim.integrationId, { kind: 'orders', keys: asked })
  return keys.length < atOnce && asked.length === keys.length ? 0 : everySeconds
}
