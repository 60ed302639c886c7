import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/** What an open order holds back of an article. */
export interface OpenLine {
  article_id: number
  integration_id: number
  order_id: number
  reserved: number
  placed_at: string
}

const maxOrders = 100

/** The newest of each article, since those go short. */
export async function openLines(trx: Db, articleIds: readonly number[]): Promise<OpenLine[]> {
  const { rows } = await sql<OpenLine>`
    select o.article_id, o.integration_id, o.order_id, o.reserved, o.placed_at
    from unnest(${[...articleIds]}::bigint[]) r(id) cross join lateral (
      select article_id, integration_id, order_id, sum(reserved)::bigint as reserved, min(placed_at) as placed_at
      from stock_order_lines where article_id = r.id and reserved > 0
      group by article_id, integration_id, order_id order by min(placed_at) desc limit ${maxOrders}
    ) o`.execute(trx)
  return rows
}
