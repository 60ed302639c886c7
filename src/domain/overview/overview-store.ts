import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { openEndings, type Sealed } from '../runs/sealed-run.ts'

/** What has happened in the last day, in hours. Every statement names the integrations it is about. */

export interface IntegrationFact {
  id: number
  name: string
  shop: string
  type: string
  status: string
}

/** As many as one page can be about; the newest. */
const maxIntegrations = 200

export async function integrationsIn(db: Db, appId: number): Promise<IntegrationFact[]> {
  return await db
    .selectFrom('integrations')
    .select(['id', 'name', 'shop', 'type', 'status'])
    .where('app_id', '=', appId)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(maxIntegrations)
    .execute()
}

export interface HourCount {
  hour: string
  word: string
  n: number
}

const hourOf = (column: string) =>
  sql.raw(`to_char(date_trunc('hour', ${column} at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:00:00"Z"')`)
const lastDay = (column: string) => sql.raw(`${column} > now() - interval '24 hours'`)

/** New orders by the hour in which they came here. */
export async function ordersByHour(db: Db, ids: readonly number[]): Promise<HourCount[]> {
  const { rows } = await sql<HourCount>`
    select ${hourOf('created_at')} as hour, 'orders' as word, count(*)::int as n from orders
    where integration_id = any(${[...ids]}::bigint[]) and ${lastDay('created_at')} group by 1`.execute(db)
  return rows
}

export async function runsByHour(db: Db, ids: readonly number[]): Promise<HourCount[]> {
  const { rows } = await sql<HourCount>`
    select ${hourOf('created_at')} as hour, status as word, count(*)::int as n from runs
    where integration_id = any(${[...ids]}::bigint[]) and ${lastDay('created_at')} group by 1, 2`.execute(db)
  return rows
}

export interface RecentRun {
  id: number
  integration_id: number
  resource: string
  status: string
  done: number
  total: number | null
  error: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
}

export async function recentRuns(db: Db, ids: readonly number[], limit: number): Promise<RecentRun[]> {
  const { rows } = await sql<Sealed<RecentRun>>`
    select id, integration_id, resource, status, done, total, error, private_result, created_at, started_at, finished_at
    from runs
    where integration_id = any(${[...ids]}::bigint[]) and ${lastDay('created_at')} order by created_at desc, id desc limit ${limit}`.execute(
    db,
  )
  return await openEndings<RecentRun>(db, rows)
}

export interface LatencyHour {
  hour: string
  n: number
  failed: number
  p50_ms: number | null
  p95_ms: number | null
}

/** From the event to its delivery, for the webhooks of an app. */
export async function deliveriesByHour(db: Db, appId: number): Promise<LatencyHour[]> {
  const { rows } = await sql<LatencyHour>`
    select ${hourOf('d.created_at')} as hour, count(*)::int as n,
      (count(*) filter (where d.state = 'failed' or d.failures > 0))::int as failed,
      round(percentile_cont(0.5) within group (order by extract(epoch from d.delivered_at - d.created_at)) * 1000)::int as p50_ms,
      round(percentile_cont(0.95) within group (order by extract(epoch from d.delivered_at - d.created_at)) * 1000)::int as p95_ms
    from webhook_deliveries d join webhook_subscriptions w on w.id = d.webhook_id
    where w.app_id = ${appId} and w.deleted_at is null and ${lastDay('d.created_at')} group by 1`.execute(db)
  return rows
}

/** Webhooks of shops that could not be processed. */
export async function failedInbound(db: Db, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from inbound_deliveries
    where integration_id = any(${[...ids]}::bigint[]) and outcome = 'failed'`.execute(db)
  return rows[0]?.n ?? 0
}

export interface BudgetRow {
  key: string
  capacity: number
  tokens: number
  per_second: number
  blocked_seconds: number
}

/** What is left of the limits of these shops, as of now. */
export async function budgetsOf(db: Db, shops: readonly string[]): Promise<BudgetRow[]> {
  const { rows } = await sql<BudgetRow>`
    select key, capacity, per_second,
      least(capacity, tokens + per_second * extract(epoch from now() - refilled_at))::float8 as tokens,
      greatest(0, extract(epoch from coalesce(blocked_until, now()) - now()))::float8 as blocked_seconds
    from rate_budgets
    where split_part(key, '|', 2) = any(${[...shops]})
    order by key limit 100`.execute(db)
  return rows
}
