import type { Connector } from '../../commerce/connector.ts'
import { invalidField, notFound } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { cancelCheck } from '../shop/look-first.ts'
import { useShop } from '../shop/use-shop.ts'
import { isKnownToShop, mayMove, type Order } from './order.ts'
import { lockOrders, moveOrders } from './order-store.ts'

export interface CancelInput {
  order: Order
  reason: string | null
  notifyCustomer?: boolean | undefined
  force?: boolean | undefined
}

/**
 * In the shop first, where it can be done there; what the shop refuses does not happen here either. Whether it may be done is
 * read off the shop at this moment, and only without one off our copy.
 */
export async function cancelOrder(context: Context, integration: Integration, input: CancelInput): Promise<Order> {
  const { order, reason, force = false } = input
  if (order.status === 'CANCELLED') return order
  const sent = isKnownToShop(order) ? await sendToShop(context, integration, input) : null
  if (!sent && !force) assertCancellable(order)
  return await context.transaction(async (trx) => {
    const held = await lockOrders(trx, integration.id, [order.id])
    const [now] = held.orders
    if (!now) throw notFound()
    await sent?.settle(trx)
    if (now.status === 'CANCELLED') return now
    if (!sent && !force) assertCancellable(now)
    const move = { id: order.id, status: 'CANCELLED', inShop: sent !== null, note: reason, source: 'api' } as const
    const [moved] = await moveOrders(trx, integration.id, held, [move])
    return moved ?? now
  })
}

function sendToShop(
  context: Context,
  integration: Integration,
  { order: { remote_id: remoteId }, reason, notifyCustomer, force }: CancelInput,
) {
  const part = ({ orders }: Connector) => orders?.cancel
  const input = { remoteId, reason, ...(notifyCustomer !== undefined && { notifyCustomer }) }
  return useShop(context, integration, part, (shop, cancel, write, connector) => {
    const check = cancelCheck({ connector, shop }, { remoteId, force, field: 'status' })
    return write({ kind: 'cancel_order', key: remoteId, input, check }, cancel)
  })
}

function assertCancellable({ status }: Order): void {
  if (!mayMove(status, 'CANCELLED')) throw invalidField('status', 'The selected status is invalid.')
}
