import type { Context } from '../../src/domain/context.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import type { SyncedOrder } from '../../src/domain/orders/order.ts'
import { upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { followShop } from '../../src/domain/stock/following/follow-shop.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { nextNumber } from './numbers.ts'
import { incomingOrder } from './orders.ts'

type Line = SyncedOrder['items'][number]

/** So many cups, as a line of an order. */
export const line = (quantity: number, more: Partial<Line> = {}): Line => ({
  ...{ remote_id: 'l1', product_remote_id: null, variant_remote_id: 'id-CUP', sku: 'CUP', name: 'Cup' },
  ...{ variant_name: null, quantity, quantity_fulfilled: 0, quantity_refunded: 0, quantity_cancelled: 0 },
  ...{ requires_shipping: true, price: '1.00', discount: null, tax: null, total: null },
  ...more,
})

/** Orders as a shop tells them: stored as a sync would, then followed by the stock that the shop shares. */
export function followedOrders(contextOf: () => Context) {
  const follow = async (shop: Integration) => {
    while ((await followShop(contextOf(), shop.id)) === 'more');
  }
  /** Told together: they are followed in one go. */
  const orders = async (
    shop: Integration,
    told: readonly (readonly [remoteId: string, items: SyncedOrder['items'], more?: Partial<SyncedOrder>])[],
  ) => {
    const context = contextOf()
    const ids = await takeIds(context.db, 'orders', told.length)
    const incoming = told.map(([remoteId, items, more]) =>
      incomingOrder(remoteId, {
        items,
        placed_at: new Date().toISOString(),
        remote_version: String(1_000_000 + nextNumber('versions of orders')),
        ...more,
      }),
    )
    await context.transaction((trx) => upsertOrders(trx, shop.id, { ids, orders: incoming }))
    await follow(shop)
  }
  const order = (shop: Integration, remoteId: string, items: SyncedOrder['items'], more: Partial<SyncedOrder> = {}) =>
    orders(shop, [[remoteId, items, more]])
  return { order, orders, follow }
}
