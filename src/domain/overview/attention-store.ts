import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { anyOf } from '../../runtime/db/lists/any-of.ts'
import { openEndings, type Sealed } from '../runs/sealed-run.ts'

/** What somebody should look at. Of each kind so many at most; how many there are is counted apart. */

export interface TroubledIntegration {
  id: number
  status: string
  status_reason: string | null
  messages: string
  messages_since: string | null
  consent_ends_at: string | null
  updated_at: string
}

/** So many days before the consent of a merchant ends, somebody should ask for it again. */
const consentDays = 14

/** Integrations that do not work, whose messages stay away, or whose merchant has to agree again. */
export async function troubledIntegrations(db: Db, appId: number, limit: number): Promise<TroubledIntegration[]> {
  const { rows } = await sql<TroubledIntegration>`
    select id, status, status_reason, messages, messages_since, consent_ends_at, updated_at from integrations
    where app_id = ${appId} and deleted_at is null
      and (status = 'ERROR' or (status = 'PENDING' and created_at < now() - interval '1 day')
        or (status = 'ACTIVE' and messages = 'not_arriving')
        or (status = 'ACTIVE' and consent_ends_at < now() + make_interval(days => ${consentDays})))
    order by status = 'ERROR' desc, updated_at desc, id limit ${limit}`.execute(db)
  return rows
}

export interface TroubledRun {
  integration_id: number
  id: number
  resource: string
  error: string | null
  at: string
}

/** Runs that wait because their shop is away. */
export async function waitingRuns(db: Db, ids: readonly number[], limit: number): Promise<TroubledRun[]> {
  const { rows } = await sql<TroubledRun>`
    select integration_id, id, resource, error, coalesce(started_at, created_at) as at from runs
    where integration_id = ${anyOf(ids)} and status in ('queued', 'running') and waits > 0
    order by 5 limit ${limit}`.execute(db)
  return rows
}

/** Runs of the last day that failed, and after which none of the same kind has completed. */
export async function failedRuns(db: Db, ids: readonly number[], limit: number): Promise<TroubledRun[]> {
  const { rows } = await sql<Sealed<TroubledRun>>`
    select integration_id, id, resource, error, private_result, at from (
      select distinct on (integration_id, resource) integration_id, id, resource, status, error,
        private_result, coalesce(finished_at, created_at) as at
      from runs
      where integration_id = ${anyOf(ids)} and created_at > now() - interval '1 day' and status in ('completed', 'failed')
      order by integration_id, resource, id desc
    ) latest where status = 'failed' order by at desc limit ${limit}`.execute(db)
  return await openEndings<TroubledRun>(db, rows)
}

export interface TroubledWebhook {
  id: number
  url: string
  disabled_at: string | null
  disabled_reason: string | null
  failing_since: string | null
}

export async function webhooksIn(db: Db, appId: number): Promise<TroubledWebhook[]> {
  const { rows } = await sql<TroubledWebhook>`
    select id, url, disabled_at, disabled_reason, failing_since from webhook_subscriptions
    where app_id = ${appId} and deleted_at is null and listens_until is null order by id`.execute(db)
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
    select integration_id, count(*)::int as n, min(received_at) as since from inbound_deliveries
    where integration_id = ${anyOf(ids)} and outcome = 'failed' group by 1 order by 2 desc, 1`.execute(db)
  return rows
}

/** So many hours before an order has to leave, it is said. */
const hoursBeforeShipping = 12

/** Orders that have to leave soon, or should have left, and of which nothing has been sent. */
export async function ordersDue(db: Db, ids: readonly number[]): Promise<PerIntegration[]> {
  const { rows } = await sql<PerIntegration>`
    select integration_id, count(*)::int as n, min(ship_by) as since from orders
    where integration_id = ${anyOf(ids)} and ship_by < now() + make_interval(hours => ${hoursBeforeShipping})
      and ship_by is not null and status in ('PENDING', 'ACKNOWLEDGED') and deleted_at is null
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
