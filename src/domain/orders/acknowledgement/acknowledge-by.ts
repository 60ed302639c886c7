import type { AcknowledgementClock } from '../../../commerce/connector/parts.ts'
import type { Connectors, Described } from '../../../commerce/connectors.ts'
import { hoursAfter } from '../../../lib/timestamp.ts'
import type { OrderRecord } from '../order-record-store.ts'

/**
 * How long the platform of an integration waits for an acknowledgement; null where there is no deadline.
 * A description of a service has no word for it, and need not be read for that.
 */
export const clockOf = (
  { connectors }: { connectors: Connectors },
  { type, definition }: Described,
): AcknowledgementClock | null => (definition === null ? (connectors.get(type)?.acknowledgement?.clock ?? null) : null)

type Timed = Pick<OrderRecord, 'status' | 'remote_status' | 'placed_at' | 'acknowledged_at' | 'deleted_at'>

/**
 * Until when the platform waits for the acknowledgement of an order; null once it no longer does. An order that was made
 * here has no word of the platform, and nobody waits for it.
 */
export function acknowledgeBy(clock: AcknowledgementClock | null, order: Timed): string | null {
  const { status, remote_status: word, placed_at: placedAt } = order
  if (clock === null || placedAt === null || word === null || !clock.runsIn.includes(word)) return null
  const waits = status === 'PENDING' && order.acknowledged_at === null && order.deleted_at === null
  return waits ? hoursAfter(placedAt, clock.hours) : null
}
