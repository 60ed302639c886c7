import type { AnswerReading } from '../../commerce/connector/remote-rules.ts'
import { bodyOf, type Fields, fieldsIn, fieldsOf, isFields, maybeText } from '../../commerce/reading.ts'
import {
  isCredentialsRefusal,
  type RemoteAnswer,
  type RemoteRequest,
  refused,
  shopAway,
} from '../../commerce/remote.ts'
import { rightsMissing } from '../../commerce/rules/rights.ts'
import { say } from '../../commerce/words/say.ts'
import type { Fault } from '../../lib/fault.ts'
import { missingRights, rightTo } from './rights.ts'
import { apiPath, type VendureShop } from './settings.ts'

/** The server says nearly everything with status 200: what it refuses stands in `errors`, or in the place of the data. */

const errorsIn = (body: unknown): readonly Fields[] =>
  isFields(body) && Array.isArray(body['errors']) ? body['errors'].filter(isFields) : []

const codeOf = ({ extensions }: Fields): unknown => (isFields(extensions) ? extensions['code'] : undefined)

const isForbidden = (body: unknown): boolean => errorsIn(body).some((error) => codeOf(error) === 'FORBIDDEN')

const isChange = ({ body }: RemoteRequest): boolean =>
  isFields(body) && typeof body['query'] === 'string' && body['query'].startsWith('mutation')

/** A wrong key is FORBIDDEN, and so is a right one that lacks a permission: who asks finds out which of the two it is. */
export function readAnswer({ body }: RemoteAnswer, request: RemoteRequest): AnswerReading {
  if (isForbidden(body) && !isChange(request)) return { verdict: 'unauthorized' }
  if (errorsIn(body).some((error) => codeOf(error) === 'INTERNAL_SERVER_ERROR')) return { verdict: 'away' }
  return {}
}

export const channelQuery = 'query Channel { activeChannel { code } }'

export async function ask(shop: VendureShop, query: string, variables: Fields = {}): Promise<Fields> {
  try {
    return dataOf(await post(shop, query, variables, { repeatable: true }))
  } catch (error) {
    throw isCredentialsRefusal(error) && query !== channelQuery ? ((await rightsRefusal(shop)) ?? error) : error
  }
}

/** Null where no permission is missing. Throws where it is the key. */
async function rightsRefusal(shop: VendureShop): Promise<Fault | null> {
  const missing = await missingRights(shop)
  return missing.length === 0 ? null : rightsMissing(missing)
}

/** A change, by the name of its only field. Nothing has happened where it was FORBIDDEN. */
export async function change(shop: VendureShop, name: string, query: string, variables: Fields): Promise<Fields> {
  let answer = await post(shop, query, variables)
  if (isForbidden(answer.body)) {
    // Throws where it is the key; a session that had ended is open again after it.
    await ask(shop, channelQuery)
    answer = await post(shop, query, variables)
    const isKey = shop.credentials.api_key !== undefined
    const missing = () => (isKey ? rightsMissing([rightTo(name)]) : rightsRefusal(shop))
    const refusal = isForbidden(answer.body) ? await missing() : null
    if (refusal) throw refusal
  }
  const payload = dataOf(answer)[name]
  if (!isFields(payload)) return { [name]: payload }
  if (payload['errorCode'] !== undefined) throw refused(maybeText(payload, 'message') ?? String(payload['errorCode']))
  return payload
}

export const post = (
  shop: VendureShop,
  query: string,
  variables: Fields,
  how: { repeatable?: boolean; anonymous?: boolean } = {},
): Promise<RemoteAnswer> =>
  shop.remote.request({ method: 'POST', path: apiPath(shop), body: { query, variables }, ...how })

export function dataOf(answer: RemoteAnswer): Fields {
  const [error] = errorsIn(answer.body)
  if (error) throw refused(maybeText(error, 'message') ?? say('rejected'))
  const body = fieldsOf(bodyOf(answer))
  // A success without data is a page of something in between.
  if (body['data'] == null) throw shopAway(30, new Error('an answer without data'))
  return fieldsIn(body, 'data')
}
