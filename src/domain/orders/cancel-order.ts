import type { Connector } from '../../commerce/connector.ts'
import { invalidField, notFound } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { useShop } from '../shop/use-shop.ts'
import { isKnownToShop, mayMove, type Order } from './order.ts'
import { lockOrders, moveOrders } from './order-store.ts'

/** In the shop first, where it can be done there; what the shop refuses does not happen here either. */
export async function cancelOrder(
  context: Context,
  integration: Integration,
  input: { order: Order; reason: string | null },
): Promise<Order> {
  const { order, reason } = input
  if (order.status === 'CANCELLED') return order
  assertCancellable(order)
  const sent = isKnownToShop(order) ? await sendToShop(context, integration, order, reason) : null
  return await context.transaction(async (trx) => {
    const held = await lockOrders(trx, integration.id, [order.id])
    const [now] = held.orders
    if (!now) throw notFound()
    await sent?.settle(trx)
    if (now.status === 'CANCELLED') return now
    assertCancellable(now)
    const move = { id: order.id, status: 'CANCELLED', inShop: sent !== null, note: reason, source: 'api' } as const
    const [moved] = await moveOrders(trx, integration.id, held, [move])
    return moved ?? now
  })
}

function sendToShop(context: Context, integration: Integration, { remote_id: remoteId }: Order, reason: string | null) {
  const part = ({ orders }: Connector) => orders?.cancel
  return useShop(context, integration, part, (_shop, cancel, write) =>
    write({ kind: 'cancel_order', key: remoteId, input: { remoteId, reason } }, cancel),
  )
}

function assertCancellable({ status }: Order): void {
  if (!mayMove(status, 'CANCELLED')) throw invalidField('status', 'The selected status is invalid.')
}
