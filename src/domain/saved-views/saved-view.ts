export interface Filter {
  name: string
  value: string
}

/** A list of the console as somebody likes to see it, under a name. Only that person has it, wherever the person signs in. */
export interface SavedView {
  id: number
  list: string
  name: string
  /** As they stand in the address; also the order, where the list has a choice of it. */
  filters: Filter[]
  /** By their heads; null as many as the list shows by itself. */
  columns: string[] | null
  created_at: string
  updated_at: string
}

/** The lists that can be seen in several ways. */
export const viewedLists = ['orders', 'products', 'stock', 'parcels', 'runs', 'messages', 'logs'] as const
export type ViewedList = (typeof viewedLists)[number]

export const maxFilters = 20
export const maxColumns = 30
