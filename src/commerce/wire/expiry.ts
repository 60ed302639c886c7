import { toTimestamp } from '../../lib/timestamp.ts'
import type { Fields } from '../reading.ts'
import type { RemoteAnswer } from '../remote.ts'

/** When tokens end: reckoned from when the shop says it gave them. Null where it does not say either. */
export function expiryOf({ headers }: RemoteAnswer, { expires_in: seconds }: Fields): string | null {
  const given = Date.parse(headers['date'] ?? '')
  if (Number.isNaN(given) || typeof seconds !== 'number' || seconds <= 0) return null
  return toTimestamp(new Date(given + seconds * 1000))
}
