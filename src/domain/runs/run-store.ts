import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import { reasonOf, reasonOrNull, textOf, type Wording } from '../../lib/words/wording.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { databaseTime } from '../../runtime/db/database-time.ts'
import type { AcrossPlan } from '../../runtime/db/lists/across.ts'
import {
  type ListPlan,
  ofIntegration,
  type PageOf,
  type PageQuery,
  paginate,
  type Reader,
} from '../../runtime/db/lists/paginate.ts'
import { sayNews } from '../news-store.ts'
import { failedRun, type Run, type RunStatus } from './run.ts'
import { openEndings, type Sealed, sealEnding } from './sealed-run.ts'

const columns = [
  'integration_id',
  'id',
  'resource',
  'status',
  'input',
  'done',
  'total',
  'result',
  'error',
  'reason',
  'estimated_seconds',
  'waits',
  'created_at',
  'started_at',
  'finished_at',
] as const

const runList: ListPlan = {
  name: 'runs',
  from: 'runs',
  columns: [...columns, 'private_result'].join(', '),
  filters: { status: { column: 'status', type: 'text' }, resource: { column: 'resource', type: 'text' } },
  sorts: { id: 'id', created_at: 'created_at' },
  defaultSort: [{ field: 'id', descending: true }],
}

const ofAnyKind: AcrossPlan = {
  name: 'runs-across',
  from: 'runs',
  columns: runList.columns,
  keys: [{ column: 'id', type: 'bigint' }],
  filters: { status: { column: 'status', type: 'text' } },
}

/** Over many integrations; `openRuns` opens what is sealed of them. `loud` are those of which somebody may want to know. */
export const runsAcross = {
  all: ofAnyKind,
  loud: { ...ofAnyKind, name: 'loud-runs-across', where: 'not quiet' },
} as const

export const openRuns = (reader: Reader, rows: readonly Sealed<Run>[]): Promise<Run[]> => openEndings<Run>(reader, rows)

export async function listRuns(reader: Reader, integrationId: number, query: PageQuery): Promise<PageOf<Run>> {
  const page = await paginate<Sealed<Run>>(reader, runList, ofIntegration(integrationId), query)
  return { rows: await openEndings<Run>(reader, page.rows), total: page.total }
}

export async function findRun(db: Db, integrationId: number, id: number): Promise<Run> {
  const row = await db
    .selectFrom('runs')
    .select([...columns, 'private_result'])
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .$narrowType<{ status: RunStatus }>()
    .executeTakeFirstOrThrow(notFound)
  const [run = row] = await openEndings<Run>(db, [row])
  return run
}

/** Waits for its turn. Give it the transaction that also starts the job. */
export async function insertRun(
  db: Db,
  integrationId: number,
  {
    resource,
    input,
    scheduleId,
    estimatedSeconds,
    automatic = false,
  }: {
    resource: string
    input: object
    scheduleId?: number | null
    estimatedSeconds?: number | null
    /** By the clock, without anybody's having asked. */
    automatic?: boolean
  },
): Promise<Run> {
  const inserted = await db
    .insertInto('runs')
    .values({
      integration_id: integrationId,
      resource,
      status: 'queued',
      input: JSON.stringify(input),
      schedule_id: scheduleId ?? null,
      estimated_seconds: estimatedSeconds ?? null,
      automatic,
    })
    .returning(columns)
    .$narrowType<{ status: RunStatus }>()
    .executeTakeFirstOrThrow()
  sayNews(db, 'runs', integrationId)
  return inserted
}

/** Under which a worker may write for a run: whoever takes the run over holds a larger fence. */
export interface Claim {
  integrationId: number
  id: number
  fence: number
}

/**
 * Takes the run over; null if it is over or its integration is gone. Whoever held it before writes nothing from now on.
 * Counted here, and not when it fails: a run that kills its worker cannot count by itself.
 */
export async function takeRun(
  trx: Db,
  integrationId: number,
  id: number,
): Promise<{ claim: Claim; run: Run; attempt: number; waits: number } | null> {
  const { rows } = await sql<{ fence: number }>`
    update integration_state set fence = fence + 1 where integration_id = ${integrationId} returning fence`.execute(trx)
  const [state] = rows
  if (!state) return null
  const at = await databaseTime(trx)
  const taken = await trx
    .updateTable('runs')
    .set({
      status: 'running',
      fence: state.fence,
      attempts: sql<number>`attempts + 1`,
      started_at: sql<string>`coalesce(started_at, ${at}::timestamptz)`,
    })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returning([...columns, 'attempts'])
    .$narrowType<{ status: RunStatus }>()
    .executeTakeFirst()
  if (!taken) return null
  sayNews(trx, 'runs', integrationId)
  const { attempts: attempt, ...run } = taken
  return { claim: { integrationId, id, fence: state.fence }, run, attempt, waits: run.waits }
}

const mine = (db: Db, { integrationId, id, fence }: Claim) =>
  db
    .updateTable('runs')
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('status', '=', 'running')

/**
 * Before a worker writes anything for a run, in the same transaction: until that ends nobody can take the integration
 * over. Progress puts the counts of vain attempts back. The answer is the transaction's time; null if the fence is no
 * longer the integration's, or the run is over: then nothing may be written.
 */
export async function enterRun(
  trx: Db,
  claim: Claim,
  progress: { done: number; total: number | null },
): Promise<string | null> {
  const { rows } = await sql<{ fence: number; at: string }>`
    select fence, now() as at from integration_state
    where integration_id = ${claim.integrationId} for no key update`.execute(trx)
  const [state] = rows
  if (state?.fence !== claim.fence) return null
  const entered = await mine(trx, claim)
    .set({ ...progress, estimated_seconds: secondsLeft(progress), attempts: 0, waits: 0 })
    .executeTakeFirst()
  sayNews(trx, 'runs', claim.integrationId)
  return entered.numUpdatedRows > 0n ? state.at : null
}

/** What is left takes as long as what is done took; before anything is done, the estimate of the beginning stays. */
const secondsLeft = ({ done, total }: { done: number; total: number | null }) =>
  total === null || done === 0
    ? sql<number | null>`estimated_seconds`
    : sql<number>`least(2000000000, ceil(extract(epoch from now() - started_at) * ${Math.max(0, total - done) / done}::float8))::int`

export type RunEnd =
  | { status: 'completed'; result: Readonly<Record<string, unknown>> }
  | { status: 'failed' | 'cancelled'; error: string | Wording; result?: Readonly<Record<string, unknown>> }

/** Why it has not come to its end. Of what has failed that may be the words of a shop: they are sealed, and ours are in their place. */
export async function endingOf(
  db: Db,
  place: { integration_id: number; id: number },
  { status, error }: { status: 'failed' | 'cancelled'; error: string | Wording },
) {
  const said = { error: textOf(error), reason: reasonOrNull(error) }
  if (status === 'cancelled') return { error: said.error, reason: JSON.stringify(said.reason), private_result: null }
  return {
    error: failedRun.text,
    reason: JSON.stringify(reasonOf(failedRun)),
    private_result: await sealEnding(db, place, said),
  }
}

/**
 * Null if somebody else has taken the run over, or it is over. `idle`: nothing was found; one that the clock has started
 * is then quiet, and nobody has to hear of it.
 */
export async function endRun(
  trx: Db,
  claim: Claim,
  { idle, ...end }: RunEnd & { idle: boolean },
): Promise<{ quiet: boolean; resource: string; started_at: string | null } | null> {
  const place = { integration_id: claim.integrationId, id: claim.id }
  const ending = 'error' in end ? await endingOf(trx, place, end) : { private_result: null }
  const ended = await mine(trx, claim)
    .set({
      status: end.status,
      ...(end.result && { result: JSON.stringify(end.result) }),
      ...ending,
      finished_at: sql<string>`now()`,
      ...(idle && { quiet: sql<boolean>`automatic` }),
    })
    .returning(['quiet', 'resource', 'started_at'])
    .executeTakeFirst()
  sayNews(trx, 'runs', claim.integrationId)
  return ended ?? null
}

/** Nobody works on it until it is taken again. */
const givenBack = { fence: null, attempts: sql<number>`greatest(attempts - 1, 0)` }

/** The shop is away: that is a wait, and no vain attempt. False as above. */
export async function postponeRun(db: Db, claim: Claim): Promise<boolean> {
  const put = await mine(db, claim)
    .set({ ...givenBack, waits: sql<number>`waits + 1` })
    .executeTakeFirst()
  sayNews(db, 'runs', claim.integrationId)
  return put.numUpdatedRows > 0n
}

/** Another run has taken the integration meanwhile: that was no vain attempt. False if the run itself is not ours. */
export async function yieldRun(db: Db, claim: Claim): Promise<boolean> {
  const yielded = await mine(db, claim).set(givenBack).executeTakeFirst()
  return yielded.numUpdatedRows > 0n
}

/** Whoever works on it stores nothing more. Null if it is over already. */
export async function cancelRun(db: Db, integrationId: number, id: number): Promise<Run | null> {
  const cancelled = await db
    .updateTable('runs')
    .set({ status: 'cancelled', finished_at: sql<string>`now()` })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returning(columns)
    .$narrowType<{ status: RunStatus }>()
    .executeTakeFirst()
  sayNews(db, 'runs', integrationId)
  return cancelled ?? null
}

/** A run that has waited so often for its shop is put off for longer than somebody with news of the shop would wait. */
const manyWaits = 3

/**
 * Those that wait for their turn and have read nothing yet, so that they will read what is in the shop now: queued, or put off for a moment, since another reads the same or the
 * shop is away. One that somebody works on may have read all there was, and nothing was new.
 */
export async function queuedResources(db: Db, integrationId: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('runs')
    .select('resource')
    .where('integration_id', '=', integrationId)
    .where(
      sql<boolean>`(status = 'queued' or status = 'running' and done = 0 and fence is null and waits < ${manyWaits})`,
    )
    .execute()
  return new Set(rows.map(({ resource }) => resource))
}
