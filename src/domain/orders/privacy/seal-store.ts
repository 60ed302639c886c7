import { sql } from 'kysely'
import type { RecordKey } from '../../../lib/sealing/record-box.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Sealable } from '../../../runtime/db/vault/sealable.ts'
import { type Order, withoutPrivate } from '../order.ts'
import { orderColumns } from '../order-store.ts'
import { type Sealed, sealPart, sealRemote, unsealOrders } from './private-part.ts'

/** Reasons of returns were sealed later than the rest. */
export const unsealed = `redacted_at is null and (
  private is null or jsonb_path_exists(returns, '$[*].lines[*].reason ? (@ != null)'))`

/** Orders that were stored before all that their buyers say was sealed. */
export const sealableOrders: Sealable = {
  table: 'orders',
  unsealed,
  async sealSome(trx, integrationId, { key, limit }) {
    const { rows } = await sql<{ id: number }>`
      select id from orders where integration_id = ${integrationId} and ${sql.raw(unsealed)} order by id limit ${limit}`.execute(
      trx,
    )
    return await sealStored(
      trx,
      integrationId,
      key,
      rows.map(({ id }) => id),
    )
  },
}

/**
 * Seals these where they are, and leaves nothing of it outside. Nothing about them has changed, so that nobody is told. Part
 * of a transaction that holds the integration's lock.
 */
export async function sealStored(
  trx: Db,
  integrationId: number,
  key: RecordKey,
  ids: readonly number[],
): Promise<number> {
  const { rows } = await sql<Sealed<Order> & { payload: string | null }>`
    select ${sql.raw(orderColumns.join(', '))}, remote_payload::text as payload
    from orders where integration_id = ${integrationId} and id = any(${[...ids]}::bigint[]) and ${sql.raw(unsealed)}`.execute(
    trx,
  )
  for (const order of await unsealOrders<Order & { payload: string | null }>(trx, rows)) {
    const { id, remote_id: remoteId, payload } = order
    const owner = { integrationId, remoteId }
    const { private: sealed, private_digest: digest, private_words: words } = sealPart(key, owner, order)
    const left = withoutPrivate(order)
    await sql`
      update orders set private = ${sealed}, private_digest = ${digest}, private_words = ${words}::bigint[],
        remote_record = coalesce(${payload === null ? null : sealRemote(key, owner, payload)}, remote_record), remote_payload = null,
        customer = '{}', billing_address = null, shipping_address = null, note = null, tax_ids = '[]', attributes = '[]',
        tags = '[]', purchase_order = null, items = ${JSON.stringify(left.items)}::jsonb,
        refunds = ${JSON.stringify(left.refunds)}::jsonb, returns = ${JSON.stringify(left.returns)}::jsonb
      where integration_id = ${integrationId} and id = ${id}`.execute(trx)
  }
  return rows.length
}
