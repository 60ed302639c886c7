import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

/** A variant of a shop, as our copy has it. */
export interface ShopVariant {
  integration_id: number
  /** The shop's id, or the SKU where it has none. */
  remote_id: string
  sku: string
  barcode: string | null
  name: string | null
  /** At each location that stocks it. */
  levels: readonly { location: string; quantity: number }[]
}

/** So many variants of one shop are looked at; more need a file. */
export const maxVariants = 50_000

const levelsHeld = (integrationId: number) => sql`
  select integration_id, case when remote_id = '' then sku else remote_id end as remote_id, sku, location, quantity
  from inventory where integration_id = ${integrationId} and deleted_at is null`
const levels = sql.raw(
  `jsonb_agg(distinct jsonb_build_object('location', i.location, 'quantity', i.quantity)) as levels`,
)

/**
 * What a shop stocks: its levels, with barcode and name of the variant where a product tells of it. Articles without a level cannot
 * be told anything and are not in it.
 */
export async function variantsOf(db: Db, integrationId: number): Promise<ShopVariant[]> {
  const { rows } = await sql<ShopVariant>`
    select i.integration_id, i.remote_id, i.sku, max(v.barcode) as barcode, max(v.name) as name, ${levels}
    from (${levelsHeld(integrationId)}) i
    left join (
      select e->>'remote_id' as remote_id, nullif(e->>'barcode', '') as barcode, p.name
      from products p cross join lateral jsonb_array_elements(p.variants) e
      where p.integration_id = ${integrationId} and p.deleted_at is null
    ) v on v.remote_id = i.remote_id
    group by i.integration_id, i.remote_id, i.sku
    order by i.sku, i.remote_id limit ${maxVariants}`.execute(db)
  return rows
}

/** Those that somebody may mean by a SKU, an id, or both. */
export async function variantsNamed(
  db: Db,
  integrationId: number,
  { sku, remoteId }: { sku?: string | null | undefined; remoteId?: string | null | undefined },
): Promise<ShopVariant[]> {
  const { rows } = await sql<ShopVariant>`
    select i.integration_id, i.remote_id, i.sku, null as barcode, null as name, ${levels}
    from (${levelsHeld(integrationId)}) i
    where (${sku ?? null}::text is null or i.sku = ${sku ?? null})
      and (${remoteId ?? null}::text is null or i.remote_id = ${remoteId ?? null})
    group by i.integration_id, i.remote_id, i.sku
    order by i.sku, i.remote_id limit 20`.execute(db)
  return rows
}
