import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { AppTenant } from '../tenant.ts'
import type { ApiRequest, RequestCaller, RequestMinute, RequestSource, StatusClass } from './api-request.ts'

/** All of them in one statement. Those of an app that is gone meanwhile are left out. */
export async function insertRequests(db: Db, requests: readonly ApiRequest[]): Promise<void> {
  if (requests.length === 0) return
  await sql`
    insert into api_requests (app_id, at, id, source, caller, client_id, account_id, user_id, integration_id, method, route,
      path, query, status, ms, address, request_bytes, response_bytes, detail)
    select r.app_id, r.at, r.id, r.source, r.caller, r.client_id, r.account_id, r.user_id, r.integration_id, r.method, r.route,
      r.path, r.query, r.status, r.ms, r.address, r.request_bytes, r.response_bytes, r.detail
    from jsonb_to_recordset(${JSON.stringify(requests)}::jsonb) r(app_id bigint, at timestamptz, id uuid, source text,
      caller text, client_id bigint, account_id bigint, user_id bigint, integration_id bigint, method text, route text,
      path text, query text, status integer, ms double precision, address text, request_bytes bigint,
      response_bytes bigint, detail jsonb)
    join apps on apps.id = r.app_id`.execute(db)
}

/** Adds what was counted; in an order in which two processes never wait for each other. */
export async function addMinutes(db: Db, minutes: readonly RequestMinute[]): Promise<void> {
  if (minutes.length === 0) return
  await sql`
    insert into api_request_minutes as m (app_id, minute, caller, client_id, calls, failed, limited, left_out, most, allowed)
    select r.app_id, r.minute, r.caller, r.client_id, r.calls, r.failed, r.limited, r.left_out, r.most, r.allowed
    from jsonb_to_recordset(${JSON.stringify(minutes)}::jsonb) r(app_id bigint, minute timestamptz, caller text,
      client_id bigint, calls bigint, failed bigint, limited bigint, left_out bigint, most bigint, allowed bigint)
    join apps on apps.id = r.app_id
    order by r.app_id, r.minute, r.caller, r.client_id
    on conflict (app_id, minute, caller, client_id) do update
    set calls = m.calls + excluded.calls, failed = m.failed + excluded.failed, limited = m.limited + excluded.limited,
      left_out = m.left_out + excluded.left_out, most = greatest(m.most, excluded.most), allowed = excluded.allowed`.execute(
    db,
  )
}

export interface RequestFilter {
  status?: StatusClass | undefined
  status_code?: number | undefined
  method?: string | undefined
  route?: string | undefined
  caller?: RequestCaller | undefined
  source?: RequestSource | undefined
  client_id?: number | undefined
  account_id?: number | undefined
  integration_id?: number | undefined
  request_id?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

export interface RequestPlace {
  at: string
  id: string
}

const columns = sql.raw(
  'app_id, at, id, source, caller, client_id, account_id, user_id, integration_id, method, route, path, query, status, ms, address, request_bytes, response_bytes',
)

export type ListedRequest = Omit<ApiRequest, 'detail'>

/** Newest first, after a place. */
export async function readRequests(
  db: Db,
  { appId }: AppTenant,
  { filter, after, limit }: { filter: RequestFilter; after: RequestPlace | null; limit: number },
): Promise<ListedRequest[]> {
  const { since, until, status, status_code: code, request_id: id, ...equal } = filter
  const conditions = [
    sql`app_id = ${appId}`,
    ...(status === undefined ? [] : [ofClass(status)]),
    ...(code === undefined ? [] : [sql`status = ${code}`]),
    ...(id === undefined ? [] : [sql`id = ${id}::uuid`]),
    ...Object.entries(equal).flatMap(([name, value]) =>
      value === undefined ? [] : [sql`${sql.ref(name)} = ${value}`],
    ),
    ...(since === undefined ? [] : [sql`at >= ${since}::timestamptz`]),
    ...(until === undefined ? [] : [sql`at < ${until}::timestamptz`]),
    ...(after === null ? [] : [sql`(at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`]),
  ]
  const { rows } = await sql<ListedRequest>`
    select ${columns} from api_requests where ${sql.join(conditions, sql` and `)}
    order by app_id desc, at desc, id desc limit ${limit}`.execute(db)
  return rows
}

/** The bounds are written out, so that the index of those that failed is found. */
function ofClass(status: StatusClass) {
  switch (status) {
    case 'failed':
      return sql`status >= 400`
    case '2xx':
      return sql`status between 200 and 299`
    case '3xx':
      return sql`status between 300 and 399`
    case '4xx':
      return sql`status >= 400 and status <= 499`
    case '5xx':
      return sql`status >= 400 and status >= 500`
  }
}

export async function findRequest(db: Db, { appId }: AppTenant, id: string): Promise<ApiRequest | undefined> {
  const { rows } = await sql<ApiRequest>`
    select ${columns}, detail from api_requests where id = ${id}::uuid and app_id = ${appId} limit 1`.execute(db)
  return rows[0]
}

export type UsageStep = Omit<RequestMinute, 'app_id' | 'minute' | 'client_id'> & { at: string }

/** Steps of so many minutes in the order of time, by kind of caller; those in which nobody called are missing. */
export async function readUsage(
  db: Db,
  { appId }: AppTenant,
  { minutes, step, clientId }: { minutes: number; step: number; clientId: number | null },
): Promise<UsageStep[]> {
  const { rows } = await sql<UsageStep>`
    select date_bin(make_interval(mins => ${step}::int), minute, timestamptz '2000-01-01 00:00:00Z') as at, caller,
      sum(calls)::bigint as calls, sum(failed)::bigint as failed, sum(limited)::bigint as limited,
      sum(left_out)::bigint as left_out, max(most) as most, max(allowed) as allowed
    from api_request_minutes
    where app_id = ${appId} and minute > now() - make_interval(mins => ${minutes}::int)
      and (${clientId}::bigint is null or client_id = ${clientId}::bigint)
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}
