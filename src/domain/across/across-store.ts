import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/** A shop as lists name it. */
export interface ShopName {
  id: number
  name: string
  shop: string
  type: string
  account_id: number | null
}

/** The shops of an app, or those that were asked for; none that is another app's. What is not asked for stands in no plan: a few of very many are found by their index. */
export async function shopsIn(
  db: Db,
  appId: number,
  asked: { integrationId?: number | undefined; accountId?: number | undefined } = {},
): Promise<ShopName[]> {
  const { rows } = await sql<ShopName>`
    select id, name, shop, type, account_id from integrations
    where app_id = ${appId} and deleted_at is null
      ${asked.integrationId === undefined ? sql`` : sql`and id = ${asked.integrationId}`}
      ${asked.accountId === undefined ? sql`` : sql`and account_id = ${asked.accountId}`}
    order by id`.execute(db)
  return rows
}
