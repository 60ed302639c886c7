import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { Integration } from './integration.ts'
import { readIntegration } from './integration-store.ts'

interface ShopOfRegistration {
  serviceId: number
  /** Null: that of the service, which counts for all apps that have none of their own. */
  appId: number | null
  shop: string
}

type Connected = Pick<Integration, 'id' | 'app_id' | 'shop' | 'settings'>

/** Those that are connected to the shop, by whoever holds the registration at the platform. Never one that only waits. */
export async function connectedBy(
  db: Db,
  { serviceId, appId, shop }: ShopOfRegistration,
): Promise<readonly Connected[]> {
  const { rows } = await sql<Connected>`
    select i.id, i.app_id, i.shop, i.settings from integrations i
    where i.service_id = ${serviceId} and i.shop = ${shop} and i.deleted_at is null and i.installed_at is not null
      and i.status in ('ACTIVE', 'INACTIVE', 'ERROR')
      and case when ${appId}::bigint is null
        then not exists (
          select from app_services a where a.app_id = i.app_id and a.service_id = i.service_id and a.client is not null)
        else i.app_id = ${appId}::bigint end
    order by i.id`.execute(db)
  return rows
}

/** One that the account, or the app without an account, has had of this shop, or has begun. */
export async function findUnconnected(
  trx: Db,
  { appId, accountId, serviceId, shop }: { appId: number; accountId: number | null; serviceId: number; shop: string },
): Promise<Integration | null> {
  const { rows } = await sql<{ id: number }>`
    select id from integrations
    where app_id = ${appId} and account_id is not distinct from ${accountId}::bigint and service_id = ${serviceId}
      and shop = ${shop} and deleted_at is null and status in ('PENDING', 'UNINSTALLED')
    order by installed_at desc nulls last, id desc limit 1`.execute(trx)
  return rows[0] ? await readIntegration(trx, rows[0].id) : null
}
