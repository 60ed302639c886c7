import { sql } from 'kysely'
import { forbidden, notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { deletedNow } from '../../runtime/db/deleted-now.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import { holdRow } from '../../runtime/db/rows/hold-row.ts'
import { listTotal } from '../list-total.ts'
import { type AppTenant, type OwnedByUser, ownedParams, ownedSql, owns, type UserTenant } from '../tenant.ts'
import type { App, AppInput } from './app.ts'

const columns = [
  'id',
  'user_id',
  'company_id',
  'name',
  'description',
  'url',
  'logo',
  'accent',
  'active',
  'mutable',
  'return_urls',
  'created_at',
  'updated_at',
] as const

export const appList: ListPlan = {
  name: 'apps',
  from: 'apps',
  columns: columns.join(', '),
  filters: {
    active: { column: 'active', type: 'boolean' },
    q: { column: 'name', type: 'text', match: 'contains' },
  },
  sorts: { id: 'id', name: 'name', created_at: 'created_at', updated_at: 'updated_at' },
}

export function appScope(tenant: UserTenant): ListScope {
  if (tenant.admin) return { key: 'all', sql: 'deleted_at is null', params: [], total: listTotal('apps', 0) }
  const own = `${ownedSql()} and deleted_at is null`
  const params = ownedParams(tenant)
  if (!tenant.reach) return { key: 'own', sql: own, params }
  const { everywhere, apps } = tenant.reach
  const key = everywhere ? 'own-but' : 'own-only'
  return { key, sql: `${own} and (id = any(?::bigint[])) = ${!everywhere}`, params: [...params, apps] }
}

/** Their ids, for the lists of what belongs to apps. */
export function appsOfUser(tenant: UserTenant): ListScope {
  const scope = appScope(tenant)
  return { ...scope, sql: `select id from apps where ${scope.sql}` }
}

const selectApps = (db: Db) => db.selectFrom('apps').select(columns).where('deleted_at', 'is', null)

export async function findApp(db: Db, tenant: UserTenant, id: number): Promise<App> {
  const app = await selectApps(db).where('id', '=', id).executeTakeFirst()
  if (!app) throw notFound()
  if (!owns(tenant, app, app.id)) throw forbidden()
  return app
}

/** The same for those who want to change it. */
export async function findMutableApp(db: Db, tenant: UserTenant, id: number): Promise<App> {
  const app = await findApp(db, tenant, id)
  if (!app.mutable) throw forbidden()
  return app
}

/** Nobody else changes that app, what it offers or what is set for it, until the transaction ends. */
export async function holdApp(trx: Db, id: number): Promise<void> {
  await holdRow(trx, 'apps', id)
}

/** One that a user may change, held as by `holdApp`. */
export async function lockApp(db: Db, tenant: UserTenant, id: number): Promise<App> {
  await holdApp(db, id)
  return await findMutableApp(db, tenant, id)
}

/** The app itself asks: for its own tokens and those of its accounts. */
export async function findOwnApp(db: Db, tenant: AppTenant): Promise<App> {
  return await selectApps(db).where('id', '=', tenant.appId).executeTakeFirstOrThrow(notFound)
}

export async function ownsAppWithId(db: Db, tenant: UserTenant, id: number): Promise<boolean> {
  const app = await selectApps(db).where('id', '=', id).executeTakeFirst()
  return app !== undefined && owns(tenant, app, app.id)
}

export async function insertApp(db: Db, owner: OwnedByUser, input: AppInput): Promise<App> {
  return await db
    .insertInto('apps')
    .values({ ...owner, ...input })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Part of a transaction that holds the app. */
export async function changeApp(
  db: Db,
  id: number,
  changes: Partial<AppInput> & { logo?: string | null },
): Promise<App> {
  return await db
    .updateTable('apps')
    .set({ ...changes, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow(notFound)
}

/** With its logo, which anybody could look at. */
export async function softDeleteApp(db: Db, id: number): Promise<void> {
  await db
    .deleteFrom('logos')
    .where('name', '=', (where) => where.selectFrom('apps').select('logo').where('id', '=', id))
    .execute()
  await db
    .updateTable('apps')
    .set({ ...deletedNow, logo: null })
    .where('id', '=', id)
    .execute()
}

/** Ends every token that a client of the app was given, for itself or for an account. */
export async function revokeTokensOfApp(db: Db, id: number): Promise<void> {
  await db
    .updateTable('access_tokens')
    .set({ revoked_at: sql<string>`now()` })
    .where('client_id', 'in', db.selectFrom('oauth_clients').select('id').where('app_id', '=', id))
    .where('revoked_at', 'is', null)
    .execute()
}

/** Many at once, for records that belong to apps which the caller reaches. */
export async function appsById(db: Db, ids: readonly number[]): Promise<Map<number, App>> {
  if (ids.length === 0) return new Map()
  const apps = await selectApps(db).where('id', 'in', ids).execute()
  return new Map(apps.map((app) => [app.id, app]))
}
