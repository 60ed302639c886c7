import type { AnswerReading } from '../../commerce/connector.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'

/** What new apps are given: ten in a second, and ten thousand in a day, which every answer reports anew. */
export const budgets = { default: { capacity: 10, perSecond: 10 } }

const daySeconds = 86_400

/** Once little is left of the day, no more is asked than comes back meanwhile: the day slides along. */
export function readAnswer({ headers }: RemoteAnswer): AnswerReading {
  const [second, left, day, today] = [
    'limit-per-second',
    'remaining-this-second',
    'limit-per-day',
    'remaining-today',
  ].map((name) => Number.parseFloat(headers[`x-${name}`] ?? ''))
  if (!isCount(second) || !isCount(left) || second === 0) return {}
  const isShort = isCount(day) && isCount(today) && today < day * 0.05
  const perSecond = isShort && day > 0 ? Math.min(second, day / daySeconds) : second
  return { budget: { name: 'default', remaining: left, capacity: second, perSecond } }
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
