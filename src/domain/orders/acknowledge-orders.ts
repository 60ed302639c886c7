import { randomUUID } from 'node:crypto'
import type { Connector } from '../../commerce/connector.ts'
import { invalid } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { useShop } from '../integrations/use-shop.ts'
import { isKnownToShop, type Order } from './order.ts'
import { lockOrders, moveOrders, ordersByIds } from './order-store.ts'

export interface Acknowledgement {
  order: Order
  /** The shop's reason when it refused. */
  error: string | null
}

/**
 * Takes orders out of the queue, each with a result of its own. Platforms that want to know are told first; an order
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
  const refusals = await tellShop(context, integration, open.filter(isKnownToShop))
  const accepted = open.filter((order) => !refusals.has(order.remote_id)).map((order) => order.id)
  const taken = await context.transaction(async (trx) => {
    const held = await lockOrders(trx, integration.id, accepted)
    const moves = held.orders
      .filter((order) => order.acknowledged_at === null)
      .map(({ id, status }) => ({
        id,
        status: status === 'PENDING' ? ('ACKNOWLEDGED' as const) : status,
        acknowledge: true,
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

const atOnce = 100

/** The reasons of the orders that the shop refused. */
async function tellShop(
  context: Context,
  integration: Integration,
  orders: readonly Order[],
): Promise<Map<string, string>> {
  const refusals = new Map<string, string>()
  if (orders.length === 0) return refusals
  const part = ({ acknowledgement }: Connector) => acknowledgement
  await useShop(context, integration, part, async (shop, acknowledgement) => {
    for (let start = 0; start < orders.length; start += atOnce) {
      const remoteIds = orders.slice(start, start + atOnce).map((order) => order.remote_id)
      const results = await acknowledgement.send(shop, { remoteIds }, { id: randomUUID() })
      for (const { remoteId, ok, error } of results) {
        if (!ok) refusals.set(remoteId, error ?? 'The shop refused the order.')
      }
    }
  })
  return refusals
}
