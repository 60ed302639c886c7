import { type Fields, fieldsOf, isFields, maybeText } from '../../commerce/reading.ts'
import { type RemoteAnswer, type RemoteRequest, refused } from '../../commerce/remote.ts'
import type { EbayShop } from './settings.ts'

export type Asked = Omit<RemoteRequest, 'method'> & { method?: RemoteRequest['method'] }

export const fulfillment = '/sell/fulfillment/v1'
export const inventoryApi = '/sell/inventory/v1'
export const postOrder = '/post-order/v2'

export async function request({ remote }: EbayShop, asked: Asked): Promise<RemoteAnswer> {
  const budget = asked.path.startsWith(inventoryApi) ? 'inventory' : 'default'
  const typed = asked.body === undefined ? {} : { headers: { 'content-type': 'application/json', ...asked.headers } }
  return await remote.request({ method: 'GET', budget, ...asked, ...typed })
}

/** The answer's body, or eBay's reason for not giving one. */
export const ask = async (shop: EbayShop, asked: Asked): Promise<unknown> => bodyOf(await request(shop, asked))

/** Null where there is no such record. */
export async function askOne(shop: EbayShop, asked: Asked): Promise<Fields | null> {
  const answer = await request(shop, asked)
  return isMissing(answer) ? null : fieldsOf(bodyOf(answer))
}

/** Ids that nothing ever had are an error of another kind, with a number of its own. */
const isMissing = ({ status, body }: RemoteAnswer): boolean =>
  status === 404 || (status === 400 && errorsIn(body).some(({ errorId }) => errorId === 32100))

export function bodyOf({ status, body }: RemoteAnswer): unknown {
  if (status < 300) return body
  throw refused(reasonIn(errorsIn(body)) ?? 'eBay rejected the request.')
}

/** The newer interfaces and the older one wrap them differently. */
function errorsIn(body: unknown): Fields[] {
  if (!isFields(body)) return []
  const wrapped = isFields(body['errorMessage']) ? body['errorMessage']['error'] : null
  const reported = wrapped ?? body['errors'] ?? body['error']
  if (Array.isArray(reported)) return reported.filter(isFields)
  return typeof body['message'] === 'string' ? [body] : []
}

/** The long form is the better one, where there is any. */
export function reasonIn(errors: readonly Fields[]): string | null {
  const [first] = errors
  return first ? (maybeText(first, 'longMessage') ?? maybeText(first, 'message')) : null
}
