import type { AnswerReading } from '../../commerce/connector/remote-rules.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import { reasonIn } from './ask.ts'

export const where =
  'the Permissions page of the app in its dashboard at dev.wix.com, or the permissions of the API key (Wix Stores, Wix eCommerce)'

/** So many calls a minute for each site. No answer says what is left. */
export const budgets = { default: { capacity: 200, perSecond: 200 / 60 } }

/** What a path is about, for those who have to allow it: `/ecom/v1/orders/search` is about orders. */
const areas: readonly (readonly [path: RegExp, name: string])[] = [
  [/^\/ecom\/v1\/(payments|order-billing)/, 'order payments'],
  [/^\/ecom\/v1\/fulfillments/, 'order fulfillments'],
  [/^\/ecom/, 'orders'],
  [/inventory/, 'inventory'],
  [/^\/stores\/v3\/locations/, 'store locations'],
  [/^\/stores/, 'products'],
]

/** Tokens that are not taken at all are 401. */
export function readAnswer({ status, body }: RemoteAnswer, { path }: Pick<RemoteRequest, 'path'>): AnswerReading {
  if (status !== 403) return {}
  const permission = /perform\s+([\w.-]+)/i.exec(reasonIn(body) ?? '')?.[1]
  const area = areas.find(([pattern]) => pattern.test(path))?.[1] ?? path
  return { missingRight: { name: permission ?? `the permission for ${area}`, where } }
}
