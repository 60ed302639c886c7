import { sql } from 'kysely'
import { liesOn, type Node } from '../../runtime/db/citus/nodes.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { hasRows } from '../../runtime/db/rows/has-rows.ts'
import type { IntegrationStatus } from '../integrations/integration.ts'
import type { Schedule } from './schedule.ts'

/** The integration that a due schedule is for, as far as that matters. */
export interface DueIntegration {
  id: number
  type: string
  definition: unknown
  status: IntegrationStatus
  active: boolean
  deleted: boolean
}

export interface Due extends Pick<Schedule, 'id' | 'integration_id' | 'resource' | 'payload' | 'cron' | 'timezone'> {
  integration: DueIntegration
}

const isDue = sql`active and deleted_at is null and due_at <= now() at time zone 'UTC'`

export async function hasDue(db: Db): Promise<boolean> {
  return await hasRows(db, sql`select from schedules where ${isDue}`)
}

/**
 * Those whose time has come, held until the transaction ends; what somebody else holds is left to him. In the order of
 * their tenants, so that two who take turns for many never wait crosswise. The spread keeps the shops and us from the
 * rush at every full hour; it hangs on the id, so that the times between two runs stay even.
 */
export async function claimDue(trx: Db, limit: number, node: Node): Promise<Due[]> {
  const { rows } = await sql<Omit<Due, 'integration'> & Omit<DueIntegration, 'id'>>`
    select due.*, i.type, s.definition, i.status, i.active, i.deleted_at is not null as deleted
    from (
      select id, integration_id, resource, payload, cron, timezone from schedules
      where ${isDue} and ${liesOn(node, 'integration_id')}
      order by due_at limit ${limit}
      for no key update skip locked
    ) due
    join integrations i on i.id = due.integration_id
    join services s on s.id = i.service_id
    order by i.app_id, i.id, due.id`.execute(trx)
  return rows.map(({ type, definition, status, active, deleted, ...due }) => ({
    ...due,
    integration: { id: due.integration_id, type, definition, status, active, deleted },
  }))
}

export interface Appointment {
  id: number
  nextRunAt: string | null
  /** After the appointment; null is the standard half minute. */
  spreadSeconds: number | null
  ran: boolean
}

export async function keepAppointments(trx: Db, appointments: readonly Appointment[]): Promise<void> {
  if (appointments.length === 0) return
  await sql`
    update schedules set next_run_at = kept.next, spread_seconds = kept.spread,
      last_run_at = case when kept.ran then now() else last_run_at end
    from unnest(${appointments.map(({ id }) => id)}::bigint[],
      ${appointments.map(({ nextRunAt }) => nextRunAt)}::timestamptz[],
      ${appointments.map(({ spreadSeconds }) => spreadSeconds)}::integer[],
      ${appointments.map(({ ran }) => ran)}::boolean[]) as kept (id, next, spread, ran)
    where schedules.id = kept.id`.execute(trx)
}

export async function markRun(trx: Db, id: number): Promise<void> {
  await trx.updateTable('schedules').set({ last_run_at: sql<string>`now()` }).where('id', '=', id).execute()
}

/**
 * Those that have slept while their integration was uninstalled. All of them are held first: whoever is just putting one to sleep has not said so yet.
 */
export async function sleeping(
  trx: Db,
  integrationId: number,
): Promise<Pick<Schedule, 'id' | 'cron' | 'timezone' | 'active'>[]> {
  const held = await trx
    .selectFrom('schedules')
    .select(['id', 'cron', 'timezone', 'active', 'next_run_at'])
    .where('integration_id', '=', integrationId)
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return held.filter(({ next_run_at: at }) => at === null)
}

export async function countSchedules(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from schedules where active and deleted_at is null`.execute(db)
  return rows[0]?.n ?? 0
}

/** Not for now: it could not be started, and the others shall not wait for it. */
export async function putOff(db: Db, id: number, seconds: number): Promise<void> {
  await sql`
    update schedules set next_run_at = now() + make_interval(secs => ${seconds}), spread_seconds = 0
    where id = ${id}`.execute(db)
}
