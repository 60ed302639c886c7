export interface InventoryItem {
  sku: string
  quantity: number
  location?: string | null
}

/** A level as a shop has reported it. */
export interface SyncedLevel {
  sku: string
  /** '' where the shop knows only one place. */
  location: string
  quantity: number
  remote_id: string
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
