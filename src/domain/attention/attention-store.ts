import { sql } from 'kysely'
import type { AcknowledgementClock } from '../../commerce/connector/parts.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { anyOf } from '../../runtime/db/lists/any-of.ts'
import { openEndings, type Sealed } from '../runs/sealed-run.ts'

/** What somebody should look at. Every statement names whose rows it looks at. */

export interface TroubledIntegration {
  id: number
  status: string
  status_reason: string | null
  is_silent: boolean
  messages_since: string | null
  is_ending: boolean
  consent_ends_at: string | null
  /** Orders that the last comparison found missing here; null if none, or if that was long ago. */
  missing: number | null
  is_uncompared: boolean
  compared_at: string | null
  created_at: string
  updated_at: string
}

/** So many days before the consent of a merchant ends, somebody should ask for it again. */
export const consentDays = 14
/** Copies are compared with their shops every day: what was not for so long is said. */
export const uncomparedDays = 3

const isActive = sql`status = 'ACTIVE' and active`
const isSilent = sql`(${isActive} and messages = 'not_arriving')`
const isEnding = sql`(${isActive} and consent_ends_at < now() + make_interval(days => ${consentDays}))`
/** What a comparison finds, it also repairs: after a day it is history. */
const isMissing = sql`(${isActive} and completeness ->> 'missing' <> '0' and compared_at > now() - interval '1 day')`
const isUncompared = sql`(${isActive} and completeness is not null
  and coalesce(compared_at, installed_at) < now() - make_interval(days => ${uncomparedDays}))`

/** Integrations that do not work, whose messages stay away, whose copy was not complete, or whose merchant has to agree again. */
export async function troubledIntegrations(
  db: Db,
  whose: { appId: number } | { ids: readonly number[] },
  limit: number,
): Promise<TroubledIntegration[]> {
  const mine = 'appId' in whose ? sql`app_id = ${whose.appId}` : sql`id = ${anyOf(whose.ids)}`
  const { rows } = await sql<TroubledIntegration>`
    select id, status, status_reason, messages_since, consent_ends_at, created_at, updated_at,
      ${isSilent} as is_silent, coalesce(${isEnding}, false) as is_ending,
      coalesce(${isUncompared}, false) as is_uncompared, coalesce(compared_at, installed_at) as compared_at,
      case when ${isMissing} then (completeness ->> 'missing')::int end as missing
    from integrations
    where ${mine} and deleted_at is null
      and (status = 'ERROR' or (status = 'PENDING' and created_at < now() - interval '1 day' and created_at > now() - interval '30 days')
        or ${isSilent} or ${isEnding} or ${isMissing} or ${isUncompared})
    order by status = 'ERROR' desc, updated_at desc, id limit ${limit}`.execute(db)
  return rows
}

export interface TroubledRun {
  integration_id: number
  id: number
  resource: string
  error: string | null
  at: string
  /** How many in a row; null where that says nothing. */
  n: number | null
}

/** Runs that wait because their shop is away. */
export async function waitingRuns(db: Db, ids: readonly number[], limit: number): Promise<TroubledRun[]> {
  const { rows } = await sql<TroubledRun>`
    select integration_id, id, resource, error, coalesce(started_at, created_at) as at, null::int as n from runs
    where integration_id = ${anyOf(ids)} and status in ('queued', 'running') and waits > 0
    order by 5 limit ${limit}`.execute(db)
  return rows
}

/** Runs of the last day that failed, and after which none of the same kind has completed; the latest, and how many. */
export async function failedRuns(db: Db, ids: readonly number[], limit: number): Promise<TroubledRun[]> {
  const { rows } = await sql<Sealed<TroubledRun>>`
    select * from (
      select distinct on (integration_id, resource) integration_id, id, resource, error, private_result, at,
        (count(*) over (partition by integration_id, resource))::int as n
      from (
        select integration_id, id, resource, status, error, private_result, coalesce(finished_at, created_at) as at,
          count(*) filter (where status = 'completed')
            over (partition by integration_id, resource order by id desc) as completed_since
        from runs
        where integration_id = ${anyOf(ids)} and created_at > now() - interval '1 day'
          and status in ('completed', 'failed')
      ) recent
      where completed_since = 0
      order by integration_id, resource, id desc
    ) latest order by at desc limit ${limit}`.execute(db)
  return await openEndings<TroubledRun>(db, rows)
}

export interface TroubledWebhook {
  id: number
  app_id: number
  url: string
  disabled_at: string | null
  disabled_reason: string | null
  failing_since: string | null
}

export async function webhooksIn(db: Db, appIds: readonly number[]): Promise<TroubledWebhook[]> {
  const { rows } = await sql<TroubledWebhook>`
    select id, app_id, url, disabled_at, disabled_reason, failing_since from webhook_subscriptions
    where app_id = ${anyOf(appIds)} and deleted_at is null and listens_until is null order by id`.execute(db)
  return rows
}

export interface Waiting {
  webhook_id: number
  state: 'pending' | 'held'
  n: number
  oldest: string
}

/** What webhooks have not received yet: it waits for its turn, or is held until they are switched on again. */
export async function undelivered(db: Db, webhookIds: readonly number[]): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select webhook_id, state, count(*)::int as n, min(created_at) as oldest from webhook_deliveries
    where webhook_id = ${anyOf(webhookIds)} and state = 'pending' group by 1, 2
    union all
    select webhook_id, state, count(*)::int, min(created_at) from webhook_deliveries
    where webhook_id = ${anyOf(webhookIds)} and state = 'held' group by 1, 2`.execute(db)
  return rows
}

export interface PerIntegration {
  integration_id: number
  n: number
  since: string
}

/** Records that shops have sent and that we could not store. */
export async function quarantinedIn(db: Db, ids: readonly number[]): Promise<PerIntegration[]> {
  const { rows } = await sql<PerIntegration>`
    select integration_id, count(*)::int as n, min(created_at) as since from quarantine
    where integration_id = ${anyOf(ids)} group by 1 order by 2 desc, 1`.execute(db)
  return rows
}

/** Messages of shops that could not be processed. */
export async function failedMessagesIn(db: Db, ids: readonly number[]): Promise<PerIntegration[]> {
  const { rows } = await sql<PerIntegration>`
    select integration_id, count(*)::int as n, min(received_at) as since from shop_messages
    where integration_id = ${anyOf(ids)} and outcome = 'failed' group by 1 order by 2 desc, 1`.execute(db)
  return rows
}

/** Messages of shops that have not been processed yet. */
export async function waitingMessagesIn(db: Db, ids: readonly number[]): Promise<PerIntegration[]> {
  const { rows } = await sql<PerIntegration>`
    select integration_id, count(*)::int as n, min(received_at) as since from shop_messages
    where integration_id = ${anyOf(ids)} and processed_at is null group by 1 order by 2 desc, 1`.execute(db)
  return rows
}

/** So many hours before an order has to leave, it is said; and for so many days after it should have. */
export const hoursBeforeShipping = 12
const daysAfterShipping = 30

/** Orders that have to leave soon, or should have left, and of which nothing has been sent. */
export async function ordersDue(db: Db, ids: readonly number[]): Promise<PerIntegration[]> {
  const { rows } = await sql<PerIntegration>`
    select integration_id, count(*)::int as n, min(ship_by) as since from orders
    where integration_id = ${anyOf(ids)} and ship_by < now() + make_interval(hours => ${hoursBeforeShipping})
      and ship_by > now() - make_interval(days => ${daysAfterShipping})
      and ship_by is not null and status in ('PENDING', 'ACKNOWLEDGED') and deleted_at is null
    group by 1 order by 3, 1`.execute(db)
  return rows
}

/** Orders whose platform waits for an acknowledgement and has less than an hour of patience left, or none since today. */
export async function acknowledgementsDue(
  db: Db,
  ids: readonly number[],
  { hours, runsIn }: AcknowledgementClock,
): Promise<PerIntegration[]> {
  const { rows } = await sql<PerIntegration>`
    select integration_id, count(*)::int as n, min(placed_at) + make_interval(hours => ${hours}) as since from orders
    where integration_id = ${anyOf(ids)} and placed_at <= now() - make_interval(hours => ${hours - 1})
      and placed_at > now() - make_interval(hours => ${hours + 24})
      and status = 'PENDING' and remote_status = any(${[...runsIn]}::text[])
      and acknowledged_at is null and deleted_at is null
    group by 1 order by 3, 1`.execute(db)
  return rows
}

export interface IntegrationName {
  id: number
  name: string
  shop: string
}

export async function namesOf(db: Db, appId: number, ids: readonly number[]): Promise<IntegrationName[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<IntegrationName>`
    select id, name, shop from integrations where app_id = ${appId} and id = ${anyOf(ids)}`.execute(db)
  return rows
}

export async function companyOf(db: Db, appId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`select company_id as id from apps where id = ${appId}`.execute(db)
  return rows[0]?.id ?? null
}

export interface PerUser {
  company_id: number
  user_id: number
  kind: 'sign_in_failures' | 'second_factor_removed' | 'admin_added'
  n: number
  at: string
}

const removals = ['post_2_0_user_second_factor_remove', 'post_2_0_user_users_user_second_factor_reset']
const assignment = 'put_2_0_user_users_user_roles'

/**
 * Of the members of these companies, or of all: whose password was tried often within an hour; and within the last day, who
 * lost a second factor, and who became an owner or admin beside others.
 */
export async function signInTrouble(db: Db, companyIds: readonly number[] | 'all'): Promise<PerUser[]> {
  const of = (column: string) => (companyIds === 'all' ? sql`true` : sql`${sql.ref(column)} = ${anyOf(companyIds)}`)
  const { rows } = await sql<PerUser>`
    select company_id, user_id, 'sign_in_failures' as kind, count(*)::int as n, max(at) as at from audit_entries
    where kind = 'sign_in' and outcome = 'refused' and at > now() - interval '1 hour' and user_id is not null
      and company_id is not null and ${of('company_id')}
    group by 1, 2
    union all
    select u.company_id, u.id, 'second_factor_removed', count(*)::int, max(e.at)
    from audit_entries e join users u
      on u.id = case when e.operation = ${removals[0]} then e.user_id else e.record_id::bigint end
    where e.operation in (${removals[0]}, ${removals[1]}) and e.outcome = 'done' and e.at > now() - interval '1 day'
      and u.deleted_at is null and u.company_id is not null and ${of('u.company_id')}
    group by 1, 2
    union all
    select company_id, id, 'admin_added', count(*)::int, max(at) from (
      select u.company_id, u.id, e.at from audit_entries e join users u on u.id = e.record_id::bigint
      where e.operation = ${assignment} and e.outcome = 'done' and 'company_role' = any(e.fields)
        and e.at > now() - interval '1 day' and u.company_role in ('owner', 'admin') and u.deleted_at is null
        and u.company_id is not null and ${of('u.company_id')}
      union all
      select u.company_id, u.id, u.created_at from users u
      where u.created_at > now() - interval '1 day' and u.company_role in ('owner', 'admin') and u.deleted_at is null
        and u.company_id is not null and ${of('u.company_id')}
        and exists (select from users o where o.company_id = u.company_id and o.id < u.id and o.deleted_at is null)
    ) grown group by 1, 2`.execute(db)
  return rows
}
