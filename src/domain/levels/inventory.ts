export interface InventoryItem {
  sku: string
  quantity: number
  location?: string | null
}

/** Which article, and where: several articles may have one SKU. */
export interface LevelPlace {
  sku: string
  /** '' where the shop knows only one place. */
  location: string
  /** The shop's id of the article, or its SKU where it has none; '' where the level was set here and is not the shop's. */
  remote_id: string
}

/** A level as a shop has reported it. */
export interface SyncedLevel extends LevelPlace {
  quantity: number
  remote_version: string | null
}

/** What became of one level. */
export interface InventoryOutcome {
  sku: string
  location: string | null
  quantity: number
  status: 'updated' | 'unchanged' | 'failed'
  error: string | null
}

/** One place and one article; the database writes "no place" as ''. */
export const levelKey = (item: { sku: string; location?: string | null }) =>
  JSON.stringify([item.sku, item.location ?? ''])
