import type { Db } from '../../runtime/db/connection.ts'
import { emitOf } from '../events/emit-events.ts'
import { newEvent } from '../events/event.ts'

export interface LevelChange {
  sku: string
  /** '' where the shop knows only one place. */
  location: string
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
  emitOf(trx, integrationId, [type], levels, ({ sku, location, quantity, updated_at }) => [
    newEvent(
      type,
      { integrationId },
      {
        subject: `inventory:${integrationId}:${location}:${sku}`,
        data: {
          integration_id: integrationId,
          sku,
          location: location === '' ? null : location,
          quantity,
          updated_at,
          href: `/api/2.0/app/inventory?integration_id=${integrationId}&sku=${encodeURIComponent(sku)}`,
        },
      },
    ),
  ])
