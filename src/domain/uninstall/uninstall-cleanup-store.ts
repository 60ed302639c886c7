import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { hasRows } from '../../runtime/db/rows/has-rows.ts'
import type { Integration } from '../integrations/integration.ts'

export interface UninstallCleanup {
  integration: Pick<
    Integration,
    'id' | 'app_id' | 'service_id' | 'account_id' | 'type' | 'definition' | 'shop' | 'settings'
  >
  /** As they were sealed for the integration. */
  sealed: Buffer
  secondsLeft: number
  /** Where the shop sends its messages for this integration, and for no other that is still connected. */
  address: string | null
  /** Somebody else of ours is still connected to the same shop: what belongs to all of us stays. */
  shared: boolean
  /** The shop was connected again meanwhile. */
  reconnected: boolean
}

export async function hasUninstallCleanups(db: Db): Promise<boolean> {
  return await hasRows(db, sql`select from uninstall_cleanups`)
}

/**
 * Takes them out of the database for good before anything is done with them: a crash loses a cleanup, and never leaves
 * credentials behind.
 */
export async function takeUninstallCleanups(db: Db, limit: number): Promise<UninstallCleanup[]> {
  const { rows } = await sql<Omit<UninstallCleanup, 'integration'> & UninstallCleanup['integration']>`
    with taken as (
      delete from uninstall_cleanups where integration_id in (
        select integration_id from uninstall_cleanups order by expires_at limit ${limit} for update skip locked
      )
      returning integration_id, app_id, sealed, expires_at
    )
    select i.id, taken.app_id, i.service_id, i.account_id, i.type, s.definition, i.shop, i.settings, taken.sealed,
      extract(epoch from taken.expires_at - clock_timestamp())::float8 as "secondsLeft",
      (
        select own.address from shop_webhooks own where own.integration_id = i.id and not exists (
          select from shop_webhooks w join integrations other on other.id = w.integration_id
          where w.address = own.address and other.id <> i.id and other.deleted_at is null
            and other.status <> 'UNINSTALLED')
      ) as address,
      exists (
        select from integrations other where other.type = i.type and other.shop = i.shop and other.id <> i.id
          and other.deleted_at is null and other.status in ('ACTIVE', 'INACTIVE', 'ERROR')
      ) as shared,
      i.status <> 'UNINSTALLED' as reconnected
    from taken join integrations i on i.id = taken.integration_id join services s on s.id = i.service_id`.execute(db)
  return rows.map(({ sealed, secondsLeft, address, shared, reconnected, ...integration }) => ({
    ...{ integration, sealed, secondsLeft, address, shared, reconnected },
  }))
}

/** Nothing is said to a shop that has shown us out itself. Part of the transaction that leaves it. */
export async function dropUninstallCleanup(trx: Db, integrationId: number): Promise<void> {
  await sql`delete from uninstall_cleanups where integration_id = ${integrationId}`.execute(trx)
}
