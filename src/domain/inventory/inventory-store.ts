import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { type InventoryItem, levelKey } from './inventory.ts'

/** The keys of the levels that changed; a level that says what we hold already is not written. One of each, please. */
export async function upsertLevels(
  db: Db,
  integrationId: number,
  items: readonly InventoryItem[],
): Promise<Set<string>> {
  const document = JSON.stringify(
    items.map(({ sku, quantity, location }) => ({ sku, quantity, location: location ?? '' })),
  )
  const { rows } = await sql<{ sku: string; location: string }>`
    insert into inventory as i (integration_id, sku, location, quantity)
    select s.integration_id, r.sku, r.location, r.quantity
    from integration_state s
    cross join jsonb_to_recordset(${document}::jsonb) r(sku text, location text, quantity bigint)
    where s.integration_id = ${integrationId}
    on conflict (integration_id, sku, location) do update
    set quantity = excluded.quantity, updated_at = excluded.updated_at
    where i.quantity <> excluded.quantity
    returning sku, location`.execute(db)
  return new Set(rows.map(levelKey))
}
