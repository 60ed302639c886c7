import { rewrap } from '../../lib/secret-box.ts'
import type { Context } from '../context.ts'
import { currentSigningKey } from '../oauth/signing-keys/signing-keys.ts'
import { sealedTables } from './sealed-store.ts'

export interface SealedCheck {
  opened: number
  unreadable: { table: string; id: number }[]
}

const batch = 500
/** No key has this name, so every row counts as one that may be on another. */
const noKey = ''

/** Tries the master keys on everything that is sealed with them. What is inside is not looked at: some of it opens only where it is used. */
export async function checkSealed(context: Pick<Context, 'db' | 'keys'>): Promise<SealedCheck> {
  const { db, keys } = context
  const found: SealedCheck = { opened: 0, unreadable: [] }
  for (const table of sealedTables) {
    let after = 0
    for (;;) {
      const rows = await table.next(db, noKey, after, batch)
      for (const { id, sealed, place } of rows) {
        try {
          rewrap(keys, sealed, place)
          found.opened++
        } catch {
          found.unreadable.push({ table: table.name, id })
        }
        after = id
      }
      if (rows.length < batch) break
    }
  }
  await currentSigningKey(context)
  return found
}
