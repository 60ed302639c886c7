import type { AnswerReading } from '../../commerce/connector/remote-rules.ts'
import { isFields } from '../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import { subtypeIn } from './ask.ts'

/** Permissions of a key that exists cannot be changed. */
export const where = 'Settings → Developer Tools → Developer API Keys, with a new key, or connect the site again'

/** Three hundred in a minute: what is there at once, and what comes back within the minute, are no more than that together. */
export const budgets = { default: { capacity: 30, perSecond: 4.5 } }

const pauseSeconds = 60

export function readAnswer(
  { status, headers, body }: RemoteAnswer,
  { method, path }: Pick<RemoteRequest, 'method' | 'path'>,
): AnswerReading {
  if (status === 403 && isRight(body)) return { missingRight: { name: rightFor(method, path), where } }
  // No answer says when to come back: it is a minute.
  if (status === 429 && headers['retry-after'] === undefined)
    return { verdict: 'throttled', retryAfterSeconds: pauseSeconds }
  return {}
}

const isRight = (body: unknown): boolean =>
  isFields(body) && body['type'] === 'AUTHORIZATION_ERROR' && [null, 'MISSING_SCOPE'].includes(subtypeIn(body))

const areas = [
  [/\/orders(\/|$)/, 'Orders'],
  [/\/inventory(\/|$)/, 'Inventory'],
  [/\/products(\/|$)/, 'Products'],
] as const

export const rightFor = (method: RemoteRequest['method'], path: string): string => {
  const [, area] = areas.find(([pattern]) => pattern.test(path)) ?? []
  return area === undefined ? 'a permission' : `${area} (${method === 'GET' ? 'Read Only' : 'Read and Write'})`
}
