import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import { ownedParams, ownedSql, type UserTenant } from '../tenant.ts'
import type { V1Usage } from './v1-usage.ts'

/** Adds what was counted, all in one statement. Clients that are gone in the meantime are left out. */
export async function addV1Calls(
  db: Db,
  counted: readonly Pick<V1Usage, 'client_id' | 'method' | 'route' | 'calls'>[],
) {
  await sql`
    insert into v1_calls as c (client_id, method, route, calls)
    select r.client_id, r.method, r.route, r.calls
    from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb) r(client_id bigint, method text, route text, calls bigint)
    join oauth_clients on oauth_clients.id = r.client_id
    order by r.client_id, r.method, r.route
    on conflict (client_id, method, route) do update
    set calls = c.calls + excluded.calls, last_called_at = excluded.last_called_at`.execute(db)
}

export const v1UsageList: ListPlan = {
  name: 'v1-usage',
  from: 'v1_calls v join oauth_clients c on c.id = v.client_id',
  columns: 'v.client_id, c.name as client_name, v.method, v.route, v.calls, v.first_called_at, v.last_called_at',
  id: '(v.client_id, v.route, v.method)',
  filters: { client_id: { column: 'v.client_id', type: 'bigint' } },
  sorts: {
    client_id: 'v.client_id',
    route: 'v.route',
    calls: 'v.calls',
    last_called_at: 'v.last_called_at',
  },
  defaultSort: [{ field: 'last_called_at', descending: true }],
}

/** A user sees the clients of the company, and an administrator all. */
export function v1UsageScope(tenant: UserTenant): ListScope {
  if (tenant.admin) return { key: 'all', sql: 'true', params: [] }
  return {
    key: 'own',
    sql: ownedSql('c.'),
    params: ownedParams(tenant),
  }
}
