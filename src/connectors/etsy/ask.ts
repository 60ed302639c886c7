import { type Fields, fieldsOf, isFields, maybeText } from '../../commerce/reading.ts'
import { type RemoteAnswer, type RemoteRequest, refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import type { EtsyShop } from './settings.ts'

type Asked = Omit<RemoteRequest, 'method'> & { method?: RemoteRequest['method'] }

/** The answer's body, or Etsy's reason for not giving one. */
export async function ask({ remote }: EtsyShop, asked: Asked): Promise<Fields> {
  return fieldsOf(bodyOf(await remote.request({ method: 'GET', ...asked })))
}

/** Null where there is no such record. */
export async function askOne({ remote }: EtsyShop, path: string, query = {}): Promise<Fields | null> {
  const answer = await remote.request({ method: 'GET', path, query })
  return answer.status === 404 ? null : fieldsOf(bodyOf(answer))
}

export function bodyOf({ status, body }: RemoteAnswer): unknown {
  if (status < 300) return body
  throw refused(reasonIn(body) ?? say('rejected_by', { platform: 'Etsy' }))
}

export const reasonIn = (body: unknown): string | null =>
  isFields(body)
    ? (maybeText(body, 'error_description') ?? maybeText(body, 'error') ?? maybeText(body, 'message'))
    : null

export const isId = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text)
