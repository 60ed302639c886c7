import { toTimestamp } from '../../lib/timestamp.ts'
import type { Fields } from '../reading.ts'
import type { RemoteAnswer } from '../remote.ts'

/** When tokens end: reckoned from when the shop says it gave them. Null where it does not say either. */
export const expiryOf = (answer: RemoteAnswer, { expires_in: seconds }: Fields): string | null => endOf(answer, seconds)

/** So many seconds from when the shop says it answered. */
export function endOf({ headers }: RemoteAnswer, seconds: unknown): string | null {
  const given = Date.parse(headers['date'] ?? '')
  if (Number.isNaN(given) || typeof seconds !== 'number' || seconds <= 0) return null
  return toTimestamp(new Date(given + seconds * 1000))
}
