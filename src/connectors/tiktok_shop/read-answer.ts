import type { AnswerReading } from '../../commerce/connector/remote-rules.ts'
import { isFields } from '../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import type { MissingRight } from '../../commerce/rules/rights.ts'
import { reasonIn } from './ask.ts'

/** TikTok Shop tells nobody how many calls it takes, and takes some fifty a second of each kind from a shop. */
export const budgets = { default: { capacity: 20, perSecond: 10 } }

const expired = 105_002
const denied = 105_005
const invalidParameter = 36_009_004
const tooMany: readonly number[] = [36_009_002, 12_052_109]
const internal: readonly number[] = [36_009_003, 36_009_007, 10_006_402, 12_001_000, 12_052_881, 33_001_002]

/** Refusals come with any status, also with 200; a right that is missing comes with that of wrong credentials. */
export function readAnswer({ status, body }: RemoteAnswer, { path }: RemoteRequest): AnswerReading {
  const code = isFields(body) ? body['code'] : null
  if (typeof code !== 'number' || code === 0) return {}
  if (code === denied) return { missingRight: rightFor(path) }
  if (code === expired) return { verdict: 'unauthorized' }
  if (code === invalidParameter && /access_token|app_key/i.test(reasonIn(body) ?? ''))
    return { verdict: 'unauthorized' }
  if (tooMany.includes(code)) return { verdict: 'throttled' }
  return internal.includes(code) && status !== 401 ? { verdict: 'away' } : {}
}

const where = 'the app in the TikTok Shop Partner Center → Manage API; then authorize the shop again'

const rights: Readonly<Record<string, string>> = {
  order: 'seller.order.info',
  product: 'seller.product.basic and seller.product.write',
  fulfillment: 'seller.fulfillment.basic',
  logistics: 'seller.logistics',
  return_refund: 'seller.return_refund.basic',
  authorization: 'seller.authorization.info',
}

/** The scope that opens what is below a path. */
export function rightFor(path: string): MissingRight {
  const api = path.split('/')[1] ?? ''
  return { name: rights[api] ?? `a scope for ${api}`, where }
}
