import { sql } from 'kysely'
import type { Reason, Wording } from '../../lib/words/wording.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { JsonValue } from '../../runtime/db/tables.gen.ts'
import type { RunStatus } from '../runs/run.ts'
import { endingOf } from '../runs/run-store.ts'
import { openEndings, type Sealed, sealEnding } from '../runs/sealed-run.ts'

/** A run that is not over. */
export interface UnfinishedRun {
  integration_id: number
  resource: string
  schedule_id: number | null
  status: string
}

export async function unfinishedRuns(db: Db, integrationIds: readonly number[]): Promise<UnfinishedRun[]> {
  if (integrationIds.length === 0) return []
  return await db
    .selectFrom('runs')
    .select(['integration_id', 'resource', 'schedule_id', 'status'])
    .where('integration_id', 'in', integrationIds)
    .where('status', 'in', ['queued', 'running'])
    .execute()
}

interface Place {
  integrationId: number
  runId: number
}

const at = (db: Db, { integrationId, runId }: Place) =>
  db.updateTable('runs').where('integration_id', '=', integrationId).where('id', '=', runId)

export async function setFlow(db: Db, place: Place, flowId: number): Promise<void> {
  await at(db, place).set({ flow_id: flowId }).execute()
}

export interface Step {
  resource: string
  input: JsonValue
}

/** Begins a run that is one short action, or goes on with it. Null if it is over. */
export async function beginStep(trx: Db, place: Place): Promise<Step | null> {
  const step = await trx
    .selectFrom('runs')
    .select(['resource', 'status', 'input'])
    .where('integration_id', '=', place.integrationId)
    .where('id', '=', place.runId)
    .where('status', 'in', ['queued', 'running'])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!step) return null
  const { status, ...begun } = step
  if (status === 'queued') await at(trx, place).set({ status: 'running', started_at: sql<string>`now()` }).execute()
  return begun
}

export type StepEnd =
  | { status: 'completed'; result: Readonly<Record<string, unknown>> /** Counts and ids. */; isPlain: boolean }
  | { status: 'failed' | 'cancelled'; error: string | Wording }

/** False if it is over already. */
export async function endStep(db: Db, place: Place, end: StepEnd): Promise<boolean> {
  const outcome = await outcomeOf(db, place, end)
  const ended = await at(db, place)
    .set({ status: end.status, ...outcome, finished_at: sql<string>`now()` })
    .where('status', '=', 'running')
    .executeTakeFirst()
  return ended.numUpdatedRows > 0n
}

/** What a shop has answered, and why it refused, is sealed. */
async function outcomeOf(db: Db, { integrationId, runId }: Place, end: StepEnd) {
  const place = { integration_id: integrationId, id: runId }
  if (end.status === 'completed') {
    const done = { done: 1, total: 1 }
    if (end.isPlain) return { ...done, result: JSON.stringify(end.result) }
    return { ...done, private_result: await sealEnding(db, place, { result: end.result }) }
  }
  return await endingOf(db, place, end)
}

export interface RunEnded {
  status: RunStatus
  error: string | null
  reason: Reason | null
}

/** Those of the runs that are not over, by their id. */
export async function runsUnderWay(db: Db, places: readonly Place[]): Promise<Set<number>> {
  if (places.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select id from runs
    where integration_id = any(${[...new Set(places.map(({ integrationId }) => integrationId))]}::bigint[])
      and id = any(${places.map(({ runId }) => runId)}::bigint[]) and status in ('queued', 'running')`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** How the runs stand, by their id. */
export async function runEnds(db: Db, places: readonly Place[]): Promise<Map<number, RunEnded>> {
  if (places.length === 0) return new Map()
  const { rows } = await sql<Sealed<RunEnded & { id: number }>>`
    select runs.integration_id, runs.id, runs.status, runs.error, runs.reason, runs.private_result from runs
    where integration_id = any(${[...new Set(places.map(({ integrationId }) => integrationId))]}::bigint[])
      and id = any(${places.map(({ runId }) => runId)}::bigint[])`.execute(db)
  const runs = await openEndings<RunEnded & { id: number }>(db, rows)
  return new Map(runs.map(({ id, status, error, reason }) => [id, { status, error, reason }]))
}
