import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import { appsOfUser } from '../apps/app-store.ts'
import { listTotal } from '../list-total.ts'
import { type AccountTenant, type AppTenant, ownedParams, ownedSql, reaches, type UserTenant } from '../tenant.ts'
import type { Integration } from './integration.ts'
import { integrationColumns } from './integration-store.ts'

export const integrationList: ListPlan = {
  name: 'integrations',
  from: 'integrations',
  columns: integrationColumns,
  filters: {
    status: { column: 'status', type: 'text' },
    service_id: { column: 'service_id', type: 'bigint' },
    account_id: { column: 'account_id', type: 'bigint' },
    type: { column: 'type', type: 'text' },
    shop: { column: 'shop', type: 'text' },
    active: { column: 'active', type: 'boolean' },
    q: { column: "(name || ' ' || shop)", type: 'text', match: 'contains' },
  },
  sorts: { id: 'id', name: 'name', status: 'status', created_at: 'created_at', updated_at: 'updated_at' },
}

export const integrationsOfApp = (tenant: AppTenant): ListScope => ({
  key: 'app',
  sql: 'app_id = ? and deleted_at is null',
  params: [tenant.appId],
  total: listTotal('integrations', tenant.appId),
})

export const integrationsOfAccount = (tenant: AccountTenant): ListScope => ({
  key: 'account',
  sql: 'account_id = ? and app_id = ? and deleted_at is null',
  params: [tenant.accountId, tenant.appId],
})

const ownUnclaimed = `app_id is null and ${ownedSql()}`

/** Those of the user's apps, and those the user has made that belong to no app yet. */
export function integrationsOfUser(tenant: UserTenant): ListScope {
  if (tenant.admin) return { key: 'all', sql: 'deleted_at is null', params: [], total: listTotal('integrations', 0) }
  const { key, sql: apps, params: ofApps } = appsOfUser(tenant)
  const unclaimed = reaches(tenant, null) ? ownUnclaimed : `${ownUnclaimed} and false`
  const params = [...ofApps, ...ownedParams(tenant)]
  return {
    key,
    sql: `(app_id in (${apps}) or (${unclaimed})) and deleted_at is null`,
    params,
    total: {
      sql: `(select coalesce(sum(n), 0) from list_counters where list = 'integrations' and scope in (${apps}))
        + (select count(*) from integrations where ${unclaimed} and deleted_at is null)`,
      params,
    },
  }
}

/**
 * Other connections of the same account to the same shop, by their ids; those that were ended do not count. Two shops may
 * share a host, each below a path of its own.
 */
export async function idsOfSameShop(db: Db, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select other.id from integrations mine
    join integrations other on other.account_id = mine.account_id and other.service_id = mine.service_id
      and other.shop = mine.shop and other.settings->>'base_url' is not distinct from mine.settings->>'base_url'
      and other.id <> mine.id and other.status <> 'UNINSTALLED' and other.deleted_at is null
    where mine.id = ${id} order by other.id limit ${maxPerOwner}`.execute(db)
  return rows.map((row) => row.id)
}

const maxPerOwner = 100

/** For `include` of apps and accounts: the first hundred of each, since an owner may have any number. */
export async function integrationsOfOwners(
  db: Db,
  owner: 'app_id' | 'account_id',
  ids: readonly number[],
): Promise<Integration[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Integration>`
    select integrations.* from unnest(${ids}::bigint[]) as wanted
    cross join lateral (
      select ${sql.raw(integrationColumns)} from integrations
      where ${sql.ref(owner)} = wanted and deleted_at is null order by id limit ${maxPerOwner}
    ) integrations order by integrations.id`.execute(db)
  return rows
}
