import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { Quota } from '../quota-store.ts'

export interface QuotaSample {
  quota: Quota | 'answer_bytes'
  most: number
  total: number
}

/** Of a company, or of a user who has none. */
const byOwner = sql`company_id, case when company_id is null then user_id end`

/** Counted by owner as `quota-store.ts` counts for one of them; where lists keep counters, these are read. */
export async function takeSamples(db: Db): Promise<void> {
  await sql`
    insert into quota_samples (quota, most, total)
    select quota, coalesce(max(n), 0), coalesce(sum(of_all), 0) from (
      select 'apps' as quota, count(*) as n, count(*) as of_all from apps where deleted_at is null group by ${byOwner}
      union all
      select 'clients', count(*), count(*) from oauth_clients where revoked_at is null group by ${byOwner}
      union all
      select list, n, n from list_counters where list in ('accounts', 'integrations') and scope <> 0
      union all
      select 'integrations', count(*), count(*) from integrations
      where app_id is null and deleted_at is null group by ${byOwner}
      union all
      select 'schedules', count(*), count(*) from schedules where deleted_at is null group by integration_id
      union all
      select 'flows', count(*), count(*) from flows where app_id is not null and deleted_at is null group by app_id
      union all
      select 'webhooks', ceil(count(*) / case when integration_id is null then 1.0 else 10.0 end), count(*)
      from webhook_subscriptions where deleted_at is null and listens_until is null
      group by integration_id, case when integration_id is null then app_id end
      union all
      select 'channels', count(*), count(*) from alert_channels where deleted_at is null group by app_id
      union all
      select 'views', count(*), count(*) from saved_views group by user_id, app_id
      union all
      select 'answer_bytes', sum(bytes), sum(bytes) from idempotency_keys group by caller
      union all
      select unnest(array['apps', 'clients', 'accounts', 'integrations', 'schedules', 'flows', 'webhooks', 'channels', 'views', 'answer_bytes']), 0, 0
    ) of_owner
    group by quota
    on conflict (quota) do update set most = excluded.most, total = excluded.total, sampled_at = now()`.execute(db)
}

export async function readSamples(db: Db): Promise<QuotaSample[]> {
  const { rows } = await sql<QuotaSample>`
    select quota, most::float8 as most, total::float8 as total from quota_samples`.execute(db)
  return rows
}
