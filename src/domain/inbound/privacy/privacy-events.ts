import type { Db } from '../../../runtime/db/connection.ts'
import { newEvent } from '../../events/event.ts'
import { emitEvents } from '../../events/event-store.ts'

/** Which orders, and nothing of whom: who may see more asks for it. */
export const notifyApps = (
  trx: Db,
  integrationId: number,
  type: 'privacy.data_requested' | 'privacy.redacted',
  { orderIds, at }: { orderIds: number[]; at: string },
): Promise<void> =>
  emitEvents(trx, [
    newEvent(
      type,
      { integrationId },
      {
        subject: `integration:${integrationId}`,
        data: {
          integration_id: integrationId,
          order_ids: orderIds,
          requested_at: at,
          href: `/api/2.0/app/integrations/${integrationId}`,
        },
      },
    ),
  ])
