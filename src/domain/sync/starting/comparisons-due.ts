import type { Connector } from '../../../commerce/connector.ts'
import { toTimestamp } from '../../../lib/timestamp.ts'
import { provenAt, wholeAt } from '../completeness.ts'
import { type SyncKind, syncKinds } from '../sync.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const windowDays = 30
const wholeEveryDays = 7

/** What one comparison is to look at; no kinds named is all of them. */
export interface DueComparison {
  resources?: readonly SyncKind[]
  updated_since: string | null
}

/**
 * Over the last month, and once a week from the beginning. Where a platform's limits do not bear that for orders, they are
 * compared apart from the rest: no further back and no more often than its connector says, or not at all.
 */
export function comparisonsDue(
  connector: Pick<Connector, 'orders' | 'products' | 'inventory'>,
  { completeness, now }: { completeness: unknown; now: number },
): DueComparison[] {
  const whole = wholeAt(completeness)
  const isWholeDue = whole === null || Date.parse(whole) < now - wholeEveryDays * dayMs
  const since = isWholeDue ? null : before(now, windowDays)
  const limits = connector.orders?.comparison
  if (limits === undefined) return [{ updated_since: since }]
  const others = syncKinds.filter((kind) => kind !== 'orders' && connector[kind] !== undefined)
  const rest = others.length === 0 ? [] : [{ resources: others, updated_since: since }]
  if (limits === 'none' || !isDue(limits.everyHours, { completeness, now })) return rest
  const days = Math.min(limits.days ?? Number.POSITIVE_INFINITY, since === null ? Number.POSITIVE_INFINITY : windowDays)
  return [{ resources: ['orders'], updated_since: Number.isFinite(days) ? before(now, days) : null }, ...rest]
}

function isDue(everyHours: number | undefined, { completeness, now }: { completeness: unknown; now: number }): boolean {
  const last = provenAt(completeness, 'orders')
  return last === null || everyHours === undefined || Date.parse(last) <= now - everyHours * hourMs
}

const before = (now: number, days: number): string => toTimestamp(new Date(now - days * dayMs))
