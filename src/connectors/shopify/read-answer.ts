import type { AnswerReading } from '../../commerce/connector/remote-rules.ts'
import { type Fields, isFields } from '../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'
import type { MissingRight } from '../../commerce/rules/rights.ts'

/** The smallest plan has a bucket of 2000 points that refills by 100 a second; each answer reports how it stands. */
export const budgets = { default: { capacity: 2000, perSecond: 100 } }

const anHour = 3600

export const where = 'Settings → Apps → Develop apps → the app → Configuration, or connect the shop again'

/** The scopes that it names; nothing where customer data as such was not granted. */
function scopeIn({ requiredAccess: named }: Fields): string {
  const scopes = typeof named === 'string' ? [...named.matchAll(/`(\w+)`/g)].map(([, scope]) => scope) : []
  return scopes.length > 0 ? scopes.join(' or ') : 'access to protected customer data'
}

/** Limits are reported in the body, where even "too much" and "broken" come with status 200. */
export function readAnswer({ status, body }: RemoteAnswer, { origin }: RemoteRequest): AnswerReading {
  // The storage that bulk results lie in has limits of its own.
  if (origin !== undefined) return {}
  // A shop that has not paid its bill, or is locked: it may come back.
  if (status === 402 || status === 423) return { verdict: 'away', retryAfterSeconds: anHour }
  if (status === 430) return { verdict: 'throttled' }
  if (!isFields(body)) return {}
  const errors = Array.isArray(body['errors']) ? body['errors'].filter(isFields) : []
  const codes = errors.map((error) => within(error, 'extensions')['code'])
  const denied = errors.filter(isDenied)
  const lost = denied.find((error) => !isWithheld(error, body))
  if (lost) return { missingRight: rightIn(lost) }
  const [withheld] = denied
  const reading = {
    ...readBucket(within(within(body, 'extensions'), 'cost'), codes.includes('THROTTLED')),
    ...(withheld ? { withheld: rightIn(withheld) } : {}),
  }
  return codes.includes('INTERNAL_SERVER_ERROR') ? { ...reading, verdict: 'away' } : reading
}

const isDenied = (error: Fields): boolean => within(error, 'extensions')['code'] === 'ACCESS_DENIED'

const rightIn = (error: Fields): MissingRight => ({ name: scopeIn(within(error, 'extensions')), where })

/** A field within the answer that is null because we may not see it: the rest of the answer is as it would be. */
export function isWithheld(error: Fields, { data }: Fields): boolean {
  const path = Array.isArray(error['path']) ? error['path'] : []
  return isDenied(error) && path.length > 1 && isFields(data) && data[String(path[0])] != null
}

function readBucket(cost: Fields, throttled: boolean): AnswerReading {
  const { currentlyAvailable: remaining, maximumAvailable: capacity, restoreRate } = within(cost, 'throttleStatus')
  if (!isCount(remaining) || !isCount(capacity) || !isCount(restoreRate) || restoreRate === 0) {
    return throttled ? { verdict: 'throttled' } : {}
  }
  const reading: AnswerReading = { budget: { name: 'default', remaining, capacity, perSecond: restoreRate } }
  if (!throttled) return reading
  const { requestedQueryCost: wanted } = cost
  const missing = isCount(wanted) ? Math.max(0, wanted - remaining) : 0
  return { ...reading, verdict: 'throttled', retryAfterSeconds: Math.max(0.1, missing / restoreRate) }
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0

const within = (fields: Fields, name: string): Fields => {
  const value = fields[name]
  return isFields(value) ? value : {}
}
