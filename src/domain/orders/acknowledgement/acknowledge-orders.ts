import type { Connector } from '../../../commerce/connector.ts'
import { invalid } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import type { Integration } from '../../integrations/integration.ts'
import { acknowledgeBatches } from '../../operations/acknowledge.ts'
import type { Written } from '../../operations/perform-write.ts'
import { useShop } from '../../shop/use-shop.ts'
import { isKnownToShop, type Order } from '../order.ts'
import { lockOrders, moveOrders, ordersByIds } from '../order-store.ts'

export interface Acknowledgement {
  order: Order
  /** The shop's reason when it refused. */
  error: string | null
}

/**
 * Takes orders out of the queue, each with a result of its own. Platforms that expect it are notified first; an order
 * that the platform refuses stays in the queue. Doing it twice changes nothing.
 */
export async function acknowledgeOrders(
  context: Context,
  integration: Integration,
  ids: readonly number[],
): Promise<Acknowledgement[]> {
  const known = new Map((await ordersByIds(context.db, integration.id, ids)).map((order) => [order.id, order]))
  const unknown = ids.flatMap((id, index) => (known.has(id) ? [] : [index]))
  if (unknown.length > 0) {
    throw invalid(
      Object.fromEntries(unknown.map((index) => [`orders.${index}`, [`The selected orders.${index} is invalid.`]])),
    )
  }
  const open = [...known.values()].filter((order) => order.acknowledged_at === null)
  const { refusals, settle } = await sendToShop(context, integration, open.filter(isKnownToShop))
  const accepted = open.filter((order) => !refusals.has(order.remote_id)).map((order) => order.id)
  const taken = await context.transaction(async (trx) => {
    await settle(trx)
    const held = await lockOrders(trx, integration.id, accepted)
    const moves = held.orders
      .filter((order) => order.acknowledged_at === null)
      .map(({ id, status }) => ({
        id,
        status: status === 'PENDING' ? ('ACKNOWLEDGED' as const) : status,
        acknowledge: true,
        // Which orders we have acknowledged is known by the day of it, whatever the shop shows.
        inShop: true,
        source: 'api' as const,
      }))
    const moved = await moveOrders(trx, integration.id, held, moves)
    return new Map([...held.orders, ...moved].map((order) => [order.id, order]))
  })
  return ids.flatMap((id) => {
    const order = taken.get(id) ?? known.get(id)
    return order ? [{ order, error: refusals.get(order.remote_id) ?? null }] : []
  })
}

interface ShopWrites {
  /** The reasons of the orders that the shop refused. */
  refusals: ReadonlyMap<string, string>
  settle(trx: Db): Promise<void>
}

async function sendToShop(context: Context, integration: Integration, orders: readonly Order[]): Promise<ShopWrites> {
  const refusals = new Map<string, string>()
  const written: Written<unknown>[] = []
  const settle = async (trx: Db) => {
    for (const one of written) await one.settle(trx)
  }
  if (orders.length === 0) return { refusals, settle }
  const part = ({ acknowledgement }: Connector) => acknowledgement
  await useShop(context, integration, part, async (_shop, acknowledgement, write) => {
    const wanted = orders.map((order) => order.remote_id)
    for (const { key, remoteIds } of await acknowledgeBatches(context.db, integration.id, wanted)) {
      const batch = await write({ kind: 'acknowledge_orders', key, input: { remoteIds } }, acknowledgement)
      written.push(batch)
      for (const { remoteId, ok, error } of batch.result) {
        if (!ok) refusals.set(remoteId, error ?? 'The shop rejected the order.')
      }
    }
  })
  return { refusals, settle }
}
