import type { Db } from '../../runtime/db/connection.ts'
import { emitOf } from '../events/emit-events.ts'
import { newEvent } from '../events/event.ts'
import type { LevelPlace } from './inventory.ts'
import { levelMark, markForStock } from './stock-mark-store.ts'

export interface LevelChange extends LevelPlace {
  quantity: number
  updated_at: string
}

/** Emits events of stock levels in the transaction that changed them, and marks them for the stock that shops share. */
export async function emitLevels(
  trx: Db,
  integrationId: number,
  type: 'inventory.updated' | 'inventory.deleted',
  levels: readonly LevelChange[],
): Promise<void> {
  if (levels.length === 0) return
  await emitOf(trx, integrationId, [type], levels, ({ sku, location, remote_id, quantity, updated_at }) => [
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
  await markForStock(trx, integrationId, () => levels.map(({ sku }) => levelMark(sku)))
}
