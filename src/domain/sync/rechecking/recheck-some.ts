import type { ShopReads } from '../kind.ts'
import { readRecords } from '../reading/read-records.ts'
import { type Place, storeBatch } from '../store-batch.ts'
import { addTo, type Cursor, isWhole } from '../sync.ts'
import { assertRunnable, type Work } from '../work.ts'
import { leastCompared, markCompared } from './recheck-store.ts'

/** In one comparison, and in one step of it: most platforms are asked for each of them. */
const maxRechecked = 200
const askedAtOnce = 25

type Get = NonNullable<ShopReads['get']>
type Ask = (get: Get, key: string) => Promise<unknown>

/**
 * Some edits leave the platform's date of change alone: a tracking number, a refund, a variation. No list of changes shows
 * them. So each comparison reads some records again although their version has not moved, those first that it is longest
 * ago for. Undefined when there is nothing left to do; null if the run is ours no longer.
 */
export async function recheckSome(
  work: Work,
  place: Place & { reads: ShopReads },
  ask: Ask,
): Promise<Cursor | null | undefined> {
  const { pass, reads, kind } = place
  const { context, claim, open } = work
  // Whoever reads everything in full has just compared it.
  const isRead = isWhole(pass) && reads.index === undefined
  if (pass.mode !== 'compare' || isRead || !reads.get || kind.name === 'inventory') return undefined
  const limit = Math.min(askedAtOnce, maxRechecked - pass.tally.rechecked)
  if (limit <= 0) return undefined
  const about = { kind: kind.name, startedAt: pass.startedAt, oldest: pass.oldest ?? null, limit }
  const keys = await leastCompared(context.db, claim.integrationId, about)
  if (keys.length === 0) return undefined
  const raws = await askFor(work, { get: reads.get, getSeveral: reads.getSeveral }, { keys, ask })
  const { records, quarantined } = await readRecords(reads, raws, open.shop)
  const stored = await storeBatch(
    work,
    place,
    { records, quarantined, seen: [], gone: [], count: {} },
    (now, { updated }) => ({
      ...now,
      tally: addTo(now.tally, { rechecked: keys.length, stale: updated }),
    }),
  )
  if (stored) await markCompared(context.db, claim.integrationId, { kind: kind.name, keys })
  return stored
}

/** What is gone is left out: it is found where all that is gone is looked at together. */
async function askFor(
  work: Work,
  { get, getSeveral }: { get: Get; getSeveral: ShopReads['getSeveral'] },
  { keys, ask }: { keys: readonly string[]; ask: Ask },
): Promise<readonly unknown[]> {
  if (getSeveral) {
    await assertRunnable(work)
    return await getSeveral(work.open.shop, keys)
  }
  const raws: unknown[] = []
  for (const key of keys) raws.push(await ask(get, key))
  return raws.filter((raw) => raw !== null && raw !== undefined)
}
