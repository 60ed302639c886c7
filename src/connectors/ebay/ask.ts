import type { AnswerReading } from '../../commerce/connector/remote-rules.ts'
import { type Fields, fieldsOf, isFields, maybeText } from '../../commerce/reading.ts'
import { type RemoteAnswer, type RemoteRequest, refused } from '../../commerce/remote.ts'
import type { MissingRight } from '../../commerce/rules/rights.ts'
import { say } from '../../commerce/words/say.ts'
import { readTrading, tradingPath } from './seller-hub/trading.ts'
import type { EbayShop } from './settings.ts'

export type Asked = Omit<RemoteRequest, 'method'> & { method?: RemoteRequest['method'] }

export const fulfillment = '/sell/fulfillment/v1'
export const inventoryApi = '/sell/inventory/v1'
export const postOrder = '/post-order/v2'
export const notificationApi = '/commerce/notification/v1'

/** Who pays for what is below a path. */
const budgets = [
  [inventoryApi, 'inventory'],
  [`${postOrder}/return`, 'post_order'],
  [`${postOrder}/cancellation`, 'cancellations'],
] as const

export async function request({ remote }: EbayShop, asked: Asked): Promise<RemoteAnswer> {
  const [, budget = 'default'] = budgets.find(([base]) => asked.path.startsWith(base)) ?? []
  // Without a language some calls are refused, and with one of the many that eBay does not speak all of them.
  const headers = {
    'accept-language': 'en-US',
    ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...asked.headers,
  }
  return await remote.request({ method: 'GET', budget, ...asked, headers })
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
  throw refused(reasonIn(errorsIn(body)) ?? say('rejected_by', { platform: 'eBay' }))
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

const where = 'the OAuth scopes of the app in the eBay developer account, then connect the seller again'

/** The scope that opens what is below a path. */
export function rightFor(path: string): MissingRight {
  const [, name = 'commerce.identity.readonly'] = scopes.find(([base]) => path.startsWith(base)) ?? []
  return { name, where }
}

const scopes = [
  [inventoryApi, 'sell.inventory'],
  [fulfillment, 'sell.fulfillment'],
  [notificationApi, 'commerce.notification.subscription'],
] as const

const insufficientPermissions = 1100

/** A token that lacks a scope is as good as any other for the rest. */
export function readAnswer(answer: RemoteAnswer, { path }: RemoteRequest): AnswerReading {
  if (path === tradingPath) return readTrading(answer)
  const { status, body } = answer
  const lacks = status === 403 && errorsIn(body).some(({ errorId }) => errorId === insufficientPermissions)
  return lacks ? { missingRight: rightFor(path) } : {}
}
