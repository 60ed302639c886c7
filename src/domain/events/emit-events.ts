import type { Db } from '../../runtime/db/connection.ts'
import type { EventType, Happening } from './event.ts'
import { emitEvents, heardTypes } from './event-store.ts'

/**
 * Events of a page of records. They are put together only if anybody listens: a page that nobody wants to hear of costs
 * one small read, and one on which nothing changed costs nothing.
 */
export async function emitOf<Row>(
  trx: Db,
  integrationId: number,
  types: readonly EventType[],
  rows: readonly Row[],
  happeningsOf: (row: Row) => readonly Happening[],
): Promise<void> {
  if (rows.length === 0) return
  const heard = await heardTypes(trx, integrationId, types)
  if (heard.size === 0) return
  const happenings = rows.flatMap(happeningsOf)
  await emitEvents(
    trx,
    happenings.filter(({ type }) => heard.has(type)),
  )
}
