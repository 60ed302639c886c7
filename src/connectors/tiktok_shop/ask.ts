import { type Fields, fieldsOf, isFields, maybeText, numberIn } from '../../commerce/reading.ts'
import { type RemoteAnswer, type RemoteRequest, refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import type { TikTokShop } from './settings.ts'

type Asked = Omit<RemoteRequest, 'method'> & { method?: RemoteRequest['method'] }

/** What was asked for, or TikTok Shop's reason for not giving it. */
export async function ask({ remote }: TikTokShop, asked: Asked): Promise<Fields> {
  return dataOf(await remote.request({ method: 'GET', ...asked }))
}

/** Questions that are too long for an address: asked as if something was written, and nothing is. */
export const search = (shop: TikTokShop, path: string, query: RemoteRequest['query'], body: object): Promise<Fields> =>
  ask(shop, { method: 'POST', path, query: query ?? {}, body, repeatable: true })

/** Every answer is an envelope: its code says whether it is one, whatever the status. */
export function dataOf(answer: RemoteAnswer): Fields {
  const { status, body } = answer
  if (status >= 300 || codeOf(body) !== 0)
    throw refused(reasonIn(body) ?? say('rejected_by', { platform: 'TikTok Shop' }))
  const { data } = fieldsOf(body)
  return data == null ? {} : fieldsOf(data)
}

export const codeOf = (body: unknown): number => numberIn(fieldsOf(body), 'code')

export const reasonIn = (body: unknown): string | null => (isFields(body) ? maybeText(body, 'message') : null)

/** Ids have more digits than a number holds. */
export const isId = (text: string): boolean => /^[1-9]\d{5,23}$/.test(text)
