import { type Fields, fieldsIn, fieldsOf } from '../../commerce/reading.ts'
import { bodyOf } from './ask.ts'
import { errorsIn } from './read-answer.ts'
import type { AmazonShop } from './settings.ts'

export const ordersPath = '/orders/2026-01-01/orders'

/** The restricted roles alone decide about names and addresses; no token of its own is needed for them. */
export const includedDataOf = ({ settings: { buyer_data: wanted = true } }: AmazonShop): string =>
  ['PROCEEDS', 'CANCELLATION', 'FULFILLMENT', 'PACKAGES', ...(wanted ? ['BUYER', 'RECIPIENT', 'TAX'] : [])].join(',')

const isOrderId = (id: string): boolean => /^[A-Z0-9]{3}-\d{7}-\d{7}$/.test(id)

export async function getOrder(shop: AmazonShop, remoteId: string): Promise<Fields | null> {
  return (await askOrder(shop, remoteId))?.order ?? null
}

/** The order, and what time it is at Amazon. */
export async function askOrder(
  shop: AmazonShop,
  remoteId: string,
): Promise<{ order: Fields; now: string | null } | null> {
  if (!isOrderId(remoteId)) return null
  const answer = await shop.remote.request({
    method: 'GET',
    path: `${ordersPath}/${remoteId}`,
    query: { includedData: includedDataOf(shop) },
    budget: 'get_order',
  })
  if (answer.status === 404 && errorsIn(answer.body).length > 0) return null
  const now = Date.parse(answer.headers['date'] ?? '')
  return {
    order: fieldsIn(fieldsOf(bodyOf(answer)), 'order'),
    now: Number.isNaN(now) ? null : new Date(now).toISOString(),
  }
}
