import { sql } from 'kysely'
import { notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { databaseTime } from '../../runtime/db/database-time.ts'
import { deletedNow } from '../../runtime/db/deleted-now.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import { integrationsOfUser } from '../integrations/integration-list-store.ts'
import { findIntegrationOfUser } from '../integrations/integration-store.ts'
import type { UserTenant } from '../tenant.ts'
import type { Schedule } from './schedule.ts'

const columns = [
  'id',
  'integration_id',
  'name',
  'resource',
  'cron',
  'timezone',
  'payload',
  'active',
  'last_run_at',
  'next_run_at',
  'created_at',
  'updated_at',
] as const

export const scheduleList: ListPlan = {
  name: 'schedules',
  from: 'schedules',
  columns: columns.join(', '),
  filters: {
    integration_id: { column: 'integration_id', type: 'bigint' },
    resource: { column: 'resource', type: 'text' },
    active: { column: 'active', type: 'boolean' },
  },
  sorts: { id: 'id', name: 'name', created_at: 'created_at', updated_at: 'updated_at', next_run_at: 'next_run_at' },
}

/** Those of the integrations that the user reaches. */
export function schedulesOfUser(tenant: UserTenant): ListScope {
  const { key, sql: own, params } = integrationsOfUser(tenant)
  return {
    key,
    sql: `integration_id in (select id from integrations where ${own}) and deleted_at is null`,
    params,
  }
}

const selectSchedules = (db: Db) => db.selectFrom('schedules').select(columns).where('deleted_at', 'is', null)

export async function findScheduleOfUser(db: Db, tenant: UserTenant, id: number): Promise<Schedule> {
  const schedule = await selectSchedules(db).where('id', '=', id).executeTakeFirstOrThrow(notFound)
  await findIntegrationOfUser(db, tenant, schedule.integration_id)
  return schedule
}

/** Below an integration that the caller has been let into: what is not the integration's is not there. */
export async function findScheduleBelow(db: Db, integrationId: number, id: number): Promise<Schedule> {
  return await selectSchedules(db)
    .where('id', '=', id)
    .where('integration_id', '=', integrationId)
    .executeTakeFirstOrThrow(notFound)
}

/** As they are now, and nobody else changes them until the transaction ends; in order, so that no two wait crosswise. */
export async function lockSchedules(db: Db, ids: readonly number[]): Promise<Map<number, Schedule>> {
  if (ids.length === 0) return new Map()
  const rows = await selectSchedules(db).where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
  return new Map(rows.map((schedule) => [schedule.id, schedule]))
}

/** All schedules of many integrations in one read. */
export async function schedulesOfIntegrations(db: Db, integrationIds: readonly number[]): Promise<Schedule[]> {
  if (integrationIds.length === 0) return []
  return await selectSchedules(db).where('integration_id', 'in', integrationIds).orderBy('id').execute()
}

/** The database's clock: the same for all processes. */
export const readClock = async (db: Db): Promise<Date> => new Date(await databaseTime(db))

export interface NewSchedule {
  integration_id: number
  name: string | null
  resource: string
  cron: string
  timezone: string
  payload: Record<string, unknown>
  active: boolean
  next_run_at: string | null
}

/** In the order given. */
export async function insertSchedules(db: Db, schedules: readonly NewSchedule[]): Promise<Schedule[]> {
  if (schedules.length === 0) return []
  return await db.insertInto('schedules').values(schedules).returning(columns).execute()
}

export async function changeSchedule(
  db: Db,
  id: number,
  changes: Partial<Omit<NewSchedule, 'integration_id'>>,
): Promise<Schedule> {
  return await db
    .updateTable('schedules')
    .set({ ...changes, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning(columns)
    .executeTakeFirstOrThrow(notFound)
}

export async function softDeleteSchedules(db: Db, ids: readonly number[]): Promise<void> {
  await db.updateTable('schedules').set(deletedNow).where('id', 'in', ids).where('deleted_at', 'is', null).execute()
}
