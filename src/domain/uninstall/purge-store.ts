import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'

/** Those that were left so long ago that nobody will come back for their data. */
export async function toPurge(db: Db, { days, limit }: { days: number; limit: number }): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from integrations
    where uninstalled_at < now() - make_interval(days => ${days}::int) and purged_at is null
      and (status = 'UNINSTALLED' or deleted_at is not null)
    order by uninstalled_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Large ones, in small steps; the shipments of orders go with them. */
const large = ['orders', 'products', 'runs', 'operations'] as const
const small = [
  'order_history',
  'inventory',
  'inbound_deliveries',
  'inbound_work',
  'quarantine',
  'sync_seen',
  'row_counters',
] as const

const rowsAtOnce = 2000

/**
 * Part of a transaction that ends with the whole of it: who connects the shop again meanwhile waits, and then begins anew.
 * False if somebody has done so already.
 */
export async function beginPurge(trx: Db, integrationId: number): Promise<boolean> {
  const { rows } = await sql`
    select from integrations where id = ${integrationId} and (status = 'UNINSTALLED' or deleted_at is not null)
    for no key update`.execute(trx)
  return rows.length > 0
}

/** Deletes some of what the integration holds; false when there is nothing left. */
export async function purgeSome(trx: Db, integrationId: number): Promise<boolean> {
  for (const table of large) {
    const some = trx.selectFrom(table).select('id').where('integration_id', '=', integrationId).limit(rowsAtOnce)
    const { numDeletedRows } = await trx
      .deleteFrom(table)
      .where('integration_id', '=', integrationId)
      .where('id', 'in', some)
      .executeTakeFirst()
    if (numDeletedRows > 0n) return true
  }
  for (const table of small) await trx.deleteFrom(table).where('integration_id', '=', integrationId).execute()
  return false
}

/** The anchor goes with an integration that is gone; for one that may be connected again it stays, as if it were new. */
export async function endPurge(trx: Db, integrationId: number): Promise<void> {
  const { rows } = await sql<{ gone: boolean }>`
    update integrations set purged_at = now(), completeness = null where id = ${integrationId}
    returning deleted_at is not null as gone`.execute(trx)
  await sql`delete from shop_webhooks where integration_id = ${integrationId}`.execute(trx)
  if (rows[0]?.gone) await sql`delete from integration_state where integration_id = ${integrationId}`.execute(trx)
  else await sql`update integration_state set cursor = '{}' where integration_id = ${integrationId}`.execute(trx)
}
