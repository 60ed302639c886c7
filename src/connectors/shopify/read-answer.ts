import type { AnswerReading } from '../../commerce/connector.ts'
import { type Fields, isFields } from '../../commerce/reading.ts'
import type { RemoteAnswer, RemoteRequest } from '../../commerce/remote.ts'

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
  const errors = (Array.isArray(body['errors']) ? body['errors'].filter(isFields) : []).map((error) =>
    within(error, 'extensions'),
  )
  const codes = errors.map(({ code }) => code)
  const denied = errors.find(({ code }) => code === 'ACCESS_DENIED')
  if (denied) return { missingRight: { name: scopeIn(denied), where } }
  const reading = readBucket(within(within(body, 'extensions'), 'cost'), codes.includes('THROTTLED'))
  return codes.includes('INTERNAL_SERVER_ERROR') ? { ...reading, verdict: 'away' } : reading
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
