import { sql } from 'kysely'
import type { AcknowledgementClock } from '../../../commerce/connector/parts.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { lockCounted } from '../../../runtime/db/lists/row-counters.ts'
import type { EventOrder } from '../order-events.ts'

/** Orders whose acknowledgement deadline is near, and that have not been reported. */

/** In the last hour of its time an order is reported. A first sync does not report what is overdue for more than a day. */
const earliest = 1
const latest = 24

/** Of those that `acknowledgeBy` has a time for. By `placed_at` the search is bound to a day of orders (`orders_placed`). */
const isDue = ({ hours, runsIn }: AcknowledgementClock) => sql`
  placed_at <= now() - make_interval(hours => ${hours - earliest})
  and placed_at > now() - make_interval(hours => ${hours + latest})
  and status = 'PENDING' and remote_status = any(${[...runsIn]}::text[])
  and acknowledged_at is null and acknowledgement_reported_at is null and deleted_at is null`

/** Which of these integrations (few, please) have such orders. */
export async function integrationsWithDueOrders(
  db: Db,
  integrationIds: readonly number[],
  clock: AcknowledgementClock,
): Promise<number[]> {
  if (integrationIds.length === 0) return []
  const { rows } = await sql<{ integration_id: number }>`
    select distinct integration_id from orders
    where integration_id = any(${[...integrationIds]}::bigint[]) and ${isDue(clock)}`.execute(db)
  return rows.map((row) => row.integration_id)
}

export interface DueOrder extends EventOrder {
  placed_at: string
}

/**
 * Marks such orders as reported and returns them, the most urgent first. Under the lock of the integration: nobody else
 * takes the same ones, and none is acknowledged meanwhile. `updated_at` stays, since nothing that anybody reads changes.
 */
export async function takeDueOrders(
  trx: Db,
  integrationId: number,
  { clock, limit }: { clock: AcknowledgementClock; limit: number },
): Promise<DueOrder[]> {
  if ((await lockCounted(trx, integrationId)) === null) return []
  const { rows } = await sql<DueOrder>`
    update orders set acknowledgement_reported_at = now()
    where integration_id = ${integrationId} and id = any(array(
      select id from orders where integration_id = ${integrationId} and ${isDue(clock)}
      order by placed_at, id limit ${limit}))
    returning integration_id, id, remote_id, number, status, payment_status, fulfillment_status, currency, total, placed_at,
      updated_at`.execute(trx)
  return rows.sort((a, b) => (a.placed_at < b.placed_at ? -1 : a.placed_at > b.placed_at ? 1 : a.id - b.id))
}
