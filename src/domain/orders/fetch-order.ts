import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { inShopOf, orderIn } from './changes/in-shop.ts'
import type { Order } from './order.ts'
import { showOrder } from './show-order.ts'

/** Reads an order that we hold from its shop again, whatever the date of its last change says. */
export const fetchOrder = (
  context: Context,
  integration: Integration,
  order: Pick<Order, 'remote_id' | 'remote_version'>,
): Promise<void> =>
  inShopOf(context, integration, { order, workKey: null }, ({ orders }) => orders, {
    missing: 'The orders of this platform cannot be read.',
    work: async (open) => {
      const fresh = await orderIn(open, order.remote_id, 'order')
      await open.transaction((trx) => showOrder(trx, open, fresh))
    },
  })
