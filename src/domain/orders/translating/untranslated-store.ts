import { sql } from 'kysely'
import { readEverywhere } from '../../../runtime/db/citus/nodes.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { unsealRemotes } from '../privacy/private-part.ts'

/** Orders that were stored before their details were (`orders_to_translate` finds them, and is empty afterwards). */
const isUntranslated = 'payment_status is null and remote_version is not null and deleted_at is null'
const untranslated = sql.raw(isUntranslated)

export async function integrationsWithUntranslated(db: Db, limit: number): Promise<number[]> {
  const rows = await readEverywhere<{ id: number }>(db, {
    table: 'orders',
    rows: (table) => `select distinct integration_id as id from ${table} where ${isUntranslated} limit ${limit}`,
    tail: `limit ${limit}`,
  })
  return rows.map(({ id }) => id)
}

export interface UntranslatedOrder {
  id: number
  remote_id: string
  remote_payload: unknown
}

export async function untranslatedOrders(db: Db, integrationId: number, limit: number): Promise<UntranslatedOrder[]> {
  const { rows } = await sql<UntranslatedOrder & { remote_record: Buffer | null }>`
    select id, remote_id, remote_payload, remote_record from orders where integration_id = ${integrationId} and ${untranslated}
    order by id limit ${limit}`.execute(db)
  return await unsealRemotes(db, integrationId, rows)
}

/** What can be said without the shop's record, which is gone or means nothing to us any more. */
export async function markUntranslatable(db: Db, integrationId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update orders set payment_status = 'unknown', updated_at = now(),
      fulfillment_status = case when status = 'DELIVERED' then 'delivered' when status = 'SHIPPED' then 'fulfilled'
        else 'unfulfilled' end
    where integration_id = ${integrationId} and id = any(${[...ids]}::bigint[]) and ${untranslated}`.execute(db)
}
