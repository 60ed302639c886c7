import { sql } from 'kysely'
import { type RecordKey, sealRecord } from '../../../lib/sealing/record-box.ts'
import { reasonOrNull, textOf, type Wording } from '../../../lib/words/wording.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { takeIds } from '../../../runtime/db/take-ids.ts'
import type { Sealable } from '../../../runtime/db/vault/sealable.ts'
import { keyForSealing, openEach } from '../../../runtime/db/vault/vault.ts'
import type { HistorySource, OrderStatus } from '../order.ts'

export interface HistoryEntry {
  order_id: number
  status: OrderStatus
  remote_status?: string | null
  source: HistorySource
  note?: string | Wording | null
  /** The run that brought it. */
  run_id?: number | null
}

/** What callers write may be about anybody. The rest are words of ours. */
const isPrivate = ({ source, note }: HistoryEntry): boolean =>
  note != null && (source === 'api' || source === 'shipment')

export async function addHistory(trx: Db, integrationId: number, entries: readonly HistoryEntry[]): Promise<void> {
  const ours = entries.filter((entry) => !isPrivate(entry)).map(withReason)
  if (ours.length > 0) {
    await sql`
      insert into order_history (integration_id, order_id, status, remote_status, source, note, reason, run_id)
      select s.integration_id, r.order_id, r.status, r.remote_status, r.source, r.note, r.reason, r.run_id
      from integration_state s
      cross join jsonb_to_recordset(${JSON.stringify(ours)}::jsonb)
        r(order_id bigint, status text, remote_status text, source text, note text, reason jsonb, run_id bigint)
      where s.integration_id = ${integrationId}`.execute(trx)
  }
  await addSealed(trx, integrationId, entries.filter(isPrivate))
}

/** Our own words with what they follow from, which names nobody. */
const withReason = ({ note = null, ...entry }: HistoryEntry) => ({
  ...entry,
  note: note === null ? null : textOf(note),
  reason: note === null ? null : reasonOrNull(note),
})

interface Place {
  integration_id: number
  order_id: number
  id: number
}

const placeOf = ({ integration_id: integrationId, order_id: orderId, id }: Place) =>
  `order_history.private/${integrationId}/${orderId}/${id}`

const sealNote = (key: RecordKey, place: Place, note: string): Buffer => sealRecord(key, note, placeOf(place))

async function addSealed(trx: Db, integrationId: number, entries: readonly HistoryEntry[]): Promise<void> {
  if (entries.length === 0) return
  const key = await keyForSealing(trx, integrationId)
  const ids = await takeIds(trx, 'order_history', entries.length)
  const rows = entries.map(withReason).map(({ note, ...entry }, n) => {
    const place = { integration_id: integrationId, order_id: entry.order_id, id: ids[n] ?? 0 }
    return { ...entry, id: place.id, private: sealNote(key, place, note ?? '').toString('hex') }
  })
  await sql`
    insert into order_history (integration_id, order_id, id, status, remote_status, source, private, reason, run_id)
    select s.integration_id, r.order_id, r.id, r.status, r.remote_status, r.source, decode(r.private, 'hex'), r.reason, r.run_id
    from integration_state s
    cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      r(order_id bigint, id bigint, status text, remote_status text, source text, private text, reason jsonb, run_id bigint)
    where s.integration_id = ${integrationId}`.execute(trx)
}

export interface OrderHistory {
  id: number
  order_id: number
  status: string
  remote_status: string | null
  source: string
  note: string | null
  /** What the note follows from; null where somebody else has written it. */
  reason: unknown
  run_id: number | null
  at: string
}

/** Oldest first. A note that cannot be opened any longer is shown as redacted. */
export async function historyOfOrders(
  db: Db,
  integrationId: number,
  orderIds: readonly number[],
): Promise<OrderHistory[]> {
  const rows = await db
    .selectFrom('order_history')
    .select([
      'integration_id',
      'id',
      'order_id',
      'status',
      'remote_status',
      'source',
      'note',
      'reason',
      'private',
      'run_id',
      'at',
    ])
    .where('integration_id', '=', integrationId)
    .where('order_id', '=', sql<number>`any(${[...orderIds]}::bigint[])`)
    .orderBy('id')
    .execute()
  const opened = await openEach(
    db,
    rows,
    (row) => row.private && { integrationId, sealed: row.private, place: placeOf(row) },
  )
  return rows.map(({ integration_id: _own, private: _sealed, ...row }, n) => {
    const bytes = rows[n] && opened.get(rows[n])
    return bytes === undefined ? row : { ...row, note: bytes?.toString() ?? '[redacted]' }
  })
}

/** What callers have written about these orders is gone. */
export async function forgetNotes(trx: Db, integrationId: number, orderIds: readonly number[]): Promise<void> {
  await sql`
    update order_history set note = null, private = null, reason = null
    where integration_id = ${integrationId} and order_id = any(${[...orderIds]}::bigint[])
      and source in ('api', 'shipment')`.execute(trx)
}

/** Notes from before they were sealed. */
export const sealableNotes: Sealable = {
  table: 'order_history',
  unsealed: `note is not null and source in ('api', 'shipment')`,
  async sealSome(trx, integrationId, { key, limit }) {
    const { rows } = await sql<Place & { note: string }>`
      select integration_id, order_id, id, note from order_history
      where integration_id = ${integrationId} and note is not null and source in ('api', 'shipment')
      order by order_id, id limit ${limit} for update`.execute(trx)
    for (const row of rows) {
      await sql`
        update order_history set private = ${sealNote(key, row, row.note)}, note = null
        where integration_id = ${integrationId} and order_id = ${row.order_id} and id = ${row.id}`.execute(trx)
    }
    return rows.length
  },
}
