import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { ListPlan, ListScope } from '../../runtime/db/paginate.ts'
import type { Run, RunStatus } from './run.ts'

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
  'created_at',
  'started_at',
  'finished_at',
] as const

export const runList: ListPlan = {
  name: 'runs',
  from: 'runs',
  columns: columns.join(', '),
  filters: { status: { column: 'status', type: 'text' }, resource: { column: 'resource', type: 'text' } },
  sorts: { id: 'id', created_at: 'created_at' },
  defaultSort: [{ field: 'id', descending: true }],
}

export const runScope = (integrationId: number): ListScope => ({
  key: 'integration',
  sql: 'integration_id = ?',
  params: [integrationId],
})

export async function findRun(db: Db, integrationId: number, id: number): Promise<Run> {
  return await db
    .selectFrom('runs')
    .select(columns)
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .$narrowType<{ status: RunStatus }>()
    .executeTakeFirstOrThrow(notFound)
}

/** Waits for its turn. Give it the transaction that also starts the job. */
export async function insertRun(
  db: Db,
  integrationId: number,
  { resource, input, scheduleId }: { resource: string; input: Record<string, unknown>; scheduleId?: number | null },
): Promise<Run> {
  return await db
    .insertInto('runs')
    .values({
      integration_id: integrationId,
      resource,
      status: 'queued',
      input: JSON.stringify(input),
      schedule_id: scheduleId ?? null,
    })
    .returning(columns)
    .$narrowType<{ status: RunStatus }>()
    .executeTakeFirstOrThrow()
}

/**
 * Takes the run over and gives the fence under which it may write; null if it is over. Whoever held it before writes
 * nothing from now on.
 */
export async function takeRun(db: Db, integrationId: number, id: number): Promise<number | null> {
  const { fence } = await db
    .updateTable('integration_state')
    .set({ fence: sql<number>`fence + 1` })
    .where('integration_id', '=', integrationId)
    .returning('fence')
    .executeTakeFirstOrThrow(notFound)
  const taken = await db
    .updateTable('runs')
    .set({ status: 'running', fence, done: 0, started_at: sql<string>`now()` })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returning('id')
    .executeTakeFirst()
  return taken ? fence : null
}

export interface RunUpdate {
  done?: number
  total?: number | null
  status?: 'completed' | 'failed'
  result?: Record<string, unknown>
  error?: string
}

/** False if somebody else has taken the run over. */
export async function reportRun(
  db: Db,
  { integrationId, id, fence }: { integrationId: number; id: number; fence: number },
  { result, status, ...update }: RunUpdate,
): Promise<boolean> {
  const reported = await db
    .updateTable('runs')
    .set({
      ...update,
      ...(result ? { result: JSON.stringify(result) } : {}),
      ...(status ? { status, finished_at: sql<string>`now()` } : {}),
    })
    .where('integration_id', '=', integrationId)
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return reported.numUpdatedRows > 0n
}
