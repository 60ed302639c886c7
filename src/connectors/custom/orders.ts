import type { Format } from '../../commerce/definition/place.ts'
import type { Getting } from '../../commerce/definition/requests.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { bodyOf } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { getOne, requestFrom } from './ask.ts'
import { type ListedPart, withJoins } from './pages.ts'
import type { OrderRules } from './translate-order.ts'

/** One by its id, with what belongs to it; null if there is none. */
export async function getWhole(
  shop: Shop,
  { get, joins }: Pick<ListedPart, 'joins'> & { get: Getting },
  remoteId: string,
  format: Format,
): Promise<unknown> {
  const raw = await getOne(shop, get, remoteId)
  if (raw === null) return null
  const [whole] = await withJoins(shop, joins ? { joins } : {}, [raw], format)
  return whole
}

interface CancelRules {
  rules: OrderRules
  format: Format
  toOrder(raw: unknown): RemoteOrder
}

/** An order that is cancelled already is left alone, which makes it safe to ask twice. */
export async function cancelOrder(
  shop: Shop,
  { rules, format, toOrder }: CancelRules,
  { remoteId, reason }: { remoteId: string; reason: string | null },
): Promise<RemoteOrder> {
  const raw = await getWhole(shop, rules, remoteId, format)
  if (raw === null) throw refused(say('no_such_order'))
  const before = understood(() => toOrder(raw))
  if (before.status === 'cancelled' || !rules.cancel) return before
  const request = requestFrom(rules.cancel, { id: remoteId, reason }, { id: remoteId })
  bodyOf(await shop.remote.request({ ...request, repeatable: true }))
  return await cancelled(shop, { rules, format, toOrder }, before)
}

/**
 * The order as the shop has it afterwards. It has taken the cancellation, whatever it says of the order now: one that can no
 * longer be read is the order before, cancelled.
 */
async function cancelled(
  shop: Shop,
  { rules, format, toOrder }: CancelRules,
  before: RemoteOrder,
): Promise<RemoteOrder> {
  const after = await getWhole(shop, rules, before.remote_id, format)
  try {
    if (after !== null) return toOrder(after)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  return { ...before, status: 'cancelled' }
}

/** A record that does not fit the description is for its author to mend, and no failure of ours. */
export function understood<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) {
      throw refused(say('record_misfit', { problem: error.message }))
    }
    throw error
  }
}
