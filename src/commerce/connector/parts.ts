import type {
  Annotates,
  Annotation,
  CaptureStanding,
  Hold,
  Release,
  ShipmentCancellation,
  WantedCapture,
} from '../changes/order-change.ts'
import type { PriceResult, PriceSetting } from '../changes/price.ts'
import type { RemoteCustomer } from '../customer.ts'
import type { InventoryLevel, InventoryResult, LevelName, LevelToSet } from '../inventory.ts'
import type { OrderChoice, OrderDraft, OrderLine, RemoteOrder, RemoteReturn } from '../order.ts'
import type { ProductChoice, ProductDraft, RemoteProduct } from '../product.ts'
import type { WantedLineCancellation, WantedRefund } from '../refund.ts'
import type { ShopStatus } from '../rules/order-words.ts'
import type { RemoteShipment, ShipmentAmendment, ShipmentDraft } from '../shipment.ts'
import type { Shop, ShopFacts } from '../shop.ts'
import type { RawPage, ReadQuery, Reads } from './reads.ts'

/** What a connector reads and changes, part by part. */

/**
 * A change in the shop. The network may swallow the answer: then nobody knows whether it happened. So every write
 * either does no harm when it is repeated, or brings the question that finds out.
 */
export type Write<Settings, Credentials, Input, Result> = {
  send(shop: Shop<Settings, Credentials>, input: Input, operation: Operation): Promise<Result>
} & (
  | { repeatable: true }
  | {
      repeatable: false
      /** What the write left behind if it did happen, null if it did not. Only reads. */
      confirm(shop: Shop<Settings, Credentials>, input: Input, operation: Operation): Promise<Result | null>
    }
)

export interface Operation {
  /** The same for every attempt at the same write: the platform's idempotency key, or a reference it keeps. */
  id: string
  /**
   * What the platform gave an earlier attempt to ask after the change with: some work on what they are sent for minutes. With
   * it a change is asked after and never sent again; then a refusal is the platform's answer to the change itself.
   */
  receipt?: string | null
  /** Keeps such a receipt. To be called as soon as there is one; `shopAway` then says when to ask. */
  keep?(receipt: string): Promise<void>
}

/**
 * Where listing all orders of a large shop would take days and keep new ones out. The index then tells each order in outline.
 */
export interface Outlines {
  /** How many orders the first reading takes from the list; where there are more, the older ones come by the index. */
  afterListing: number
  /** Of so many that a page of the index brings, each is read at once; where it brings more, they are stored in outline. */
  atOnce: number
}

export interface Orders<Settings, Credentials> extends Reads<Settings, Credentials, RemoteOrder> {
  get(shop: Shop<Settings, Credentials>, remoteId: string): Promise<unknown>
  /**
   * Lists leave out of some orders what only `get` tells, such as their parcels; those are `incomplete`. A second call for
   * each would hold up what is new: so an order that nobody knows is stored as far as it is told, one that is known stays
   * as it is, and the rest is asked for when the platform's limits allow it.
   */
  listsInPart?: true
  /** The words that this shop has for where an order stands: asked of the shop where merchants make up their own. */
  statuses(shop: Shop<Settings, Credentials>): Promise<readonly ShopStatus[]>
  /** Goods are sold by weight or length as well: quantities of lines need not be whole. */
  fractions?: true
  /** Orders bring what buyers send back, where the platform keeps a record of that; or there is a list of its own. */
  returns?: true | ReturnList<Settings, Credentials>
  create?: Write<Settings, Credentials, OrderDraft, RemoteOrder>
  /** What `create` takes of a draft besides what every platform does; anything else that is said is 422. */
  takes?: readonly OrderChoice[]
  /** How `create` takes prices, where the platform knows one way only: with tax in them, or without. */
  takesPricesWithTax?: boolean
  cancel?: Write<Settings, Credentials, Cancellation, RemoteOrder>
  /**
   * How many days back the platform shows orders at all, from when they were placed; null is for ever. Older ones are
   * neither expected nor asked for, and none counts as deleted because it is no longer there. Pure.
   */
  horizon?(facts: ShopFacts<Settings>): number | null
  outlines?: Outlines
  /** How far back and how often our copy may be compared with the shop, where its limits do not bear the default. */
  comparison?: Comparison
  /** For how many days after delivery the platform lets us keep who bought and where it went. For ever, if it is left out. */
  keepPersonalDataDays?: number
  /** Calls off some of an order that has not left yet. Only where the platform knows this of single lines. */
  cancelLines?: Write<Settings, Credentials, WantedLineCancellation, RemoteOrder>
  /** Writes for the people at the shop, where the platform keeps that with the order. */
  annotate?: Write<Settings, Credentials, Annotation, RemoteOrder> & Annotates
  /** Keeps an order from leaving until it is released. Only where the platform knows this, and not as a word among others. */
  hold?: Write<Settings, Credentials, Hold, RemoteOrder>
  release?: Write<Settings, Credentials, Release, RemoteOrder>
  /** Takes the money that is only reserved: all of it, or a part. */
  capture?: Capturing<Settings, Credentials>
}

export type Capturing<Settings, Credentials> = Write<Settings, Credentials, WantedCapture, RemoteOrder> & {
  /** Only where the platform takes parts: what is reserved now, and what has been taken. */
  standing?(shop: Shop<Settings, Credentials>, orderRemoteId: string): Promise<CaptureStanding>
}

/**
 * What buyers send back, where the platform lists it apart from orders. Orders say nothing of it then. It is read now and then, after
 * the orders, and put on those that it is about.
 */
export interface ReturnList<Settings, Credentials> {
  /** One page of what changed since, and more where the platform cannot be asked for changes. Empty where the shop has no such list. */
  list(shop: Shop<Settings, Credentials>, query: ReturnQuery): Promise<RawPage>
  /** Pure. Throws on what it does not understand. One record may concern several orders. */
  translate(raw: unknown, facts: ShopFacts<Settings>): readonly RemoteReturn[]
  /** At most so often; left out: every hour. */
  everyMinutes?: number
}

export interface ReturnQuery extends Omit<ReadQuery, 'statuses'> {
  /** When this reading began, by our clock. */
  now: string
}

/** `none`: listing orders costs more than the limits leave; only what changes is read. */
export type Comparison =
  | 'none'
  | {
      /** No comparison looks further back than this; left out: as far as the shop shows. */
      days?: number
      /** At most so often; left out: every day. */
      everyHours?: number
    }

export interface Cancellation {
  remoteId: string
  reason: string | null
  /** Left out: as the integration is set up. */
  notifyCustomer?: boolean
}

export interface Products<Settings, Credentials> extends Reads<Settings, Credentials, RemoteProduct> {
  /** Makes the product, or changes the one with that sku. */
  export?: Write<Settings, Credentials, ProductDraft, RemoteProduct>
  /** What `export` takes of a draft besides what every platform does; anything else that is said is 422. */
  takes?: readonly ProductChoice[]
  prices?: Prices<Settings, Credentials>
}

export interface Prices<Settings, Credentials> {
  set: Write<Settings, Credentials, readonly PriceSetting[], readonly PriceResult[]>
  /** Whether the price before a reduction can be set, and is read back. */
  compareAt: boolean
}

export interface Inventory<Settings, Credentials> extends Reads<Settings, Credentials, InventoryLevel> {
  set?: Write<Settings, Credentials, readonly LevelToSet[], readonly InventoryResult[]>
  /** `set` changes a level only from what is expected, in one step: what is sold in between is not overwritten. */
  compares?: true
  /** The levels of these articles as they are now, where a request or two answer for many: what was set is read back so. */
  levelsNow?(shop: Shop<Settings, Credentials>, names: readonly LevelName[]): Promise<readonly unknown[]>
  /** All levels of one article, by the id that a message names: where that costs less than all levels of all. */
  levelsOf?(shop: Shop<Settings, Credentials>, remoteId: string): Promise<readonly unknown[]>
  /** Whether levels are reported per location. */
  locations: boolean
}

export interface Customers<Settings, Credentials>
  extends Pick<Reads<Settings, Credentials, RemoteCustomer>, 'list' | 'translate'> {
  get(shop: Shop<Settings, Credentials>, remoteId: string): Promise<unknown>
}

export interface Shipments<Settings, Credentials> {
  create: Write<Settings, Credentials, ShipmentDraft, RemoteShipment>
  /** Corrects carrier, number and link of a parcel that was sent. Only where the platform can do that. */
  amend?: Write<Settings, Credentials, ShipmentAmendment, RemoteShipment>
  /** Takes a parcel back that did not leave after all: its goods are to be sent again. */
  cancel?: Write<Settings, Credentials, ShipmentCancellation, RemoteOrder>
  /** Whether an order may be sent in several parcels. */
  partial: boolean
}

export interface Refunds<Settings, Credentials> {
  create: Write<Settings, Credentials, WantedRefund, RemoteOrder>
  /** What may be said of it: an amount, lines with quantities, or either. */
  by: readonly ('amount' | 'lines')[]
  /** Whether goods can go back into stock along with it. */
  restock: boolean
  /** What the buyer paid for a whole line, tax included. */
  paidFor(line: OrderLine, order: RemoteOrder): string
  /** What may still go back, where that is not the total less what has been refunded. */
  left?(order: RemoteOrder): string
}

export type Acknowledgement<Settings, Credentials> = Write<
  Settings,
  Credentials,
  { remoteIds: readonly string[] },
  readonly AcknowledgeResult[]
> & {
  /** Where the platform has a deadline for it. */
  clock?: AcknowledgementClock
}

/** How long a platform waits for the acknowledgement of an order. */
export interface AcknowledgementClock {
  /** Whole hours from when the order was placed. */
  hours: number
  /**
   * The platform's own words (`remote_status`) for an order that has not been acknowledged. Under any other the clock has
   * stopped: somebody may have acknowledged the order on the platform itself.
   */
  runsIn: readonly string[]
}

export interface AcknowledgeResult {
  remoteId: string
  ok: boolean
  /** The platform's reason when it refused. */
  error: string | null
}
