import type { Db } from '../../runtime/db/connection.ts'
import { emitOf } from '../events/emit-events.ts'
import { newEvent } from '../events/event.ts'
import type { LevelPlace } from './inventory.ts'

export interface LevelChange extends LevelPlace {
  quantity: number
  updated_at: string
}

/** Emits events of stock levels in the transaction that changed them. */
export const emitLevels = (
  trx: Db,
  integrationId: number,
  type: 'inventory.updated' | 'inventory.deleted',
  levels: readonly LevelChange[],
): Promise<void> =>
  emitOf(trx, integrationId, [type], levels, ({ sku, location, remote_id, quantity, updated_at }) => [
    newEvent(
      type,
      { integrationId },
      {
        subject: `inventory:${integrationId}:${location}:${sku}`,
        data: {
          integration_id: integrationId,
          sku,
          location: location === '' ? null : location,
          remote_id: remote_id === '' ? null : remote_id,
          quantity,
          updated_at,
          href: `/api/2.0/app/inventory?integration_id=${integrationId}&sku=${encodeURIComponent(sku)}`,
        },
      },
    ),
  ])
