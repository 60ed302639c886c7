import { sql } from 'kysely'
import { forbidden, notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { deletedNow } from '../../runtime/db/deleted-now.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import { holdRow } from '../../runtime/db/rows/hold-row.ts'
import { type OwnedByUser, ownedParams, ownedSql, type UserTenant } from '../tenant.ts'
import { changesService, type Service, type ServiceChanges, type ServiceInput, seesService } from './service.ts'

const columns = [
  'id',
  'user_id',
  'company_id',
  'type',
  'name',
  'description',
  'logo',
  'auth_type',
  'active',
  'mutable',
  'settings',
  'definition',
  'client_key_id',
  'created_at',
  'updated_at',
] as const

export const serviceList: ListPlan = {
  name: 'services',
  from: 'services',
  columns: columns.join(', '),
  filters: { active: { column: 'active', type: 'boolean' }, type: { column: 'type', type: 'text' } },
  sorts: { id: 'id', name: 'name', type: 'type', created_at: 'created_at', updated_at: 'updated_at' },
}

const visible = `((user_id is null and company_id is null) or ${ownedSql()})`

export function serviceScope(tenant: UserTenant): ListScope {
  if (tenant.admin) return { key: 'all', sql: 'deleted_at is null', params: [] }
  return { key: 'visible', sql: `${visible} and deleted_at is null`, params: ownedParams(tenant) }
}

const selectServices = (db: Db) => db.selectFrom('services').select(columns).where('deleted_at', 'is', null)

/** Paths take either. */
export const namesType = (reference: string): boolean => !/^\d+$/.test(reference)

/** By id, or of what comes with us by type. */
export const readService = (db: Db, reference: string): Promise<Service> =>
  namesType(reference) ? readByType(db, { type: reference, owner: nobody }) : readById(db, Number(reference))

async function readById(db: Db, id: number): Promise<Service> {
  if (!Number.isSafeInteger(id)) throw notFound()
  return await selectServices(db).where('id', '=', id).executeTakeFirstOrThrow(notFound)
}

const nobody = { userId: null, companyId: null }

/**
 * The owner's own, before what comes with us: it may have been there first. What others have under that name is not there
 * for anybody but an admin.
 */
async function readByType(
  db: Db,
  { type, owner }: { type: string; owner: { userId: number | null; companyId: number | null; admin?: boolean } },
): Promise<Service> {
  const isOwn = sql<boolean>`coalesce(company_id = ${owner.companyId}::bigint, company_id is null and user_id = ${owner.userId}::bigint, false)`
  const isOurs = sql<boolean>`user_id is null and company_id is null`
  return await selectServices(db)
    .where('type', '=', type)
    .where(sql<boolean>`(${isOwn} or ${isOurs} or ${owner.admin ?? false})`)
    .orderBy(sql`${isOwn} desc, ${isOurs} desc, id`)
    .limit(1)
    .executeTakeFirstOrThrow(notFound)
}

/** By type what the tenant sees, as if nothing else were there; by id others' are refused, as ids can be counted. */
export async function findService(db: Db, tenant: UserTenant, reference: string): Promise<Service> {
  const service = await (namesType(reference)
    ? readByType(db, { type: reference, owner: tenant })
    : readById(db, Number(reference)))
  if (!seesService(tenant, service)) throw forbidden()
  return service
}

/** The same for those who want to change it. */
export async function findMutableService(db: Db, tenant: UserTenant, reference: string): Promise<Service> {
  const service = await findService(db, tenant, reference)
  if (!changesService(tenant, service)) throw forbidden()
  return service
}

/** The same, and nobody else changes that service until the transaction ends. */
export async function lockService(db: Db, tenant: UserTenant, id: number): Promise<Service> {
  await holdRow(db, 'services', id)
  return await findMutableService(db, tenant, String(id))
}

/** Of these, the ones that the tenant may offer in an app. */
export async function attachableIds(db: Db, tenant: UserTenant, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const services = await selectServices(db).where('id', 'in', ids).execute()
  return new Set(services.filter((service) => seesService(tenant, service)).map((service) => service.id))
}

export async function servicesById(db: Db, ids: readonly number[]): Promise<Map<number, Service>> {
  if (ids.length === 0) return new Map()
  const services = await selectServices(db).where('id', 'in', ids).execute()
  return new Map(services.map((service) => [service.id, service]))
}

/** By what comes with us, or came with us once and was removed: it may have integrations. */
export async function typeIsOurs(db: Db, type: string): Promise<boolean> {
  const taken = await db
    .selectFrom('services')
    .select('id')
    .where('type', '=', type)
    .where('user_id', 'is', null)
    .where('company_id', 'is', null)
    .executeTakeFirst()
  return taken !== undefined
}

/** Null if the owner has one of that type. */
export async function insertService(db: Db, owner: OwnedByUser, input: ServiceInput): Promise<Service | null> {
  const inserted = await db
    .insertInto('services')
    .values({ ...owner, ...input })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst()
  return inserted ?? null
}

/** Part of a transaction that holds the service. */
export async function changeService(db: Db, id: number, changes: ServiceChanges & { logo?: string }): Promise<Service> {
  return await db
    .updateTable('services')
    .set({ ...changes, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow(notFound)
}

/** Whether any shop of it is let in, or may be. */
export async function hasConnected(db: Db, id: number): Promise<boolean> {
  const one = await db
    .selectFrom('integrations')
    .select('id')
    .where('service_id', '=', id)
    .where('status', '<>', 'UNINSTALLED')
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return one !== undefined
}

/** No app offers it any longer; integrations that exist stay. */
export async function softDeleteService(db: Db, id: number): Promise<void> {
  await db.deleteFrom('app_services').where('service_id', '=', id).execute()
  await db.updateTable('services').set(deletedNow).where('id', '=', id).execute()
}

const maxLogos = 1000

/** Every service that has a logo, uploaded or drawn by us (`drawn` are the types of those), for whoever shows the catalogue. */
export async function servicesWithLogo(db: Db, tenant: UserTenant, drawn: readonly string[]): Promise<Service[]> {
  const query = selectServices(db)
    .where((where) =>
      where.or([where('logo', 'is not', null), where('type', '=', sql<string>`any(${[...drawn]}::text[])`)]),
    )
    .orderBy('id')
    .limit(maxLogos)
  if (tenant.admin) return await query.execute()
  return await query
    .where((where) =>
      where.or([
        where.and([where('user_id', 'is', null), where('company_id', 'is', null)]),
        where.and([where('company_id', 'is', null), where('user_id', '=', tenant.userId)]),
        ...(tenant.companyId === null ? [] : [where('company_id', '=', tenant.companyId)]),
      ]),
    )
    .execute()
}
