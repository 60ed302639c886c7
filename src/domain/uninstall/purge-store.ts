import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { countRows, lockCounted } from '../../runtime/db/lists/row-counters.ts'
import { firstRows } from '../../runtime/db/rows/first-rows.ts'
import { destroyKey } from '../../runtime/db/vault/vault.ts'
import { countOrder, type OrderPlace } from '../orders/order-counts.ts'
import { allShipments } from '../orders/parcels/parcel.ts'
import { allProducts } from '../products/product.ts'

/** A merchant may come back to what there was; after this long it is removed. */
const keptDays = sql.lit(30)

const overdue = sql`uninstalled_at < now() - make_interval(days => ${keptDays}) and purged_at is null
  and (status = 'UNINSTALLED' or deleted_at is not null)`

/** Those that were left so long ago that nobody will come back for their data. */
export async function toPurge(
  db: Db,
  { limit, except = [] }: { limit: number; except?: readonly number[] },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from integrations where ${overdue} and id <> all(${[...except]}::bigint[])
    order by uninstalled_at limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** When it was left; null for one that is connected, or of which everything is gone. It stays so until the transaction ends. */
export async function lockLeft(trx: Db, integrationId: number): Promise<string | null> {
  const { rows } = await sql<{ uninstalled_at: string }>`
    select uninstalled_at from integrations
    where id = ${integrationId} and uninstalled_at is not null and purged_at is null
      and (status = 'UNINSTALLED' or deleted_at is not null)
    for no key update`.execute(trx)
  return rows[0]?.uninstalled_at ?? null
}

/** As if it had been left long ago: nobody waits for the merchant to come back. */
export async function purgeAtOnce(trx: Db, integrationId: number): Promise<void> {
  await sql`
    update integrations set purged_at = null,
      uninstalled_at = least(uninstalled_at, now() - make_interval(days => ${keptDays}) - interval '1 second')
    where id = ${integrationId}`.execute(trx)
}

/** Nobody connects the shop again until the transaction ends; false if somebody has done so already. */
export async function lockOverdue(trx: Db, integrationId: number): Promise<boolean> {
  const { rows } = await sql`
    select from integrations where id = ${integrationId} and ${overdue} for no key update`.execute(trx)
  if (rows.length === 0) return false
  await lockCounted(trx, integrationId)
  return true
}

/** Before anything is deleted: whoever connects the shop again between two parts reads all of it anew. */
export async function beginPurge(trx: Db, integrationId: number): Promise<boolean> {
  if (!(await lockOverdue(trx, integrationId))) return false
  // Whatever is still to be deleted, here or in a copy, is nobody's any more.
  await destroyKey(trx, integrationId)
  await sql`update integrations set completeness = null where id = ${integrationId}`.execute(trx)
  await sql`update integration_state set cursor = '{}' where integration_id = ${integrationId}`.execute(trx)
  return true
}

/** None of these is counted in lists. What tells rows of one integration apart, by table. */
const uncounted = {
  runs: ['id'],
  operations: ['id'],
  order_history: ['order_id', 'id'],
  inventory: ['sku', 'location', 'remote_id'],
  shop_messages: ['delivery_id'],
  quarantine: ['kind', 'remote_id'],
  sync_seen: ['run_id', 'kind', 'remote_id'],
  row_counters: ['kind', 'bucket'],
}

const rowsAtOnce = 1000

const some = (table: string, integrationId: number, key: readonly string[] = ['id']) =>
  firstRows(table, integrationId, { key, limit: rowsAtOnce })

/**
 * Deletes some of what the integration holds, counters with it, so that what is left is right if the shop is connected
 * again; false when there is nothing left.
 */
export async function purgeSome(trx: Db, integrationId: number): Promise<boolean> {
  const shipments = await sql<{ id: number }>`delete from ${some('shipments', integrationId)} returning id`.execute(trx)
  if (shipments.rows.length > 0) {
    const changes = shipments.rows.map(({ id }) => ({ kind: allShipments, id, by: -1 as const }))
    await countRows(trx, integrationId, changes)
    return true
  }
  const orders = await sql<OrderPlace>`
    delete from ${some('orders', integrationId)}
    returning id, status, acknowledged_at is not null as acknowledged, sandbox, deleted_at is not null as deleted`.execute(
    trx,
  )
  if (orders.rows.length > 0) {
    const changes = orders.rows.flatMap((place) => countOrder(place, { ...place, deleted: true }))
    await countRows(trx, integrationId, changes)
    return true
  }
  const products = await sql<{ id: number; deleted: boolean }>`
    delete from ${some('products', integrationId)} returning id, deleted_at is not null as deleted`.execute(trx)
  if (products.rows.length > 0) {
    const counted = products.rows.filter(({ deleted }) => !deleted)
    await countRows(
      trx,
      integrationId,
      counted.map(({ id }) => ({ kind: allProducts, id, by: -1 as const })),
    )
    return true
  }
  for (const [table, key] of Object.entries(uncounted)) {
    const { numAffectedRows = 0n } = await sql`delete from ${some(table, integrationId, key)}`.execute(trx)
    if (numAffectedRows > 0n) return true
  }
  return false
}

/** The anchor goes with an integration that is gone; for one that may be connected again it stays, as if it were new. */
export async function endPurge(trx: Db, integrationId: number): Promise<void> {
  const { rows } = await sql<{ gone: boolean }>`
    update integrations set purged_at = now() where id = ${integrationId}
    returning deleted_at is not null as gone`.execute(trx)
  await sql`delete from shop_webhooks where integration_id = ${integrationId}`.execute(trx)
  await sql`delete from inbound_work where integration_id = ${integrationId}`.execute(trx)
  if (rows[0]?.gone) await sql`delete from integration_state where integration_id = ${integrationId}`.execute(trx)
}
