import { sql } from 'kysely'
import type { ArticleNames } from '../../commerce/shop.ts'
import type { Db } from '../../runtime/db/connection.ts'

const maxProducts = 500

/** The shop's ids of the products that have these articles in our copy. Only reads the table of products. */
export async function productIdsWith(
  db: Db,
  integrationId: number,
  { skus, variantIds }: ArticleNames,
): Promise<readonly string[]> {
  if (skus.length + variantIds.length === 0) return []
  const { rows } = await sql<{ remote_id: string }>`
    select p.remote_id from products p
    where p.integration_id = ${integrationId} and p.deleted_at is null and p.remote_id is not null
      and exists (select from jsonb_array_elements(p.variants) v
        where v->>'sku' = any(${[...skus]}::text[]) or v->>'remote_id' = any(${[...variantIds]}::text[]))
    order by p.id limit ${maxProducts}`.execute(db)
  return rows.map(({ remote_id: id }) => id)
}
