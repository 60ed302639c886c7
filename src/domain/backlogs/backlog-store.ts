import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/** How much is to be done that the clock does, and how long it has waited. Control plane only: no shard is asked. */
export interface Backlogs {
  /** Seconds that the schedule which is due longest has waited. */
  scheduleLag: number
  /** Copies that were compared with their shop more than a day ago, and should have been since. */
  comparisons: number
  /** Shops that refused our credentials and are due to be tried again. */
  recoveries: number
  /** Shops in which our webhooks are due to be looked at. */
  webhookChecks: number
  /** Integrations that may hold what their app does not want kept any longer: nobody has looked for more than an hour. */
  retention: number
}

/** What comes due within one pass is nothing that waits. */
export async function readBacklogs(db: Db): Promise<Backlogs> {
  const { rows } = await sql<Backlogs>`
    select
      coalesce((select extract(epoch from now() at time zone 'UTC' - min(due_at)) from schedules
        where active and deleted_at is null and due_at <= now() at time zone 'UTC'), 0)::float8 as "scheduleLag",
      (select count(*) from integrations where status = 'ACTIVE' and active and deleted_at is null
        and coalesce(compared_at, installed_at) < now() - interval '1 day 20 minutes') as comparisons,
      (select count(*) from integrations i join credentials c on c.integration_id = i.id
        where i.status = 'ERROR' and i.active and i.deleted_at is null
          and i.status_reason in ('credentials_rejected', 'missing_rights')
          and coalesce(c.failed_at, i.updated_at) < now() - interval '1 day 20 minutes') as recoveries,
      (select count(*) from shop_webhooks w join integrations i on i.id = w.integration_id
        where w.next_check_at < now() - interval '20 minutes'
          and i.status = 'ACTIVE' and i.active and i.deleted_at is null) as "webhookChecks",
      (select count(*) from apps a join integrations i on i.app_id = a.id
        where (a.keep_orders_days is not null or a.keep_customers_days is not null or a.keep_messages_days is not null)
          and i.purged_at is null
          and coalesce(i.retained_at, greatest(i.created_at, a.updated_at)) < now() - interval '1 hour 20 minutes')
        as retention`.execute(db)
  return rows[0] ?? { scheduleLag: 0, comparisons: 0, recoveries: 0, webhookChecks: 0, retention: 0 }
}

export interface IntegrationCount {
  service: string
  status: string
  n: number
}

/** Services that tenants have described are one here: their names are nobody else's business. */
export async function countIntegrations(db: Db): Promise<IntegrationCount[]> {
  const { rows } = await sql<IntegrationCount>`
    select case when s.definition is null then i.type else 'described' end as service, i.status, count(*) as n
    from integrations i join services s on s.id = i.service_id
    where i.deleted_at is null group by 1, 2`.execute(db)
  return rows
}

/** Of connected shops: what no clock mends, so that somebody has to do something. */
export interface TroubledShops {
  /** They reject our credentials, or have not granted what is needed. */
  refused: number
  /** Their webhooks do not arrive. */
  silent: number
}

export async function countTroubledShops(db: Db): Promise<TroubledShops> {
  const { rows } = await sql<TroubledShops>`
    select count(*) filter (where status = 'ERROR') as refused,
      count(*) filter (where status = 'ACTIVE' and messages = 'not_arriving') as silent
    from integrations where active and deleted_at is null`.execute(db)
  return rows[0] ?? { refused: 0, silent: 0 }
}

/** Of webhooks of apps. */
export interface TroubledWebhooks {
  disabled: number
  /** They do not accept deliveries at present. */
  failing: number
}

export async function countTroubledWebhooks(db: Db): Promise<TroubledWebhooks> {
  const { rows } = await sql<TroubledWebhooks>`
    select count(*) filter (where disabled_at is not null) as disabled,
      count(*) filter (where disabled_at is null and failing_since is not null) as failing
    from webhook_subscriptions where active and deleted_at is null`.execute(db)
  return rows[0] ?? { disabled: 0, failing: 0 }
}
