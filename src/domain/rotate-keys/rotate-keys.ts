import { type KeyRing, rewrap, sealedWith } from '../../lib/secret-box.ts'
import type { Context } from '../context.ts'
import { rewrapSigningKeys } from '../oauth/signing-keys/signing-keys.ts'
import { type Replacement, type SealedRow, type SealedTable, sealedTables } from './sealed-store.ts'

export interface RotationProgress {
  table: string
  rewrapped: number
}

export interface RotationResult {
  /** By table. */
  rewrapped: Record<string, number>
  /** Values that no key of the ring opens; they were left as they are. */
  unreadable: { table: string; id: number }[]
}

export interface RotationOptions {
  onProgress?: (progress: RotationProgress) => void | Promise<void>
  batch?: number
}

/**
 * Wraps every sealed value with the newest master key, in small batches, while everything goes on: a value is replaced
 * only if it is still the one that was read, and either form opens as long as both keys are in the ring. What is done
 * shows on the row, so that a rotation that was interrupted goes on where it stopped.
 */
export async function rotateKeys(
  context: Pick<Context, 'db' | 'keys'>,
  { onProgress, batch = 100 }: RotationOptions = {},
): Promise<RotationResult> {
  const result: RotationResult = { rewrapped: {}, unreadable: [] }
  for (const table of sealedTables) {
    result.rewrapped[table.name] = await rotateTable(context, table, batch, result, onProgress)
  }
  result.rewrapped['signing_keys'] = await rewrapSigningKeys(context)
  await onProgress?.({ table: 'signing_keys', rewrapped: result.rewrapped['signing_keys'] })
  return result
}

async function rotateTable(
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  table: SealedTable,
  batch: number,
  result: RotationResult,
  onProgress: RotationOptions['onProgress'],
): Promise<number> {
  const newest = keys[0].id
  let rewrapped = 0
  let after = 0
  let missed = 0
  for (;;) {
    const rows = await table.next(db, newest, after, batch)
    const last = rows.at(-1)
    if (!last && missed === 0) return rewrapped
    if (!last) {
      // Somebody wrote in between, perhaps with an older ring: once more from the start.
      after = missed = 0
      continue
    }
    after = last.id
    const replacements = rows.flatMap((row) => {
      const replacement = wrapAnew(keys, row)
      if (replacement === 'unreadable') result.unreadable.push({ table: table.name, id: row.id })
      return typeof replacement === 'object' ? [replacement] : []
    })
    const replaced = replacements.length > 0 ? await table.replace(db, newest, replacements) : 0
    rewrapped += replaced
    missed += replacements.length - replaced
    await onProgress?.({ table: table.name, rewrapped })
  }
}

function wrapAnew(keys: KeyRing, { id, sealed, place }: SealedRow): Replacement | 'done' | 'unreadable' {
  try {
    if (sealedWith(sealed) === keys[0].id) return 'done'
    return { id, before: sealed, after: rewrap(keys, sealed, place) }
  } catch {
    return 'unreadable'
  }
}
