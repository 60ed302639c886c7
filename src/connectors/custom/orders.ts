import type { RemoteOrder } from '../../commerce/order.ts'
import { bodyOf } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { getOne, requestFrom } from './ask.ts'
import type { OrderRules } from './translate-order.ts'

type ToOrder = (raw: unknown) => RemoteOrder

/** An order that is cancelled already is left alone, which makes it safe to ask twice. */
export async function cancelOrder(
  shop: Shop,
  { rules, toOrder }: { rules: OrderRules; toOrder: ToOrder },
  { remoteId, reason }: { remoteId: string; reason: string | null },
): Promise<RemoteOrder> {
  const read = async () => {
    const raw = await getOne(shop, rules.get, remoteId)
    if (raw === null) throw refused('The shop has no such order.')
    return toOrder(raw)
  }
  const before = await read()
  if (before.status === 'cancelled' || !rules.cancel) return before
  const request = requestFrom(rules.cancel, { id: remoteId, reason }, { id: remoteId })
  bodyOf(await shop.remote.request({ ...request, repeatable: true }))
  return await read()
}
