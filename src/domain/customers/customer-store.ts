import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { AccountTenant } from '../tenant.ts'

/** A shop that may hold something of a customer: also one that was disconnected, until it is purged. */
export interface CustomerShop {
  id: number
  name: string
  type: string
  shop: string
}

export async function shopsOfAccount(db: Db, { appId, accountId }: AccountTenant): Promise<CustomerShop[]> {
  const { rows } = await sql<CustomerShop>`
    select id, name, type, shop from integrations
    where account_id = ${accountId} and app_id = ${appId} and purged_at is null order by id`.execute(db)
  return rows
}

export interface OrdersInShop {
  orders: number
  first_placed_at: string | null
  last_placed_at: string | null
  /** The newest few. */
  newest: number[]
}

export const maxNewest = 10

/** What one shop holds of whoever has one of these hashes, or all of them. */
export async function summarizeOrders(
  db: Db,
  integrationId: number,
  { hashes, all }: { hashes: readonly number[]; all: boolean },
): Promise<OrdersInShop> {
  const named = all ? sql`private_words @> ${[...hashes]}::bigint[]` : sql`private_words && ${[...hashes]}::bigint[]`
  const { rows } = await sql<OrdersInShop>`
    select count(*) as orders, min(placed_at) as first_placed_at, max(placed_at) as last_placed_at,
      coalesce((array_agg(id order by id desc))[1:${sql.lit(maxNewest)}], '{}') as newest
    from orders where integration_id = ${integrationId} and ${named}`.execute(db)
  return rows[0] ?? { orders: 0, first_placed_at: null, last_placed_at: null, newest: [] }
}
