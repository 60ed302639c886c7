import { clean } from '../../lib/clean-text.ts'
import type { Wording } from '../../lib/words/wording.ts'
import { sqlState } from '../../runtime/db/connection.ts'
import { runTrace, traced } from '../../runtime/telemetry/trace.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { enterRun } from '../runs/run-store.ts'
import type { Kind, Stored, SyncRecord } from './kind.ts'
import { type Quarantined, quarantine, releaseQuarantined } from './quarantine/quarantine-store.ts'
import { recordsSetAside } from './quarantine/records-set-aside.ts'
import { notStored, setAside } from './quarantine/why-set-aside.ts'
import { textOf } from './reading/read-records.ts'
import { findUnreported } from './silence/find-unreported.ts'
import { addTo, type Cursor, marksSeen, type Pass, type Slot, type SyncKind, type Tally } from './sync.ts'
import { saveCursor } from './sync-store.ts'
import { markSeen } from './vanished-store.ts'
import type { Work } from './work.ts'

/** What one page of the shop comes to. */
export interface Batch<Row = unknown> {
  records: readonly SyncRecord<Row>[]
  quarantined: readonly Quarantined[]
  /** Records that are in the shop although they were not read in full. */
  seen: readonly string[]
  /** Records that are there in a newer version, which is to be read. */
  stale?: readonly string[]
  /** Records that are not. */
  gone: readonly string[]
  /** What it adds to the count beside what storing it shows. */
  count: Partial<Tally>
}

export interface Place {
  kind: Kind
  slot: Slot
  cursor: Cursor
  pass: Pass
  /** Whether records of this kind were in quarantine: they may be among the good ones now. */
  hasQuarantined: boolean
}

/**
 * Rows, counters, history, what was seen, cursor and progress: all of it in one transaction, so that a crash repeats one
 * page at most and loses nothing. `move` says where the pass stands afterwards. Null if the run is ours no longer: then
 * nothing was written.
 */
export async function storeBatch(
  work: Work,
  place: Place,
  batch: Batch,
  move: (pass: Pass, stored: Stored) => Pass,
): Promise<Cursor | null> {
  try {
    return await traced(
      work.context.trace,
      () => [pageSpan(work, place, batch)],
      () => write(work, place, batch, move),
    )
  } catch (error) {
    if (!isRefusal(error) || batch.records.length === 0) throw error
  }
  const { good, bad } = await sift(work, place, batch.records)
  return await write(work, place, { ...batch, records: good, quarantined: [...batch.quarantined, ...bad] }, move)
}

async function write(
  work: Work,
  { kind, slot, cursor, pass, hasQuarantined }: Place,
  batch: Batch,
  move: (pass: Pass, stored: Stored) => Pass,
): Promise<Cursor | null> {
  const { context, claim, before } = work
  const { integrationId, id: runId } = claim
  const about = { integrationId, kind: kind.name, runId }
  const { records, expired } = withoutExpired(kind, pass, batch.records)
  const keys = records.map(({ key }) => key)
  const ids = await kind.takeIds(context.db, integrationId, {
    keys,
    allNew: pass.mode === 'initial' && pass.rounds === 0,
  })
  const done = before + pass.tally.read + (batch.count.read ?? 0)
  const total = pass.total === null ? null : Math.max(done, before + pass.total)
  return await context.transaction(async (trx) => {
    if ((await enterRun(trx, claim, { done, total })) === null) return null
    const rows = records.map(({ row }) => row)
    const stored = rows.length > 0 ? await kind.store(trx, integrationId, { ids, rows, runId }) : nothingStored
    if (batch.stale?.length) await kind.markIncomplete?.(trx, integrationId, batch.stale)
    const deleted = await kind.remove(trx, integrationId, batch.gone)
    if (marksSeen(pass)) {
      await markSeen(trx, about, [...keys, ...expired, ...batch.seen, ...batch.quarantined.map(({ key }) => key)])
    }
    if (keys.length > 0 && hasQuarantined) await releaseQuarantined(trx, integrationId, { kind: kind.name, keys })
    await logQuarantined(trx, about, await quarantine(trx, about, batch.quarantined))
    const { changed = [], ...counts } = stored
    // What an index names and nobody keeps is not missing.
    const known = batch.count.missing === undefined ? {} : { missing: -expired.length }
    const outcome = { ...counts, deleted, expired: expired.length, set_aside: batch.quarantined.length, ...known }
    const tally = addTo(addTo(pass.tally, outcome), batch.count)
    const silence = await findUnreported(trx, work, { pass, records, changed })
    const moved = move({ ...pass, tally, ...silence }, stored)
    await saveCursor(trx, integrationId, { kind: kind.name, slot, pass: moved })
    return { watermark: cursor.watermark, pass: moved }
  })
}

/** What the app does not keep is not stored. */
export function withoutExpired(
  { placedAt }: Kind,
  { keptFrom = null }: Pick<Pass, 'keptFrom'>,
  records: readonly SyncRecord[],
): { records: SyncRecord[]; expired: string[] } {
  if (keptFrom === null || !placedAt) return { records: [...records], expired: [] }
  const isExpired = ({ row }: SyncRecord) => {
    const placed = placedAt(row)
    return placed !== null && Date.parse(placed) < Date.parse(keptFrom)
  }
  return {
    records: records.filter((record) => !isExpired(record)),
    expired: records.filter(isExpired).map(({ key }) => key),
  }
}

const pageSpan = ({ claim: { integrationId, id } }: Work, { kind }: Place, { records }: Batch) => ({
  trace: runTrace(integrationId, id),
  name: 'page.stored',
  attributes: { integration_id: integrationId, run_id: id, kind: kind.name, records: records.length },
})

const nothingStored: Stored = { inserted: 0, updated: 0, unchanged: 0 }

/** The database does not take the data (22, 23) or its size (54): no other try would help. */
export const isRefusal = (error: unknown): boolean => /^(22|23|54)/.test(sqlState(error) ?? '')

/** Finds the records that the database refuses, by halving. Nothing of it stays: the page that follows stores the rest. */
async function sift(
  work: Work,
  place: Place,
  records: readonly SyncRecord[],
): Promise<{ good: SyncRecord[]; bad: Quarantined[] }> {
  const reason = await rehearse(work, place, records)
  if (reason === null) return { good: [...records], bad: [] }
  const [first] = records
  if (first && records.length === 1) {
    return { good: [], bad: [setAside(clean(first.key), reason, textOf(first.row))] }
  }
  const middle = records.length >> 1
  const left = await sift(work, place, records.slice(0, middle))
  const right = await sift(work, place, records.slice(middle))
  return { good: [...left.good, ...right.good], bad: [...left.bad, ...right.bad] }
}

const rehearsed = new Error('Dry run succeeded; rolled back.')

/** The reason why they cannot be stored, or null. */
async function rehearse(
  { context, claim: { integrationId, id: runId } }: Work,
  { kind }: Place,
  records: readonly SyncRecord[],
): Promise<Wording | null> {
  const keys = records.map(({ key }) => key)
  try {
    const ids = await kind.takeIds(context.db, integrationId, { keys, allNew: false })
    return await context.transaction(async (trx) => {
      await kind.store(trx, integrationId, { ids, rows: records.map(({ row }) => row), runId })
      throw rehearsed
    })
  } catch (error) {
    if (error === rehearsed) return null
    if (!isRefusal(error)) throw error
    return notStored(error)
  }
}

async function logQuarantined(
  trx: Parameters<typeof appendLog>[0],
  { integrationId, kind, runId }: { integrationId: number; kind: SyncKind; runId: number },
  records: readonly Quarantined[],
): Promise<void> {
  if (records.length === 0) return
  await appendLog(trx, integrationId, {
    level: 'warning',
    event: 'run.set_aside',
    words: logWords('run.set_aside', { records: records.length, kind: logWords(`kind_${kind}`) }),
    ...recordsSetAside(records),
    runId,
  })
}
