import { type Fields, fieldsOf, isFields, maybeText } from '../../commerce/reading.ts'
import { type RemoteAnswer, type RemoteRequest, refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { Fault } from '../../lib/fault.ts'
import type { WixShop } from './settings.ts'

type Asked = Omit<RemoteRequest, 'method'> & { method?: RemoteRequest['method'] }

/** The answer's body, or Wix's reason for not giving one. */
export async function ask({ remote }: WixShop, asked: Asked): Promise<Fields> {
  return fieldsOf(bodyOf(await remote.request({ method: 'GET', ...asked })))
}

/** Null where there is no such record. */
export async function askOne({ remote }: WixShop, path: string, query: RemoteRequest['query'] = {}) {
  const answer = await remote.request({ method: 'GET', path, query })
  return answer.status === 404 ? null : fieldsOf(bodyOf(answer))
}

/** Lists are asked for by POST, and change nothing. */
export const askList = (shop: WixShop, path: string, body: Fields): Promise<Fields> =>
  ask(shop, { method: 'POST', path, body, repeatable: true })

export function bodyOf({ status, body }: RemoteAnswer): unknown {
  if (status < 300) return body
  if (status === otherCatalog && /catalog/i.test(JSON.stringify(body ?? ''))) throw ofOtherCatalog()
  throw refused(reasonIn(body) ?? say('rejected_by', { platform: 'Wix' }))
}

/** What sites of one version of the catalogue answer to questions of the other. */
const otherCatalog = 428

export const oldCatalog = say('old_catalog')

const otherwise = new WeakSet<Fault>()

function ofOtherCatalog(): Fault {
  const fault = refused(oldCatalog)
  otherwise.add(fault)
  return fault
}

/** Asks as sites of today want it; where the site has the catalogue before, as that does. */
export async function inEitherCatalog<T>(today: () => Promise<T>, before: () => Promise<T>): Promise<T> {
  try {
    return await today()
  } catch (error) {
    if (error instanceof Fault && otherwise.has(error)) return await before()
    throw error
  }
}

/** A sentence for people, and with it what is wrong in particular. */
export function reasonIn(body: unknown): string | null {
  if (!isFields(body)) return null
  const details = isFields(body['details']) ? body['details'] : {}
  const error = isFields(details['applicationError']) ? details['applicationError'] : {}
  const [sentence, detail] = [maybeText(body, 'message'), maybeText(error, 'description')]
  const said = sentence ?? maybeText(body, 'error_description') ?? maybeText(body, 'error')
  return [said, detail === said ? null : detail].filter((part) => part !== null).join(' ') || null
}

/** The code by which programs know an error. */
export function codeIn(body: unknown): string | null {
  const details = isFields(body) && isFields(body['details']) ? body['details'] : {}
  return isFields(details['applicationError']) ? maybeText(details['applicationError'], 'code') : null
}
