import type { Outlines } from '../../commerce/connector/parts.ts'
import type { IndexPage, IndexWindow, RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { Connector } from '../../commerce/connector.ts'
import type { Shop, ShopFacts } from '../../commerce/shop.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { SyncKind } from './sync.ts'

/** A record of the shop, translated into what is stored. */
export interface SyncRecord<Row = unknown> {
  /** What identifies it among the others of its kind. */
  key: string
  updatedAt: string | null
  row: Row
}

/** How the records of one kind are read from a shop. */
export interface ShopReads<Row = unknown> {
  list(shop: Shop, query: ReadQuery): Promise<RawPage>
  /** Throws on what it does not understand. */
  read(raw: unknown, facts: ShopFacts): SyncRecord<Row>
  get: ((shop: Shop, key: string) => Promise<unknown>) | undefined
  getSeveral: ((shop: Shop, keys: readonly string[]) => Promise<readonly unknown[]>) | undefined
  /** Several at once of which one is named: all levels of an article. */
  levelsOf?: ((shop: Shop, remoteId: string) => Promise<readonly unknown[]>) | undefined
  /** Lists leave out of some records what only `get` tells. */
  listsInPart?: boolean | undefined
  index: ((shop: Shop, window: IndexWindow) => Promise<IndexPage>) | undefined
  /** Where records come in outline first, from the index. */
  outlines?: Outlines | undefined
  /** How many days back the shop shows them. For ever, where it is left out or null. */
  horizon?: ((facts: ShopFacts) => number | null) | undefined
}

export interface Stored {
  inserted: number
  updated: number
  unchanged: number
  /** Which ones they were, where somebody wants to know. */
  changed?: readonly { remoteId: string; isNew: boolean }[]
  /** The versions that were held before, without what the shop had no longer. */
  versions?: ReadonlyMap<string, string | null>
}

/** What differs between orders, products and stock levels; everything else about syncing them is the same. */
export interface Kind<Row = unknown> {
  name: SyncKind
  /** Undefined where the service has nothing of the kind. */
  reads(connector: Connector): ShopReads<Row> | undefined
  /** When it was placed, where records are kept by that. */
  placedAt?(row: Row): string | null
  /** Ids for those that may be new; taken before the transaction. */
  takeIds(db: Db, integrationId: number, input: { keys: readonly string[]; allNew: boolean }): Promise<number[]>
  store(
    trx: Db,
    integrationId: number,
    batch: { ids: readonly number[]; rows: readonly Row[]; runId: number | null; source?: 'shop' | 'webhook' },
  ): Promise<Stored>
  /** The shop has newer versions of these, which are to be read. */
  markIncomplete?(trx: Db, integrationId: number, keys: readonly string[]): Promise<void>
  /** They are no longer in the shop. How many went. */
  remove(trx: Db, integrationId: number, keys: readonly string[]): Promise<number>
}
