import type { Acknowledgement, AcknowledgeResult } from '../../commerce/connector/parts.ts'
import { say } from '../../commerce/words/say.ts'
import { reasonIn } from './ask.ts'
import { getOrder } from './get-order.ts'
import type { Credentials, Settings, WalmartShop } from './settings.ts'
import { toOrder } from './translate-order.ts'

/** An order that has been acknowledged may be so again. */
export const acknowledgement: Acknowledgement<Settings, Credentials> = {
  repeatable: true,
  // An order is `Created` as long as one of its lines is.
  clock: { hours: 4, runsIn: ['Created'] },
  async send(shop, { remoteIds }) {
    const results: AcknowledgeResult[] = []
    for (const remoteId of remoteIds) {
      const error = await acknowledge(shop, remoteId)
      results.push({ remoteId, ok: error === null, error })
    }
    return results
  },
}

/** Null if it is done, else Walmart's reason. What has been cancelled or sent meanwhile needs no acknowledgement. */
export async function acknowledge(shop: WalmartShop, remoteId: string): Promise<string | null> {
  const order = await getOrder(shop, remoteId)
  if (order === null) return say('no_such_order_at', { platform: 'Walmart' }).text
  if (toOrder(order).acknowledged) return null
  const answer = await shop.remote.request({
    method: 'POST',
    path: `/v3/orders/${remoteId}/acknowledge`,
    repeatable: true,
    budget: 'acknowledge',
  })
  return answer.status < 300 ? null : reasonIn(answer.body)
}
