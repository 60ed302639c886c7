import { sql } from 'kysely'
import { forbidden, notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import type { AppTenant } from '../tenant.ts'
import type { AttachedService, Attachment } from './service.ts'
import { namesType, readService } from './service-store.ts'

/** Which app offers which service. */

const columns = [
  's.id',
  's.user_id',
  's.company_id',
  's.type',
  's.name',
  's.description',
  's.logo',
  's.auth_type',
  's.active',
  's.mutable',
  's.settings',
  's.definition',
  's.client_key_id',
  's.created_at',
  's.updated_at',
  'a.app_id',
  'a.active as attached_active',
  'a.settings as attached_settings',
  'a.logo as attached_logo',
  'a.client_key_id as attached_client_key_id',
  'a.created_at as attached_at',
  'a.updated_at as attached_updated_at',
] as const

export const appServiceList: ListPlan = {
  name: 'app-services',
  from: 'app_services a join services s on s.id = a.service_id',
  columns: columns.join(', '),
  id: 's.id',
  filters: {
    active: { column: 'a.active', type: 'boolean' },
    type: { column: 's.type', type: 'text' },
    auth_type: { column: 's.auth_type', type: 'text' },
  },
  sorts: { id: 's.id', name: 's.name', type: 's.type', created_at: 'a.created_at', updated_at: 'a.updated_at' },
}

/** What the app's makers see: switched off or not. */
export const attachedScope = (tenant: AppTenant): ListScope => ({
  key: 'attached',
  sql: 'a.app_id = ? and s.deleted_at is null',
  params: [tenant.appId],
})

/** What the app and its accounts can connect. */
export const offeredScope = (tenant: AppTenant): ListScope => ({
  key: 'offered',
  sql: 'a.app_id = ? and a.active and s.active and s.deleted_at is null',
  params: [tenant.appId],
})

const selectAttached = (db: Db, appId: number) =>
  db
    .selectFrom('app_services as a')
    .innerJoin('services as s', 's.id', 'a.service_id')
    .select(columns)
    .where('a.app_id', '=', appId)
    .where('s.deleted_at', 'is', null)

export async function readAttached(db: Db, tenant: AppTenant, serviceId: number): Promise<AttachedService | undefined> {
  return await selectAttached(db, tenant.appId).where('s.id', '=', serviceId).executeTakeFirst()
}

export async function findAttached(db: Db, tenant: AppTenant, serviceId: number): Promise<AttachedService> {
  const attached = await readAttached(db, tenant, serviceId)
  if (!attached) throw notFound()
  return attached
}

/**
 * By id or type. A service that exists but that this app does not offer is refused, not hidden; by type that is so for what
 * comes with us: what others have described under that name is nobody's business.
 */
export async function findOffered(db: Db, tenant: AppTenant, reference: string): Promise<AttachedService> {
  const attached = namesType(reference)
    ? await readAttachedOfType(db, tenant, reference)
    : await readAttached(db, tenant, (await readService(db, reference)).id)
  if (attached?.active && attached.attached_active) return attached
  if (!attached) await readService(db, reference)
  throw forbidden()
}

/** The app's own, before what comes with us. */
const readAttachedOfType = (db: Db, tenant: AppTenant, type: string): Promise<AttachedService | undefined> =>
  selectAttached(db, tenant.appId)
    .where('s.type', '=', type)
    .orderBy(sql`s.user_id is null and s.company_id is null, s.id`)
    .limit(1)
    .executeTakeFirst()

export async function allAttached(db: Db, tenant: AppTenant): Promise<AttachedService[]> {
  return await selectAttached(db, tenant.appId).orderBy('s.id').execute()
}

/** The services of many apps at once. */
export async function attachedToApps(db: Db, appIds: readonly number[]): Promise<AttachedService[]> {
  if (appIds.length === 0) return []
  return await db
    .selectFrom('app_services as a')
    .innerJoin('services as s', 's.id', 'a.service_id')
    .select(columns)
    .where('a.app_id', 'in', appIds)
    .where('s.deleted_at', 'is', null)
    .orderBy('s.id')
    .execute()
}

/** False if the app offers it already. */
export async function attach(db: Db, tenant: AppTenant, attachment: Attachment): Promise<boolean> {
  const result = await db
    .insertInto('app_services')
    .values({ app_id: tenant.appId, ...attachment })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function changeAttached(
  db: Db,
  tenant: AppTenant,
  { service_id, ...changes }: Attachment & { logo?: string },
): Promise<void> {
  await db
    .updateTable('app_services')
    .set({ ...changes, updated_at: sql<string>`now()` })
    .where('app_id', '=', tenant.appId)
    .where('service_id', '=', service_id)
    .execute()
}

export async function detach(db: Db, tenant: AppTenant, serviceId: number): Promise<void> {
  await db.deleteFrom('app_services').where('app_id', '=', tenant.appId).where('service_id', '=', serviceId).execute()
}

export async function detachOthers(db: Db, tenant: AppTenant, kept: readonly number[]): Promise<void> {
  await db
    .deleteFrom('app_services')
    .where('app_id', '=', tenant.appId)
    .$if(kept.length > 0, (query) => query.where('service_id', 'not in', kept))
    .execute()
}
