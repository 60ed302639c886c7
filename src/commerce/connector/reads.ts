import type { RemoteOrder } from '../order.ts'
import type { Shop, ShopFacts } from '../shop.ts'

/** How a connector reads. */

export interface Reads<Settings, Credentials, Item> {
  /**
   * One page of what changed since, oldest change first where the platform can do that, so that a page that has been
   * stored never has to be read again. Items come as the platform sent them.
   */
  list(shop: Shop<Settings, Credentials>, query: ReadQuery): Promise<RawPage>
  /** One by its id in the shop, as the platform sent it; null if there is none. */
  get?(shop: Shop<Settings, Credentials>, remoteId: string): Promise<unknown>
  /** Several by their ids, where that costs hardly more than one. Those that the shop no longer has are left out. */
  getSeveral?(shop: Shop<Settings, Credentials>, remoteIds: readonly string[]): Promise<readonly unknown[]>
  /** Pure. Throws on what it does not understand. */
  translate(raw: unknown, facts: ShopFacts<Settings>): Item
  /**
   * Ids and versions alone, for proving that our copy is complete. Leave it out where the platform has no cheaper way
   * than `list`.
   */
  index?(shop: Shop<Settings, Credentials>, window: IndexWindow): Promise<IndexPage>
}

export interface ReadQuery {
  /** Everything that changed at or after this moment; null is from the beginning. */
  updatedSince: string | null
  /** Of orders: others may be left out, and need not be. Empty is all. */
  statuses: readonly RemoteOrder['status'][]
  /** What the page before gave as `next`; null is the first page. */
  cursor: string | null
  /** As many as asked for, or fewer where the platform allows no more. */
  limit: number
}

export interface RawPage {
  items: readonly unknown[]
  /** Opaque to everybody but the connector. Null after the last page; never null because a page happened to be empty. */
  next: string | null
  /** How many there are in all, where the platform says so. */
  total: number | null
}

export interface IndexWindow {
  from: string
  to: string
  cursor: string | null
}

export interface IndexPage {
  items: readonly IndexItem[]
  next: string | null
}

export interface IndexItem {
  remoteId: string
  version: string
  /** The record as far as the index tells it, for `translate`: marked as incomplete, and of a version just before this one. */
  outline?: unknown
}
