import { sql } from 'kysely'
import { readable } from '../../../lib/sealing/person-text.ts'
import { type RecordKey, sealRecord } from '../../../lib/sealing/record-box.ts'
import { inTurns } from '../../../lib/turns/in-turns.ts'
import type { Reason } from '../../../lib/words/wording.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { jsonRows } from '../../../runtime/db/lists/json-rows.ts'
import type { Sealable } from '../../../runtime/db/vault/sealable.ts'
import { keyForSealing, openEach } from '../../../runtime/db/vault/vault.ts'
import { erasedAmong } from '../../orders/privacy/tombstone-store.ts'
import type { TextTable } from '../../text-table.ts'
import type { SyncKind } from '../sync.ts'

export interface Quarantined {
  /** The shop's id, or what stands for it. */
  key: string
  /** May repeat what the record says. */
  reason: string
  /** What the reason follows from. */
  why?: Reason
  /** Null where it may not be kept. */
  payload: string | null
}

interface Place {
  integration_id: number
  kind: string
  remote_id: string
}

const placeOf = ({ integration_id: id, kind, remote_id: remoteId }: Place) =>
  `quarantine.private/${id}/${kind}/${remoteId}`

/** Programs from before there were codes read the first two. */
const sealed = (key: RecordKey, place: Place, { reason, payload, why }: Omit<Quarantined, 'key'>): Buffer =>
  sealRecord(key, JSON.stringify([reason, payload, why ?? null]), placeOf(place))

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
  const key = await keyForSealing(trx, integrationId)
  const rows: { key: string; private: string }[] = []
  await inTurns([...one.values()], (record) => {
    const place = { integration_id: integrationId, kind, remote_id: record.key }
    rows.push({ key: record.key, private: sealed(key, place, record).toString('hex') })
  })
  const document = await jsonRows(rows)
  await sql`
    insert into quarantine as a (integration_id, kind, remote_id, run_id, reason, private)
    select s.integration_id, ${kind}, r.key, ${runId}, '', decode(r.private, 'hex')
    from integration_state s
    cross join jsonb_to_recordset(${document}::jsonb) r(key text, private text)
    where s.integration_id = ${integrationId}
    on conflict (integration_id, kind, remote_id) do update
    set run_id = excluded.run_id, reason = excluded.reason, payload = excluded.payload, private = excluded.private,
      updated_at = excluded.updated_at`.execute(trx)
  return kept
}

/** Of an order whose buyer was erased nothing is kept that the shop says. */
const erasedRecord = { reason: '[redacted]', payload: null }

export interface QuarantinedRow extends Place {
  run_id: number
  reason: string
  /** Null for what was set aside before there were codes. */
  why: Reason | null
  payload: string | null
  updated_at: string
}

const maxShown = 500

/** The newest few hundred orders that could not be stored, of all these integrations together. */
export async function newestQuarantined(db: Db, integrationIds: readonly number[]): Promise<QuarantinedRow[]> {
  const { rows } = await sql<SealedRow>`
    select ${columns} from quarantine
    where integration_id = any(${[...integrationIds]}::bigint[]) and kind = 'orders'
    order by updated_at desc limit ${maxShown}`.execute(db)
  return await unseal(db, rows)
}

type SealedRow = Omit<QuarantinedRow, 'why'> & { private: Buffer | null }

const columns = sql`integration_id, kind, remote_id, run_id, reason, payload, private, updated_at`

async function unseal(db: Db, rows: readonly SealedRow[]): Promise<QuarantinedRow[]> {
  const opened = await openEach(
    db,
    rows,
    (row) => row.private && { integrationId: row.integration_id, sealed: row.private, place: placeOf(row) },
  )
  return rows.map((row) => {
    const bytes = opened.get(row)
    if (bytes === undefined) return { ...row, why: null }
    const [reason, payload, why = null] = bytes ? JSON.parse(bytes.toString()) : ['[redacted]', null]
    return { ...row, private: null, reason, payload, why }
  })
}

/** Orders that could not be stored, as the shop told them. */
export const quarantineTexts: TextTable = {
  name: 'quarantine',
  async read(db, integrationId, { after, limit }) {
    const { rows } = await sql<SealedRow>`
      select ${columns} from quarantine
      where integration_id = ${integrationId} and kind = 'orders' and remote_id > ${after ?? ''} collate "C"
      order by remote_id collate "C" limit ${limit}`.execute(db)
    return (await unseal(db, rows)).map(({ remote_id: remoteId, reason, payload }) => ({
      place: remoteId,
      says: `${reason}\n${readable(payload ?? '')}`,
      orders: [remoteId],
    }))
  },
  async forget(trx, integrationId, places) {
    await sql`
      update quarantine set private = null, payload = null, reason = '[redacted]'
      where integration_id = ${integrationId} and kind = 'orders' and remote_id = any(${[...places]}::text[])`.execute(
      trx,
    )
  },
}

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

/** Records from before they were sealed. */
export const sealableQuarantined: Sealable = {
  table: 'quarantine',
  unsealed: 'payload is not null',
  async sealSome(trx, integrationId, { key, limit }) {
    const { rows } = await sql<Place & Pick<Quarantined, 'reason' | 'payload'>>`
      select integration_id, kind, remote_id, reason, payload from quarantine
      where integration_id = ${integrationId} and payload is not null order by kind, remote_id limit ${limit} for update`.execute(
      trx,
    )
    for (const row of rows) {
      await sql`
        update quarantine set private = ${sealed(key, row, row)}, reason = '', payload = null
        where integration_id = ${integrationId} and kind = ${row.kind} and remote_id = ${row.remote_id}`.execute(trx)
    }
    return rows.length
  },
}
