import { type OrderStatus, orderStatuses, orderStatusOf, type RemoteOrder } from '../order.ts'

/** A word that a shop has for where an order stands, whoever made it up. */
export interface ShopStatus {
  /** As `remote_status` shows it. */
  word: string
  /** As people in the shop read it. */
  name: string
  /** Null where that alone does not say. */
  means: RemoteOrder['status'] | null
}

export const shopStatuses = (
  table: Readonly<Record<string, RemoteOrder['status'] | null | undefined>>,
): readonly ShopStatus[] => Object.entries(table).map(([word, means = null]) => ({ word, name: word, means }))

/** What callers said before the words of the stored orders were the only ones. */
const former: Readonly<Record<string, readonly OrderStatus[]>> = {
  OPEN: ['PENDING'],
  COMPLETED: ['SHIPPED', 'DELIVERED'],
}

const ours = (word: string): readonly OrderStatus[] => {
  const upper = word.toUpperCase()
  return former[upper] ?? orderStatuses.filter((status) => status === upper)
}

/** What orders are wanted that are called by one of these words, ours first and then the shop's own. */
export interface WantedOrders {
  matches(order: RemoteOrder): boolean
  /** What the platform may be asked for instead of everything; empty is everything. */
  narrowing: readonly RemoteOrder['status'][]
}

/** Words that neither we nor the shop have. */
export const unknownWords = (words: readonly string[], theirs: readonly ShopStatus[]): string[] => {
  const known = new Set(theirs.map(({ word }) => word.toLowerCase()))
  const isTheirs = (word: string) => known.has(word) || word.split('/').every((part) => known.has(part))
  return words.filter((word) => ours(word).length === 0 && !isTheirs(word.toLowerCase()))
}

export function wantedOrders(words: readonly string[], theirs: readonly ShopStatus[]): WantedOrders {
  const statuses = new Set<OrderStatus>(words.flatMap(ours))
  const own = new Set(words.filter((word) => ours(word).length === 0).map((word) => word.toLowerCase()))
  const meant = theirs.filter(({ word }) => own.has(word.toLowerCase())).map(({ means }) => means)
  return {
    matches: (order) =>
      statuses.has(orderStatusOf(order)) ||
      // Acknowledgements are our own affair: in the shop such an order is one that waits.
      (statuses.has('ACKNOWLEDGED') && orderStatusOf(order) === 'PENDING') ||
      partsOf(order.remote_status).some((part) => own.has(part)),
    narrowing: narrowed([...[...statuses].map((status) => origins[status] ?? null), ...meant]),
  }
}

/** Some platforms have two words for an order, one for the money and one for the goods. */
const partsOf = (remoteStatus: string): string[] => {
  const word = remoteStatus.toLowerCase()
  return [word, ...word.split('/')]
}

/** The one answer of the shop's that a status comes from, where there is one. */
const origins: Readonly<Partial<Record<OrderStatus, RemoteOrder['status']>>> = {
  CANCELLED: 'cancelled',
  ON_HOLD: 'on_hold',
  PENDING: 'open',
  ACKNOWLEDGED: 'open',
}

const narrowed = (statuses: readonly (RemoteOrder['status'] | null)[]): RemoteOrder['status'][] => {
  const certain = statuses.filter((status) => status !== null)
  return certain.length === statuses.length ? [...new Set(certain)] : []
}
