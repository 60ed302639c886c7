import { sql } from 'kysely'
import { forbidden, notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { deletedNow } from '../../runtime/db/deleted-now.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import type { AppTenant } from '../tenant.ts'
import { type Flow, type FlowDefinition, triggerOf } from './flow.ts'

const columns = [
  'id',
  'app_id',
  'service_id',
  'name',
  'description',
  'type',
  'trigger',
  'steps',
  'active',
  'next_run_at',
  'last_run_at',
  'last_run_status',
  'created_at',
  'updated_at',
] as const

export const flowList: ListPlan = {
  name: 'flows',
  from: 'flows',
  columns: columns.join(', '),
  filters: {
    active: { column: 'active', type: 'boolean' },
    type: { column: 'type', type: 'text' },
    service_id: { column: 'service_id', type: 'bigint' },
  },
  sorts: { id: 'id', name: 'name', type: 'type', created_at: 'created_at', updated_at: 'updated_at' },
}

/** Those the app has written itself. */
export const ownFlowScope = (tenant: AppTenant): ListScope => ({
  key: 'own',
  sql: 'app_id = ? and deleted_at is null',
  params: [tenant.appId],
})

/** Its own, and those that the catalogue brings for the services it offers. */
export const flowScope = (tenant: AppTenant): ListScope => ({
  key: 'app',
  sql: `(app_id = ? or (app_id is null and service_id in
    (select service_id from app_services where app_id = ? and active))) and deleted_at is null`,
  params: [tenant.appId, tenant.appId],
})

/** What is in the JSON columns has been checked when it was written. */
const selectFlows = (db: Db) => db.selectFrom('flows').select(columns).where('deleted_at', 'is', null).$castTo<Flow>()

/** Below an app that the caller has been let into: what is not the app's is not there. */
export async function findOwnFlow(db: Db, tenant: AppTenant, id: number): Promise<Flow> {
  return await selectFlows(db).where('id', '=', id).where('app_id', '=', tenant.appId).executeTakeFirstOrThrow(notFound)
}

export async function findFlow(db: Db, tenant: AppTenant, id: number): Promise<Flow> {
  const flow = await selectFlows(db).where('id', '=', id).executeTakeFirst()
  if (!flow) throw notFound()
  const open = flow.app_id === null ? await offersService(db, tenant, flow.service_id) : flow.app_id === tenant.appId
  if (!open) throw forbidden()
  return flow
}

async function offersService(db: Db, tenant: AppTenant, serviceId: number | null): Promise<boolean> {
  if (serviceId === null) return false
  const offered = await db
    .selectFrom('app_services')
    .select('service_id')
    .where('app_id', '=', tenant.appId)
    .where('service_id', '=', serviceId)
    .where('active', '=', true)
    .executeTakeFirst()
  return offered !== undefined
}

/** With its next appointment; left out, that stays as it is. */
type StoredFlow = FlowDefinition & { next_run_at?: string | null }

const stored = ({ trigger, steps, ...flow }: StoredFlow) => ({
  ...flow,
  trigger: triggerOf({ type: flow.type, trigger }),
  steps: JSON.stringify(steps.map(({ action, parameters = {} }) => ({ action, parameters }))),
})

/** Without a tenant the flow belongs to the catalogue. */
export async function insertFlow(db: Db, tenant: AppTenant | null, flow: StoredFlow): Promise<Flow> {
  return await db
    .insertInto('flows')
    .values({ app_id: tenant?.appId ?? null, ...stored(flow) })
    .returning(columns)
    .$castTo<Flow>()
    .executeTakeFirstOrThrow()
}

export async function replaceFlow(db: Db, tenant: AppTenant, input: { id: number; flow: StoredFlow }): Promise<Flow> {
  return await db
    .updateTable('flows')
    .set({ ...stored(input.flow), updated_at: sql<string>`now()` })
    .where('id', '=', input.id)
    .where('app_id', '=', tenant.appId)
    .returning(columns)
    .$castTo<Flow>()
    .executeTakeFirstOrThrow(notFound)
}

export async function lockFlow(db: Db, tenant: AppTenant, id: number): Promise<Flow> {
  return await selectFlows(db)
    .where('id', '=', id)
    .where('app_id', '=', tenant.appId)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
}

export async function softDeleteFlow(db: Db, tenant: AppTenant, id: number): Promise<void> {
  await db
    .updateTable('flows')
    .set(deletedNow)
    .where('id', '=', id)
    .where('app_id', '=', tenant.appId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow(notFound)
}

/** Also those that were removed: what an operator has taken out does not come back by itself. */
export async function catalogueFlowNames(db: Db): Promise<{ service_id: number | null; name: string }[]> {
  return await db.selectFrom('flows').select(['service_id', 'name']).where('app_id', 'is', null).execute()
}
