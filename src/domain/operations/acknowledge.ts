import type { AcknowledgeResult } from '../../commerce/connector/parts.ts'
import { chunks } from '../../lib/chunks.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { fingerprint } from './operation.ts'
import { openOperations } from './operation-store.ts'

const atOnce = 100

/**
 * Orders to be acknowledged, in the batches that go to the shop. Batches that were begun before and whose end is not
 * known go first and as they were: what is in one of them must not be sent as part of another.
 */
export async function acknowledgeBatches(
  db: Db,
  integrationId: number,
  remoteIds: readonly string[],
): Promise<{ key: string; remoteIds: readonly string[] }[]> {
  const left = new Set(remoteIds)
  const batches: { key: string; remoteIds: readonly string[] }[] = []
  for (const { key, input } of await openOperations(db, integrationId, 'acknowledge_orders')) {
    const begun = remoteIdsIn(input)
    if (!begun.some((id) => left.has(id))) continue
    batches.push({ key, remoteIds: begun })
    for (const id of begun) left.delete(id)
  }
  const fresh = [...left]
  for (const batch of chunks(fresh, atOnce)) {
    batches.push({ key: fingerprint([...batch].sort()), remoteIds: batch })
  }
  return batches
}

function remoteIdsIn(input: unknown): string[] {
  const ids = typeof input === 'object' && input !== null && 'remoteIds' in input ? input.remoteIds : []
  return Array.isArray(ids) ? ids.map(String) : []
}

/** Of what the batches brought, what was asked for. */
export const resultsFor = (
  remoteIds: readonly string[],
  results: readonly AcknowledgeResult[],
): readonly AcknowledgeResult[] => {
  const wanted = new Set(remoteIds)
  return results.filter(({ remoteId }) => wanted.has(remoteId))
}
