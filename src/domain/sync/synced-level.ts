import type { InventoryLevel } from '../../commerce/inventory.ts'
import type { SyncedLevel } from '../levels/inventory.ts'

export const syncedLevel = (level: InventoryLevel): SyncedLevel => ({
  sku: level.sku,
  location: level.location_remote_id ?? '',
  quantity: level.available,
  remote_id: level.variant_remote_id ?? level.sku,
  remote_version: level.updated_at,
})

/** A level has no id of its own. The database writes the same (`vanished-store.ts`). */
export const keyOfLevel = ({ sku, location }: Pick<SyncedLevel, 'sku' | 'location'>): string => `${location}\n${sku}`

export function levelOfKey(key: string): { sku: string; location: string } {
  const cut = key.indexOf('\n')
  return { location: key.slice(0, cut), sku: key.slice(cut + 1) }
}
