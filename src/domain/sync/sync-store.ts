import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { Cursor, Pass, Slot, SyncKind } from './sync.ts'

/** How far we are, per kind of record; one small document in the anchor of the integration's data. */
export async function readCursor(
  db: Db,
  integrationId: number,
  { kind, slot }: { kind: SyncKind; slot: Slot },
): Promise<Cursor> {
  const { rows } = await sql<Required<Cursor>>`
    select cursor -> ${kind} ->> 'watermark' as watermark, cursor -> ${kind} ->> 'ahead' as ahead,
      cursor -> ${kind} -> ${slot} as pass,
      coalesce((cursor -> ${kind} ->> 'historyDue')::boolean, false) as "historyDue"
    from integration_state where integration_id = ${integrationId}`.execute(db)
  return rows[0] ?? { watermark: null, ahead: null, pass: null, historyDue: false }
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

/** Part of a transaction that `enterRun` has let in. The other slot, and marks not named, stay as they are. */
export async function saveCursor(
  trx: Db,
  integrationId: number,
  {
    kind,
    slot,
    pass,
    ...rest
  }: { kind: SyncKind; slot: Slot; pass: Pass } & Partial<Pick<Cursor, 'watermark' | 'ahead'>> & {
      historyDue?: boolean | undefined
    },
): Promise<void> {
  const part = JSON.stringify({ ...rest, [slot]: pass })
  await sql`
    update integration_state
    set cursor = cursor || jsonb_build_object(${kind}::text, coalesce(cursor -> ${kind}, '{}') || ${part}::jsonb)
    where integration_id = ${integrationId}`.execute(trx)
}
