import type { InventoryLevel } from '../../commerce/inventory.ts'
import type { LevelPlace, SyncedLevel } from '../levels/inventory.ts'

export const syncedLevel = (level: InventoryLevel): SyncedLevel => ({
  sku: level.sku,
  location: level.location_remote_id ?? '',
  quantity: level.available,
  remote_id: level.variant_remote_id ?? level.sku,
  remote_version: level.updated_at,
})

/** A level has no id of its own. The database writes the same (`vanished-store.ts`). */
export const keyOfLevel = ({ sku, location, remote_id: id }: LevelPlace): string => `${location}\n${id}\n${sku}`

export function levelOfKey(key: string): LevelPlace {
  const [location = '', id = '', ...rest] = key.split('\n')
  return { location, remote_id: id, sku: rest.join('\n') }
}
