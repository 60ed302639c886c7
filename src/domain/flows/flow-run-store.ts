import { sql } from 'kysely'
import { liesOn, type Node } from '../../runtime/db/citus/nodes.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import { hasRows } from '../../runtime/db/rows/has-rows.ts'
import type { IntegrationStatus } from '../integrations/integration.ts'
import type { Flow } from './flow.ts'
import type { FlowRun, FlowRunEnd } from './flow-run.ts'

const columns = [
  'id',
  'flow_id',
  'integration_id',
  'status',
  'steps',
  'step',
  'run_id',
  'error',
  'created_at',
  'started_at',
  'finished_at',
] as const

export const flowRunList: ListPlan = {
  name: 'flow-runs',
  from: 'flow_runs',
  columns: columns.join(', '),
  filters: {
    status: { column: 'status', type: 'text' },
    integration_id: { column: 'integration_id', type: 'bigint' },
  },
  sorts: { id: 'id', created_at: 'created_at' },
  defaultSort: [{ field: 'id', descending: true }],
}

export const flowRunScope = (flowId: number): ListScope => ({ key: 'flow', sql: 'flow_id = ?', params: [flowId] })

/** The integrations that a flow of an app is for. */
const itsIntegrations = sql`i.app_id = f.app_id and (f.service_id is null or f.service_id = i.service_id)
  and i.status = 'ACTIVE' and i.active and i.deleted_at is null`

const unfinished = sql`select from flow_runs r
  where r.flow_id = f.id and r.integration_id = i.id and r.status in ('queued', 'running')`

export interface DueFlow extends Pick<Flow, 'id' | 'type' | 'trigger' | 'active'> {}

const isDue = sql`active and deleted_at is null and next_run_at <= now()`
const isOpen = sql`status in ('queued', 'running')`

/** A flow is due, or one is under way. */
export async function hasFlows(db: Db): Promise<boolean> {
  return await hasRows(db, sql`select from flows where ${isDue}`, sql`select from flow_runs where ${isOpen}`)
}

/** Those whose time has come, the longest waiting first. */
export async function dueFlows(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from flows where ${isDue} order by next_run_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Of these, the ones that are still due and that nobody else starts; held until the transaction ends. */
export async function claimDueFlows(trx: Db, ids: readonly number[]): Promise<DueFlow[]> {
  const { rows } = await sql<DueFlow>`
    select id, type, trigger, active from flows
    where ${isDue} and id = any(${[...ids]}::bigint[])
    order by id for no key update skip locked`.execute(trx)
  return rows
}

/** Queues the flow on each of its integrations; the answer is those where it has not ended yet, which are left out. */
export async function queueEverywhere(trx: Db, flowId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select i.id from flows f join integrations i on ${itsIntegrations}
    where f.id = ${flowId} and exists (${unfinished})`.execute(trx)
  await sql`
    insert into flow_runs (flow_id, integration_id, status, steps)
    select f.id, i.id, 'queued', f.steps from flows f join integrations i on ${itsIntegrations}
    where f.id = ${flowId} and not exists (${unfinished})
    order by i.id
    on conflict do nothing`.execute(trx)
  return rows.map(({ id }) => id)
}

/**
 * Those that wait for the event and are for this integration. One that waits to begin anyway is not queued twice. That it is queued is shown where nobody is showing
 * something else just now: messages of many shops may start the same flow, and none of them is to wait for the others.
 */
export async function queueForEvent(trx: Db, integrationId: number, event: string): Promise<void> {
  await sql`
    with begun as (
      insert into flow_runs (flow_id, integration_id, status, steps)
      select f.id, i.id, 'queued', f.steps from integrations i join flows f on ${itsIntegrations}
      where i.id = ${integrationId} and f.type = 'webhook' and f.trigger ->> 'event' = ${event}
        and f.active and f.deleted_at is null
      order by f.id
      on conflict do nothing returning flow_id
    ), shown as (
      select id from flows where id in (select flow_id from begun) for no key update skip locked
    )
    update flows set last_run_at = now(), last_run_status = 'queued' from shown where flows.id = shown.id`.execute(trx)
}

export async function isUnfinished(trx: Db, flowId: number, integrationId: number): Promise<boolean> {
  const found = await trx
    .selectFrom('flow_runs')
    .select('id')
    .where('flow_id', '=', flowId)
    .where('integration_id', '=', integrationId)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()
  return found !== undefined
}

export async function insertFlowRun(
  trx: Db,
  { flow, integrationId, runId }: { flow: Flow; integrationId: number; runId: number },
): Promise<FlowRun> {
  return await trx
    .insertInto('flow_runs')
    .values({
      flow_id: flow.id,
      integration_id: integrationId,
      status: 'running',
      steps: JSON.stringify(flow.steps),
      run_id: runId,
      started_at: sql<string>`now()`,
    })
    .returning(columns)
    .$castTo<FlowRun>()
    .executeTakeFirstOrThrow()
}

/** What has begun or waits, with its integration. */
export interface OpenFlowRun extends Pick<FlowRun, 'id' | 'flow_id' | 'integration_id' | 'steps' | 'step' | 'run_id'> {
  status: 'queued' | 'running'
  integration: { id: number; type: string; definition: unknown; status: IntegrationStatus; active: boolean }
  /** The same flow is already under way on the same integration. */
  waits: boolean
}

/** Where in all that is under way somebody is who goes through it. */
export interface FlowRunPlace extends Pick<FlowRun, 'id' | 'integration_id' | 'run_id'> {
  seen_at: string
  waits: boolean
}

const runsAlready = (one: string) => sql`${sql.raw(one)}.status = 'queued' and exists (
    select from flow_runs r where r.integration_id = ${sql.raw(one)}.integration_id and r.flow_id = ${sql.raw(one)}.flow_id
      and r.status = 'running'
  )`

/** What has begun or waits and was taken no step further since `before`: a page of it, those that wait for the longest time first. Only looked at. */
export async function openFlowRuns(
  db: Db,
  { before, after, limit, node }: { before: string; after: FlowRunPlace | undefined; limit: number; node: Node },
): Promise<FlowRunPlace[]> {
  const { rows } = await sql<FlowRunPlace>`
    select o.id, o.integration_id, o.run_id, o.seen_at, ${runsAlready('o')} as waits from flow_runs o
    where o.status in ('queued', 'running') and o.seen_at < ${before} and ${liesOn(node, 'integration_id')}
      and (o.seen_at, o.id) > (${after?.seen_at ?? '-infinity'}::timestamptz, ${after?.id ?? 0}::bigint)
    order by o.seen_at, o.id limit ${limit}`.execute(db)
  return rows
}

/** Of these, the ones that nobody else has taken a step further; held until the transaction ends. */
export async function claimOpen(
  trx: Db,
  { ids, before }: { ids: readonly number[]; before: string },
): Promise<OpenFlowRun[]> {
  const { rows } = await sql<
    Omit<OpenFlowRun, 'integration'> &
      Omit<OpenFlowRun['integration'], 'id' | 'status'> & { integration_status: IntegrationStatus }
  >`
    with seen as (
      update flow_runs set seen_at = clock_timestamp()
      where id in (
        select id from flow_runs where ${isOpen} and seen_at < ${before} and id = any(${[...ids]}::bigint[])
        order by id for no key update skip locked
      )
      returning id, flow_id, integration_id, status, steps, step, run_id
    )
    select seen.*, i.type, s.definition, i.status as integration_status, i.active and i.deleted_at is null as active,
      ${runsAlready('seen')} as waits
    from seen join integrations i on i.id = seen.integration_id join services s on s.id = i.service_id
    order by i.app_id, i.id, seen.id`.execute(trx)
  return rows.map(({ type, definition, integration_status: status, active, ...run }) => ({
    ...run,
    integration: { id: run.integration_id, type, definition, status, active },
  }))
}

/** It has its turn after all others. */
export async function putBehind(db: Db, id: number): Promise<void> {
  await sql`update flow_runs set seen_at = clock_timestamp() where id = ${id}`.execute(db)
}

export async function enterStep(trx: Db, id: number, { step, runId }: { step: number; runId: number }): Promise<void> {
  await trx
    .updateTable('flow_runs')
    .set({ status: 'running', step, run_id: runId, started_at: sql<string>`coalesce(started_at, now())` })
    .where('id', '=', id)
    .execute()
}

export async function endFlowRun(trx: Db, id: number, end: FlowRunEnd): Promise<void> {
  await trx
    .updateTable('flow_runs')
    .set({ status: end.status, error: 'error' in end ? end.error : null, finished_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
}

/** What the list of flows shows. Those of the catalogue belong to everybody, and show nothing of anybody. */
export async function showLatest(trx: Db, flowId: number, status: string): Promise<void> {
  await trx
    .updateTable('flows')
    .set({ last_run_status: status, ...(status === 'running' ? { last_run_at: sql<string>`now()` } : {}) })
    .where('id', '=', flowId)
    .where('app_id', 'is not', null)
    .execute()
}

export async function keepAppointment(trx: Db, id: number, nextRunAt: string | null): Promise<void> {
  await trx.updateTable('flows').set({ next_run_at: nextRunAt }).where('id', '=', id).execute()
}

/** Not for now: it could not be started, and the others shall not wait for it. */
export async function putOffFlow(db: Db, id: number, seconds: number): Promise<void> {
  await sql`update flows set next_run_at = now() + make_interval(secs => ${seconds}) where id = ${id}`.execute(db)
}

/** Some of them at a time; false when there are none left. */
export async function deleteOldFlowRuns(db: Db, days: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from flow_runs where id in (
      select id from flow_runs where finished_at < now() - make_interval(days => ${days}::int) order by id limit 5000
    )`.execute(db)
  return numAffectedRows > 0n
}

/** The database's clock, to the microsecond. */
export async function clock(db: Db): Promise<string> {
  const { rows } = await sql<{ at: string }>`select clock_timestamp() as at`.execute(db)
  return rows[0]?.at ?? ''
}
