import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { UserTenant } from '../tenant.ts'
import type { LeftBehind } from './left-behind.ts'

const limit = 500

/** Those who have left the company of the tenant, and those who are locked out of it. */
async function makersGone(db: Db, { companyId }: UserTenant): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select user_id as id from departures where company_id = ${companyId}::bigint
    union select id from users where company_id = ${companyId}::bigint and deleted_at is null and not active`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/**
 * What somebody made in the tenant's company; of everybody who has gone, if nobody is named. It belongs to the company of
 * the record, wherever its maker is now.
 */
export async function leftBehind(db: Db, tenant: UserTenant, userId: number | null): Promise<LeftBehind[]> {
  const makers = userId === null ? await makersGone(db, tenant) : [userId]
  const { rows } = await sql<LeftBehind>`
    select made.kind, made.id, made.name, made.app_id, made.integration_id, made.user_id, users.name as user_name,
      users.deleted_at is not null or not users.active or users.company_id is distinct from made.company_id as gone,
      made.created_at
    from (
      select 'client' as kind, c.id, c.name, c.app_id, null::bigint as integration_id, c.user_id, c.company_id, c.created_at
      from oauth_clients c where c.user_id = any(${makers}::bigint[]) and c.revoked_at is null
      union all
      select 'webhook', w.id, w.url, w.app_id, w.integration_id, w.created_by,
        coalesce(a.company_id, i.company_id), w.created_at
      from webhook_subscriptions w
      left join integrations i on i.id = w.integration_id
      left join apps a on a.id = coalesce(w.app_id, i.app_id)
      where w.created_by = any(${makers}::bigint[]) and w.deleted_at is null
      union all
      select 'gateway_key', k.id, i.shop, i.app_id, i.id, k.created_by, coalesce(a.company_id, i.company_id), k.created_at
      from gateway_keys k
      join integrations i on i.id = k.integration_id and i.deleted_at is null
      left join apps a on a.id = i.app_id
      where k.created_by = any(${makers}::bigint[]) and (k.expires_at is null or k.expires_at > now())
    ) made
    join users on users.id = made.user_id
    where ${tenant.admin} or made.company_id = ${tenant.companyId}::bigint
    order by made.kind, made.id limit ${limit}`.execute(db)
  return rows
}

export async function setMaker(db: Db, userId: number, ids: { webhooks: number[]; keys: number[] }): Promise<void> {
  if (ids.webhooks.length > 0) {
    await db.updateTable('webhook_subscriptions').set({ created_by: userId }).where('id', 'in', ids.webhooks).execute()
  }
  if (ids.keys.length > 0) {
    await db.updateTable('gateway_keys').set({ created_by: userId }).where('id', 'in', ids.keys).execute()
  }
}
