import type { RemoteOrder } from '../../commerce/order.ts'
import { Fault } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import type { OpenShop } from '../shop/open-remote.ts'
import { countKnownOrders, upsertOrders } from './order-upsert-store.ts'
import { syncedOrder } from './synced-order.ts'

/**
 * Our copy shows what the shop has just said. An order that we do not hold comes with the next read. `wish`: the step is what a
 * caller of ours asked for, and why.
 */
export async function showOrder(
  trx: Db,
  { integrationId, connector }: Pick<OpenShop, 'integrationId' | 'connector'>,
  order: RemoteOrder,
  wish?: { reason: string | null },
): Promise<void> {
  if ((await countKnownOrders(trx, integrationId, [order.remote_id])) === 0) return
  const orders = [syncedOrder(connector, order)]
  await upsertOrders(trx, integrationId, {
    ids: [],
    orders,
    ...(wish && { source: 'api' as const, note: wish.reason }),
  })
}

/**
 * Reads an order in which we have changed something, for platforms whose date of change does not move by it. The change is
 * made: a shop that does not answer now is asked with the next read.
 */
export async function followOrder(open: OpenShop & Pick<Context, 'transaction'>, remoteId: string): Promise<void> {
  const { connector, shop, transaction } = open
  if (!connector.orders) return
  try {
    const raw = await connector.orders.get(shop, remoteId)
    if (raw === null) return
    const order = connector.orders.translate(raw, shop)
    await transaction((trx) => showOrder(trx, open, order))
  } catch (error) {
    if (!(error instanceof Fault || error instanceof TypeError)) throw error
  }
}
