import { invalidField, notFound } from '../../lib/fault.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import type { Context } from '../context.ts'
import type { Order, OrderInput } from './order.ts'
import { insertOrder } from './order-store.ts'

/** An order that did not come from the shop by itself. Without a remote id it gets one that no shop would give. */
export async function createOrder(
  context: Context,
  integration: { id: number; type: string },
  input: OrderInput,
): Promise<Order> {
  const [id] = await takeIds(context.db, 'orders', 1)
  if (id === undefined) throw notFound()
  const remoteId = input.remote_id ?? `entrepot-${id}`
  const sandbox = integration.type === 'sandbox' || (input.sandbox ?? false)
  const order = await context.transaction((trx) =>
    insertOrder(trx, integration.id, { ...input, id, remote_id: remoteId, sandbox }),
  )
  if (!order) throw invalidField('remote_id', 'The remote id has already been taken.')
  return order
}
