import type { Db } from '../../runtime/db/connection.ts'
import type { EventType, NewEvent } from './event.ts'
import { emitEvents, subscribedTypes } from './event-store.ts'

/**
 * Events of a page of records. They are put together only if anybody listens: a page without subscribers costs
 * one small read, and one on which nothing changed costs nothing.
 */
export async function emitOf<Row>(
  trx: Db,
  integrationId: number,
  types: readonly EventType[],
  rows: readonly Row[],
  eventsOf: (row: Row) => readonly NewEvent[],
): Promise<void> {
  if (rows.length === 0) return
  const subscribed = await subscribedTypes(trx, integrationId, types)
  if (subscribed.size === 0) return
  const events = rows.flatMap(eventsOf)
  await emitEvents(
    trx,
    events.filter(({ type }) => subscribed.has(type)),
  )
}
