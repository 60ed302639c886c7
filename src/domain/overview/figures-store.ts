import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { anyOf } from '../../runtime/db/lists/any-of.ts'
import { openEndings, type Sealed } from '../runs/sealed-run.ts'
import type { Range } from './range.ts'

/** What happened in the shops and webhooks of an app. Every statement names whose rows it counts. */

/** All of them: whoever counts over them does so in batches. */
export async function integrationsIn(db: Db, appId: number): Promise<{ id: number; type: string; shop: string }[]> {
  const { rows } = await sql<{ id: number; type: string; shop: string }>`
    select id, type, shop from integrations where app_id = ${appId} and deleted_at is null order by id`.execute(db)
  return rows
}

export interface StatusCount {
  status: string
  n: number
}

export async function integrationsByStatus(db: Db, appId: number): Promise<StatusCount[]> {
  const { rows } = await sql<StatusCount>`
    select status, count(*)::int as n from integrations where app_id = ${appId} and deleted_at is null
    group by 1 order by 1`.execute(db)
  return rows
}

export interface Step {
  at: string
  n: number
}

/** The beginning of the minute, hour or day in which something was. */
const stepOf = (column: string, { unit, timeZone }: Range): RawBuilder<string> =>
  sql`date_trunc(${unit}, ${sql.ref(column)}, ${timeZone})`
const within = (column: string, { from, to }: Range): RawBuilder<boolean> =>
  sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`

/** In which no step can be passed over, however short it is: days have 23 hours or 25 where clocks change, and some clocks change by half an hour. */
const strides: Record<Range['unit'], string> = { minute: '1 minute', hour: '30 minutes', day: '1 hour' }

/** The beginnings of all steps of a range, also of those in which nothing was. */
export async function stepsOf(db: Db, { from, to, unit, timeZone }: Range): Promise<string[]> {
  const { rows } = await sql<{ at: string }>`
    select distinct date_trunc(${unit}, t, ${timeZone}) as at
    from generate_series(${from}::timestamptz, ${to}::timestamptz, ${strides[unit]}::interval) t
    union select date_trunc(${unit}, ${to}::timestamptz, ${timeZone}) order by 1`.execute(db)
  return rows.map(({ at }) => at)
}

/** Orders by when they were placed in the shop; `created_at` counts them by when they came here. */
export async function ordersBy(
  db: Db,
  ids: readonly number[],
  { column, range }: { column: 'placed_at' | 'created_at'; range: Range },
): Promise<Step[]> {
  const { rows } = await sql<Step>`
    select ${stepOf(column, range)} as at, count(*)::int as n from orders
    where integration_id = ${anyOf(ids)} and ${within(column, range)} and deleted_at is null
    group by 1`.execute(db)
  return rows
}

export interface RunStep extends Step {
  status: string
}

/** The clock asks some shops every two seconds: what it asked and found nothing new is no news, and would hide everything else. */
const isNews = sql`not quiet`

export async function runsBy(db: Db, ids: readonly number[], range: Range): Promise<RunStep[]> {
  const { rows } = await sql<RunStep>`
    select ${stepOf('created_at', range)} as at, status, count(*)::int as n from runs
    where integration_id = ${anyOf(ids)} and ${within('created_at', range)} and ${isNews}
    group by 1, 2`.execute(db)
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

export async function recentRuns(
  db: Db,
  ids: readonly number[],
  { range, limit }: { range: Range; limit: number },
): Promise<RecentRun[]> {
  const { rows } = await sql<Sealed<RecentRun>>`
    select id, integration_id, resource, status, done, total, error, private_result, created_at, started_at, finished_at
    from runs
    where integration_id = ${anyOf(ids)} and ${within('created_at', range)} and ${isNews}
    order by created_at desc, id desc limit ${limit}`.execute(db)
  return await openEndings<RecentRun>(db, rows)
}

export interface DeliveryStep extends Step {
  p50_ms: number | null
  p95_ms: number | null
}

/** Deliveries by when the endpoint accepted them, and how long after the event that was. */
export async function deliveriesBy(db: Db, webhookIds: readonly number[], range: Range): Promise<DeliveryStep[]> {
  const took = sql`extract(epoch from delivered_at - created_at) * 1000`
  const { rows } = await sql<DeliveryStep>`
    select ${stepOf('delivered_at', range)} as at, count(*)::int as n,
      round(percentile_cont(0.5) within group (order by ${took}))::int as p50_ms,
      round(percentile_cont(0.95) within group (order by ${took}))::int as p95_ms
    from webhook_deliveries
    where webhook_id = ${anyOf(webhookIds)} and ${within('delivered_at', range)}
    group by 1`.execute(db)
  return rows
}

/** Deliveries that were given up: their endpoint has refused them for as long as they were tried. */
export async function givenUp(db: Db, webhookIds: readonly number[], range: Range): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from webhook_deliveries
    where webhook_id = ${anyOf(webhookIds)} and state = 'failed' and ${within('updated_at', range)}`.execute(db)
  return rows[0]?.n ?? 0
}

export interface BudgetRow {
  key: string
  capacity: number
  tokens: number
  per_second: number
  blocked_seconds: number
}

/** Of the limits that shops have set, those of which least is left. */
export async function budgetsOf(db: Db, shops: readonly string[]): Promise<BudgetRow[]> {
  const { rows } = await sql<BudgetRow>`
    select key, capacity, per_second,
      least(capacity, tokens + per_second * extract(epoch from now() - refilled_at))::float8 as tokens,
      greatest(0, extract(epoch from coalesce(blocked_until, now()) - now()))::float8 as blocked_seconds
    from rate_budgets
    where split_part(key, '|', 2) = any(${[...shops]})
    order by 5 desc, 4 / nullif(capacity, 0), key limit 12`.execute(db)
  return rows
}
