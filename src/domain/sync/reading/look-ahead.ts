import { databaseTime } from '../../../runtime/db/database-time.ts'
import type { Kind, ShopReads } from '../kind.ts'
import { beginLook } from '../sync.ts'
import { type PassEnd, syncPass } from '../sync-pass.ts'
import { readCursor } from '../sync-store.ts'
import type { Work } from '../work.ts'

/**
 * News from further back may take many turns, and what is sold meanwhile would wait for the last of them: so between two turns the shop is asked for what is newest. The answer
 * is all such looks of this run together, whether or not there was one just now; null if there was none.
 */
export async function lookAhead(
  work: Work,
  { kind, reads }: { kind: Kind; reads: ShopReads },
): Promise<PassEnd | null> {
  const { context, claim } = work
  const cursorAt = (slot: 'pass' | 'near') => readCursor(context.db, claim.integrationId, { kind: kind.name, slot })
  const cursor = await cursorAt('pass')
  if (cursor.pass?.run !== claim.id) return null
  const { pass: held } = await cursorAt('near')
  const last = held?.run === claim.id ? held : null
  const begun = last !== null && last.stage !== 'done' ? last : null
  const look = begun ?? beginLook(cursor, { last, at: await databaseTime(context.db) })
  if (look === null) return last
  const before = work.before + cursor.pass.tally.read
  return await syncPass({ ...work, before }, { kind, reads, slot: 'near', begin: async () => look })
}
