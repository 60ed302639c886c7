import type { AnswerReading } from '../../commerce/connector/remote-rules.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { reasonIn } from './ask.ts'

export const where = 'the page that Etsy shows when the shop is connected again'

/** What new apps are given: ten in a second, and ten thousand in a day, which every answer reports anew. Listings are asked for by state, twice. */
export const budgets = {
  default: { capacity: 10, perSecond: 10, perDay: 10_000, scope: 'application', reads: { orders: 1, catalogue: 10 } },
} as const

const daySeconds = 86_400

/** Once little is left of the day, no more is asked than comes back meanwhile: the day slides along. */
export function readAnswer({ status, headers, body }: RemoteAnswer): AnswerReading {
  const reason = status === 403 ? (reasonIn(body) ?? '') : ''
  if (/scope/i.test(reason)) return { missingRight: { name: scopesIn(reason), where } }
  const [second, left, day, today] = [
    'limit-per-second',
    'remaining-this-second',
    'limit-per-day',
    'remaining-today',
  ].map((name) => Number.parseFloat(headers[`x-${name}`] ?? ''))
  if (!isCount(second) || !isCount(left) || second === 0) return {}
  const reported = { name: 'default', remaining: left, capacity: second }
  if (!isCount(day) || !isCount(today) || day === 0) return { budget: { ...reported, perSecond: second } }
  const perSecond = today < day * 0.05 ? Math.min(second, day / daySeconds) : second
  return { budget: { ...reported, perSecond, perDay: day, dayLeft: today } }
}

const scopesIn = (reason: string): string => reason.match(/\b[a-z]+_[rwd]\b/g)?.join(', ') ?? 'a scope'

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
