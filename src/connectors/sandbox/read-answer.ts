import type { AnswerReading, Budget } from '../../commerce/connector.ts'
import { type Fields, isFields } from '../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'

/** What the dialects allow, until an answer says otherwise. Market has one for each operation. */
export const budgets: { default: Budget } & Readonly<Record<string, Budget>> = {
  default: { capacity: 1000, perSecond: 1000 },
  shopify: { capacity: 2000, perSecond: 1000 },
  'market orders.list': { capacity: 10, perSecond: 4 },
  'market orders.get': { capacity: 20, perSecond: 10 },
  'market orders.acknowledge': { capacity: 20, perSecond: 5 },
  'market orders.cancel': { capacity: 5, perSecond: 2 },
  'market shipments.create': { capacity: 10, perSecond: 5 },
  'market items.list': { capacity: 5, perSecond: 2 },
  'market items.put': { capacity: 5, perSecond: 2 },
  'market inventory.list': { capacity: 5, perSecond: 2 },
  'market inventory.set': { capacity: 20, perSecond: 5 },
  'market seller.get': { capacity: 20, perSecond: 5 },
  'market items.get': { capacity: 20, perSecond: 5 },
  'market inventory.get': { capacity: 20, perSecond: 5 },
}

/** Limits are told in headers (market) or in the body (shopify), where even "too much" comes with status 200. */
export function readAnswer(answer: RemoteAnswer, { budget }: RemoteRequest): AnswerReading {
  if (budget === 'shopify') return readCost(isFields(answer.body) ? answer.body : {})
  const { headers } = answer
  const [remaining, capacity, perSecond] = ['x-rate-remaining', 'x-rate-burst', 'x-rate-limit'].map((name) =>
    Number.parseFloat(headers[name] ?? ''),
  )
  if (budget === undefined || !isCount(remaining) || !isCount(capacity) || !isCount(perSecond)) return {}
  return { budget: { name: budget, remaining, capacity, perSecond } }
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0

function readCost(body: Fields): AnswerReading {
  const cost = fieldIn(fieldIn(body, 'extensions'), 'cost')
  const bucket = fieldIn(cost, 'throttleStatus')
  const remaining = bucket['currentlyAvailable']
  const capacity = bucket['maximumAvailable']
  const perSecond = bucket['restoreRate']
  const [error] = Array.isArray(body['errors']) ? body['errors'].filter(isFields) : []
  const throttled = error !== undefined && fieldIn(error, 'extensions')['code'] === 'THROTTLED'
  if (!isCount(remaining) || !isCount(capacity) || !isCount(perSecond) || perSecond === 0) {
    return throttled ? { verdict: 'throttled' } : {}
  }
  const reading: AnswerReading = { budget: { name: 'shopify', remaining, capacity, perSecond } }
  if (!throttled) return reading
  const wanted = cost['requestedQueryCost']
  const missing = isCount(wanted) ? Math.max(0, wanted - remaining) : 0
  return { ...reading, verdict: 'throttled', retryAfterSeconds: Math.max(0.1, missing / perSecond) }
}

const fieldIn = (fields: Fields, name: string): Fields => {
  const value = fields[name]
  return isFields(value) ? value : {}
}
