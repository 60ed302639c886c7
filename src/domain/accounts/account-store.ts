import { sql } from 'kysely'
import { forbidden, notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { sqlState } from '../../runtime/db/connection.ts'
import { deletedNow } from '../../runtime/db/deleted-now.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import { appsOfUser } from '../apps/app-store.ts'
import { listTotal } from '../list-total.ts'
import { type AppTenant, owns, type UserTenant } from '../tenant.ts'
import type { Account, AccountInput } from './account.ts'

const columns = [
  'accounts.id',
  'accounts.app_id',
  'accounts.remote_id',
  'accounts.name',
  'accounts.email',
  'accounts.company_id',
  'accounts.active',
  'accounts.settings',
  'accounts.created_at',
  'accounts.updated_at',
] as const

export const accountList: ListPlan = {
  name: 'accounts',
  from: 'accounts',
  columns: columns.join(', '),
  filters: {
    active: { column: 'active', type: 'boolean' },
    remote_id: { column: 'remote_id', type: 'text' },
    app_id: { column: 'app_id', type: 'bigint' },
  },
  sorts: { id: 'id', name: 'name', remote_id: 'remote_id', created_at: 'created_at', updated_at: 'updated_at' },
}

export const accountScope = (tenant: AppTenant): ListScope => ({
  key: 'app',
  sql: 'app_id = ? and deleted_at is null',
  params: [tenant.appId],
  total: listTotal('accounts', tenant.appId),
})

/** The accounts of all apps of a user. */
export function accountsOfUserScope(tenant: UserTenant): ListScope {
  if (tenant.admin) return { key: 'all', sql: 'deleted_at is null', params: [], total: listTotal('accounts', 0) }
  const { key, sql: apps, params } = appsOfUser(tenant)
  return {
    key,
    sql: `app_id in (${apps}) and deleted_at is null`,
    params,
    total: {
      sql: `(select coalesce(sum(n), 0) from list_counters where list = 'accounts' and scope in (${apps}))`,
      params,
    },
  }
}

const selectAccounts = (db: Db) => db.selectFrom('accounts').select(columns).where('accounts.deleted_at', 'is', null)

/** By the app's own name for it: what another app calls the same is another account, or none. */
export async function findAccountByRemoteId(db: Db, tenant: AppTenant, remoteId: string): Promise<Account> {
  return await selectAccounts(db)
    .where('app_id', '=', tenant.appId)
    .where('remote_id', '=', remoteId)
    .executeTakeFirstOrThrow(notFound)
}

export async function findAccount(db: Db, tenant: AppTenant, id: number): Promise<Account> {
  const account = await selectAccounts(db).where('id', '=', id).executeTakeFirst()
  if (!account) throw notFound()
  if (account.app_id !== tenant.appId) throw forbidden()
  return account
}

/** A user reaches the accounts of the apps that the user reaches. */
export async function findAccountOfUser(db: Db, tenant: UserTenant, id: number): Promise<Account> {
  const found = await selectAccounts(db)
    .innerJoin('apps', 'apps.id', 'accounts.app_id')
    .select(['apps.user_id as owner_user_id', 'apps.company_id as owner_company_id'])
    .where('accounts.id', '=', id)
    .where('apps.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw notFound()
  const { owner_user_id, owner_company_id, ...account } = found
  if (!owns(tenant, { user_id: owner_user_id, company_id: owner_company_id }, account.app_id)) throw forbidden()
  return account
}

/** The same as `findAccount`, and nobody else changes that account until the transaction ends. */
export async function lockAccount(db: Db, tenant: AppTenant, id: number): Promise<Account> {
  await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .where('app_id', '=', tenant.appId)
    .forNoKeyUpdate()
    .execute()
  return await findAccount(db, tenant, id)
}

/** It belongs to the company that its app belongs to. Null if the app has an account of that name. */
export async function insertAccount(db: Db, tenant: AppTenant, input: AccountInput): Promise<Account | null> {
  const inserted = await db
    .insertInto('accounts')
    .values({
      ...input,
      app_id: tenant.appId,
      company_id: (of) => of.selectFrom('apps').select('company_id').where('apps.id', '=', tenant.appId),
    })
    .onConflict((conflict) => conflict.columns(['app_id', 'remote_id']).where('deleted_at', 'is', null).doNothing())
    .returning(columns)
    .executeTakeFirst()
  return inserted ?? null
}

/** Null if the app has another account of that name; the transaction is lost then. */
export async function changeAccount(
  db: Db,
  tenant: AppTenant,
  input: { id: number; changes: Partial<AccountInput> },
): Promise<Account | null> {
  try {
    return await db
      .updateTable('accounts')
      .set({ ...input.changes, updated_at: sql<string>`now()` })
      .where('id', '=', input.id)
      .where('app_id', '=', tenant.appId)
      .returning(columns)
      .executeTakeFirstOrThrow(notFound)
  } catch (error) {
    if (sqlState(error) === '23505') return null
    throw error
  }
}

export async function softDeleteAccount(db: Db, tenant: AppTenant, id: number): Promise<void> {
  await db.updateTable('accounts').set(deletedNow).where('id', '=', id).where('app_id', '=', tenant.appId).execute()
}

/** Many at once, for records that belong to accounts which the caller reaches. */
export async function accountsById(db: Db, ids: readonly number[]): Promise<Map<number, Account>> {
  if (ids.length === 0) return new Map()
  const accounts = await selectAccounts(db).where('id', 'in', ids).execute()
  return new Map(accounts.map((account) => [account.id, account]))
}
