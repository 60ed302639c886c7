import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { erasedAmong } from '../orders/privacy/tombstone-store.ts'
import type { Cursor, Pass, Slot, SyncKind } from './sync.ts'

/** How far we are, per kind of record; one small document in the anchor of the integration's data. */
export async function readCursor(
  db: Db,
  integrationId: number,
  { kind, slot }: { kind: SyncKind; slot: Slot },
): Promise<Cursor> {
  const { rows } = await sql<Required<Cursor>>`
    select cursor -> ${kind} ->> 'watermark' as watermark, cursor -> ${kind} -> ${slot} as pass,
      coalesce((cursor -> ${kind} ->> 'historyDue')::boolean, false) as "historyDue"
    from integration_state where integration_id = ${integrationId}`.execute(db)
  return rows[0] ?? { watermark: null, pass: null, historyDue: false }
}

/**
 * Whether another run is in the middle of reading one of these kinds in the same way. There is one place for each to
 * remember how far a pass is: two runs that took turns at it would begin from the start each time, and neither would
 * ever end.
 */
export async function isBeingRead(
  db: Db,
  { integrationId, id }: { integrationId: number; id: number },
  { kinds, slot }: { kinds: readonly SyncKind[]; slot: Slot },
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from integration_state s
      cross join unnest(${[...kinds]}::text[]) k(kind)
      join runs r on r.integration_id = s.integration_id and r.id = (s.cursor -> k.kind -> ${slot} ->> 'run')::bigint
      where s.integration_id = ${integrationId} and r.id <> ${id} and r.status = 'running'
        and s.cursor -> k.kind -> ${slot} ->> 'stage' <> 'done') as found`.execute(db)
  return rows[0]?.found ?? false
}

/** Part of a transaction that `enterRun` has let in. The other slot, and a watermark not named, stay as they are. */
export async function saveCursor(
  trx: Db,
  integrationId: number,
  {
    kind,
    slot,
    pass,
    ...rest
  }: { kind: SyncKind; slot: Slot; pass: Pass; watermark?: string | null; historyDue?: boolean | undefined },
): Promise<void> {
  const part = JSON.stringify({ ...rest, [slot]: pass })
  await sql`
    update integration_state
    set cursor = cursor || jsonb_build_object(${kind}::text, coalesce(cursor -> ${kind}, '{}') || ${part}::jsonb)
    where integration_id = ${integrationId}`.execute(trx)
}

export interface Quarantined {
  /** The shop's id, or what stands for it. */
  key: string
  reason: string
  /** Null where it may not be kept. */
  payload: string | null
}

/** As they were kept. */
export async function quarantine(
  trx: Db,
  { integrationId, kind, runId }: { integrationId: number; kind: SyncKind; runId: number },
  records: readonly Quarantined[],
): Promise<readonly Quarantined[]> {
  if (records.length === 0) return []
  const keys = records.map(({ key }) => key)
  const erased = kind === 'orders' ? await erasedAmong(trx, integrationId, keys) : new Set<string>()
  const kept = records.map((record) => (erased.has(record.key) ? { key: record.key, ...erasedRecord } : record))
  const one = new Map(kept.map((record) => [record.key, record]))
  await sql`
    insert into quarantine as a (integration_id, kind, remote_id, run_id, reason, payload)
    select s.integration_id, ${kind}, r.key, ${runId}, r.reason, r.payload
    from integration_state s
    cross join jsonb_to_recordset(${JSON.stringify([...one.values()])}::jsonb) r(key text, reason text, payload text)
    where s.integration_id = ${integrationId}
    on conflict (integration_id, kind, remote_id) do update
    set run_id = excluded.run_id, reason = excluded.reason, payload = excluded.payload,
      updated_at = excluded.updated_at`.execute(trx)
  return kept
}

/** Of an order whose buyer was erased nothing is kept that the shop says. */
const erasedRecord = { reason: '[redacted]', payload: null }

export async function hasQuarantined(db: Db, integrationId: number, kind: SyncKind): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from quarantine where integration_id = ${integrationId} and kind = ${kind}) as found`.execute(
    db,
  )
  return rows[0]?.found ?? false
}

/** What could be stored after all. */
export async function releaseQuarantined(
  trx: Db,
  integrationId: number,
  { kind, keys }: { kind: SyncKind; keys: readonly string[] },
): Promise<void> {
  await sql`
    delete from quarantine
    where integration_id = ${integrationId} and kind = ${kind} and remote_id = any(${[...keys]}::text[])`.execute(trx)
}

/** Everything has been read once more: what is still wrong was quarantined anew, and what was quarantined before is not. */
export async function dropOldQuarantined(
  trx: Db,
  integrationId: number,
  { kind, runId, startedAt }: { kind: SyncKind; runId: number; startedAt: string },
): Promise<void> {
  await sql`
    delete from quarantine
    where integration_id = ${integrationId} and kind = ${kind} and run_id <> ${runId}
      and updated_at < ${startedAt}::timestamptz`.execute(trx)
}
