import { type Fields, fieldsIn, fieldsOf } from '../../commerce/reading.ts'
import { bodyOf, isMissing } from './ask.ts'
import type { WalmartShop } from './settings.ts'

const isOrderId = (id: string): boolean => /^\d{1,20}$/.test(id)

export async function getOrder(shop: WalmartShop, remoteId: string): Promise<Fields | null> {
  return (await askOrder(shop, remoteId))?.order ?? null
}

/** The order, and what time it is at Walmart. */
export async function askOrder(
  shop: WalmartShop,
  remoteId: string,
): Promise<{ order: Fields; now: number | null } | null> {
  if (!isOrderId(remoteId)) return null
  const answer = await shop.remote.request({
    method: 'GET',
    path: `/v3/orders/${remoteId}`,
    query: { productInfo: 'true', replacementInfo: 'true' },
    budget: 'get_order',
  })
  if (isMissing(answer)) return null
  const now = Date.parse(answer.headers['date'] ?? '')
  return { order: fieldsIn(fieldsOf(bodyOf(answer)), 'order'), now: Number.isNaN(now) ? null : now }
}
