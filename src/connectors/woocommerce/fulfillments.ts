import { arrayIn, bodyOf, type Fields, fieldsOf, idIn, isFields, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { partOfSite } from './pages.ts'
import { root, type WooShop } from './settings.ts'

export const fulfillmentsPath = (orderId: string): string => `${root}/orders/${orderId}/fulfillments`

/** The parcels of an order, in shops that keep them (10.1 and later, where it is switched on); null in others. */
export async function fulfillmentsOf(shop: WooShop, orderId: string): Promise<readonly Fields[] | null> {
  const answer = await askFulfillments(shop, { method: 'GET', path: fulfillmentsPath(orderId) })
  return answer && arrayIn({ rows: within(answer, 'fulfillments') }, 'rows').map(fieldsOf)
}

const askFulfillments = partOfSite()

/** Some versions wrap what they answer once more. */
export function within(answer: RemoteAnswer, name: string): unknown {
  const body = bodyOf(answer)
  return isFields(body) && body[name] !== undefined ? body[name] : body
}

/** Orders do not report their parcels, but whether there are any. */
export const hasFulfillments = (order: Fields): boolean =>
  recordsIn({ meta_data: [], ...order }, 'meta_data').some(
    ({ key, value }) => key === '_fulfillment_status' && typeof value === 'string' && value !== 'no_fulfillments',
  )

/** With its parcels under `fulfillments`, where it has any: they cost a request of their own. */
export async function withFulfillments(shop: WooShop, order: Fields): Promise<Fields> {
  if (!hasFulfillments(order)) return order
  return { ...order, fulfillments: (await fulfillmentsOf(shop, idIn(order, 'id'))) ?? [] }
}
