import { arrayIn, type Fields, fieldsOf, isFields, maybeText } from '../../commerce/reading.ts'
import { type RemoteAnswer, type RemoteRequest, refused, shopAway } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import type { Wording } from '../../lib/words/wording.ts'
import type { SquareShop } from './settings.ts'

type Asked = Omit<RemoteRequest, 'method'> & { method?: RemoteRequest['method'] }

/** The answer's body, or the platform's reason for not giving one. */
export async function ask({ remote }: SquareShop, asked: Asked): Promise<Fields> {
  return fieldsOf(bodyOf(await remote.request({ method: 'GET', ...asked })))
}

/** What is changed has no answer but that it was. */
export async function tell({ remote }: SquareShop, asked: Omit<Asked, 'method'>): Promise<void> {
  bodyOf(await remote.request({ method: 'POST', ...asked }))
}

export function bodyOf({ status, body }: RemoteAnswer): unknown {
  if (status < 300) return body
  // Somebody else is changing the same thing right now.
  if (status === 409 && isPassing(body)) throw shopAway(5)
  throw refused(reasonIn(body) ?? say('rejected_by', { platform: 'Squarespace' }))
}

const isPassing = (body: unknown): boolean => {
  const subtype = subtypeIn(body)
  return subtype === 'CONCURRENT_MODIFICATION' || subtype === 'PRODUCT_UPDATE_CONFLICT'
}

export const subtypeIn = (body: unknown): string | null => (isFields(body) ? textOrNull(body, 'subtype') : null)

export function reasonIn(body: unknown): string | Wording | null {
  if (!isFields(body)) return null
  if (body['type'] === 'WEBSITE_EXPIRED') return say('plan_expired')
  return (
    ['message', 'error_description', 'error'].map((name) => textOrNull(body, name)).find((one) => one !== null) ?? null
  )
}

const textOrNull = (fields: Fields, name: string): string | null =>
  typeof fields[name] === 'string' ? maybeText(fields, name) : null

/** A list with nothing in it may be nothing at all. */
export const rowsIn = (fields: Fields, name: string): readonly Fields[] =>
  fields[name] == null ? [] : arrayIn(fields, name).map(fieldsOf)

/** What may stand in a path, and among others with commas between them. */
export const isId = (text: string): boolean => /^[\w-]{1,64}$/.test(text)

/** An id of another form than theirs is not one that is missing, but none at all: that is refused, and means the same. */
export const isMissing = ({ status }: RemoteAnswer, id: string): boolean =>
  status === 404 || (status === 400 && !/^[0-9a-f]{24}$/.test(id))
