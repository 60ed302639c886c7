import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { anyOf } from '../../runtime/db/lists/any-of.ts'
import type { ShopName } from '../across/across-store.ts'

export interface WatchedShop extends ShopName {
  app_id: number
  status: string
  status_reason: string | null
}

/** Of these shops those that belong to apps which somebody watches. */
export async function watchedShops(
  db: Db,
  appIds: readonly number[],
  integrationIds: readonly number[],
): Promise<WatchedShop[]> {
  const { rows } = await sql<WatchedShop>`
    select id, app_id, name, shop, type, account_id, status, status_reason from integrations
    where id = ${anyOf(integrationIds)} and app_id = ${anyOf(appIds)} and deleted_at is null
    order by id`.execute(db)
  return rows
}
