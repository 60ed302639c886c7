import type { Static, TObject } from 'typebox'
import type { Annotates, Annotation, Capture, Hold, Release, ShipmentCancellation } from './changes/order-change.ts'
import type { PriceResult, PriceSetting } from './changes/price.ts'
import type { ConnectorAuth } from './connector-auth.ts'
import type { ConnectorWebhooks } from './connector-webhooks.ts'
import type { RemoteCustomer } from './customer.ts'
import type { InventoryLevel, InventoryResult, InventorySetting } from './inventory.ts'
import type { OrderChoice, OrderDraft, OrderLine, RemoteOrder, RemoteReturn } from './order.ts'
import type { ProductChoice, ProductDraft, RemoteProduct } from './product.ts'
import type { WantedLineCancellation, WantedRefund } from './refund.ts'
import type { Remote, RemoteAnswer, RemoteRequest } from './remote.ts'
import type { ShopStatus } from './rules/order-words.ts'
import type { MissingRight } from './rules/rights.ts'
import type { RemoteShipment, ShipmentAmendment, ShipmentDraft } from './shipment.ts'
import type { AnyFields, Shop, ShopFacts } from './shop.ts'

/**
 * A connector is the code that talks to one kind of shop. It is a plain value in a folder of its own
 * (`src/connectors/<type>/`), made with `connector({…})` and listed in `src/connectors/index.ts`:
 *
 * ```ts
 * export const acme = connector({
 *   type: 'acme',
 *   name: 'Acme Shops',
 *   settings: object({ region: optional(choice(['eu', 'us'])) }),
 *   auth: typedKeys({ credentials: object({ api_key: text() }), checkAccess: async (shop) => { … } }),
 *   remote: {
 *     origin: ({ shop }) => `https://${shop}`,
 *     authenticate: (request, { api_key }) => ({ ...request, headers: { ...request.headers, 'x-key': api_key } }),
 *     budgets: { default: { capacity: 40, perSecond: 2 } },
 *   },
 *   orders: { list: listOrders, get: getOrder, translate: toOrder },
 * })
 * ```
 *
 * What the rest of the program reads off this value, so that nothing about a shop is written anywhere else:
 *
 * - `settings` and `auth.credentials` are the install form, the 422s and the documentation.
 * - The parts that are there (`orders`, `products`, `inventory`, `shipments`, `refunds`, `acknowledgement`, `webhooks`) are
 *   what
 *   the service can do: its capability list and the actions that may be run on it (`action.ts`). A part that is
 *   missing is a capability the platform does not have. There are no "supports" flags that could lie.
 *
 * Rules a connector lives by, checked for every one of them by the conformance suite:
 *
 * 1. It is an island: it imports `src/lib`, `src/commerce` and its own folder. It never sees the database, the clock,
 *    the environment or another connector.
 * 2. It reaches out only through the `remote` it is handed. It does not retry, throttle or log; `remote` does.
 * 3. Translators (`translate`, `webhooks.verify`, `webhooks.read`, `remote.authenticate`, …) are pure: the same input
 *    gives the same output, and nothing else happens. They are tested on recorded answers of the platform.
 * 4. A translator throws on a record it cannot understand. It never guesses, and never drops a field it was asked for:
 *    the engine sets that one record aside with the reason, and the rest goes on.
 * 5. What fails is said with `refused`, `credentialsRefused` or `shopAway` of `remote.ts`. Anything else is a bug.
 */
export interface Connector<Settings = AnyFields, Credentials = AnyFields> {
  /** The service type: `^[a-z0-9][a-z0-9_-]*$`. Part of addresses and rows, so it stays the same for ever. */
  type: string
  /** What people call the platform. */
  name: string
  description?: string
  /** An SVG that we drew ourselves, square, without text, script or reference to anything outside of it. */
  logo?: string
  /** What the merchant may or must say besides the address of the shop. Not secret: it is shown again. */
  settings: TObject
  /**
   * What a `shop` of this platform looks like, beyond being a bare host name. The text is matched as it is stored:
   * lower case, no scheme, no path.
   */
  shopPattern?: RegExp
  /** One that fits, for whoever gave another. */
  shopExample?: string
  /** The shop that a page of the platform's own is about: `admin.shopify.com/store/acme` is `acme.myshopify.com`. */
  shopOfPage?: (page: URL) => string | null
  auth: ConnectorAuth<Settings, Credentials>
  remote: RemoteRules<Settings, Credentials>
  orders?: Orders<Settings, Credentials>
  products?: Products<Settings, Credentials>
  inventory?: Inventory<Settings, Credentials>
  /** Who has an account in the shop. Asked for, and not kept here. */
  customers?: Customers<Settings, Credentials>
  shipments?: Shipments<Settings, Credentials>
  /** Only where the platform lets money be paid back by its API. */
  refunds?: Refunds<Settings, Credentials>
  /** Only where the platform itself expects acknowledgements; elsewhere it is our own flag. */
  acknowledgement?: Acknowledgement<Settings, Credentials>
  webhooks?: ConnectorWebhooks<Settings, Credentials>
  /** How often a shop may be asked for news by the clock, where the platform allows less than every five minutes. */
  readEveryMinutes?: number
  /** What `services-request` and `resource/{resource}` may reach. Nothing, where it is missing. */
  proxy?: ProxyRules
}

/* The way there ------------------------------------------------------------------------------------------------- */

export interface RemoteRules<Settings, Credentials> {
  /**
   * Scheme and host that all calls to this shop go to, such as `https://acme.example`, with a base path if there is
   * one. Made from the stored integration alone: no caller ever chooses a host.
   */
  origin(facts: ShopFacts<Settings>): string
  /**
   * Further hosts of the same platform, by name, as a request's `origin` chooses them: where tokens are given, where
   * another of its interfaces lives. Made as `origin` is.
   */
  origins?: Readonly<Record<string, (facts: ShopFacts<Settings>) => string>>
  /**
   * Hosts, or endings of them that begin with a dot, from which the platform lets its files be fetched by an address that
   * it gave us. Nothing of ours goes there, credentials least of all.
   */
  downloads?: readonly string[]
  /** The request as this shop takes it, where the shop is set up otherwise than most. Pure; asked before it is signed. */
  route?(request: RemoteRequest, facts: ShopFacts<Settings>): RemoteRequest
  /**
   * The request with the credentials on it. Also used for proxied requests, which is why it stands apart. Who signs
   * requests signs `call.url`, and takes time and nonce from there.
   */
  authenticate(
    request: RemoteRequest,
    credentials: Credentials,
    facts: ShopFacts<Settings>,
    call: RemoteCall,
  ): RemoteRequest
  /**
   * The platform's own limits, by name: a bucket of `capacity` that refills by `perSecond`. Shared by all work on the
   * same shop. `default` is what a request pays from that names none.
   */
  budgets: { default: Budget } & Readonly<Record<string, Budget>>
  /**
   * What the platform says is left of limits that our registration has, where it can be asked for that: when a bucket is new,
   * about every hour, and after the platform has turned us away. `remote` knows no credentials.
   */
  limits?(remote: Remote, client: AnyFields): Promise<readonly ReportedLimit[]>
  /** Where an answer says more than its status: limits in headers, errors with status 200. */
  read?(answer: RemoteAnswer, request: RemoteRequest): AnswerReading
  /**
   * A shop that lives inside this process and answers by itself; no call leaves the machine then. Null for one that is
   * outside after all.
   */
  inProcess?(request: RemoteRequest, facts: ShopFacts<Settings>): Promise<RemoteAnswer> | null
}

export interface RemoteCall {
  /** The whole address without the request's query. */
  url: string
  /** Unix time. */
  seconds: number
  /** Never the same twice. */
  nonce: string
}

export interface Budget {
  capacity: number
  perSecond: number
  /**
   * Whose limit it is: that of each shop, or one of our registration with the platform, which all shops that came by it
   * share. `shop` where it is left out.
   */
  scope?: 'shop' | 'application'
}

/** A limit as the platform itself counts it: so many in a window of time, which begins anew as a whole. */
export interface ReportedLimit {
  /** The budget that it is. */
  name: string
  limit: number
  remaining: number
  windowSeconds: number
  resetsInSeconds: number
}

export interface AnswerReading {
  /** As the status says, unless the body says otherwise: `ok` is an answer that the connector understands, whatever its status. */
  verdict?: 'ok' | 'throttled' | 'unauthorized' | 'away'
  retryAfterSeconds?: number
  /** The answer is no because the credentials may not do this, although they are right. */
  missingRight?: MissingRight
  /** The answer is there, but for what the credentials may not see: nothing stands in its place. */
  withheld?: MissingRight
  /** What the platform says is left, which beats our own count; some report only how fast it refills. */
  budget?: { name: string; remaining?: number; capacity?: number; perSecond?: number }
}

export interface ProxyRules {
  /** Paths below these may be asked for: `/admin/orders` allows itself and `/admin/orders/5`. */
  prefixes: readonly string[]
  /** Names for `GET /resource/{resource}`, and the path each stands for. */
  resources: Readonly<Record<string, string>>
}

/* Reading ------------------------------------------------------------------------------------------------------- */

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

/**
 * Where listing all orders of a large shop would take days and keep new ones out. The index then tells each order in outline.
 */
export interface Outlines {
  /** How many orders the first reading takes from the list; where there are more, the older ones come by the index. */
  afterListing: number
  /** Of so many that a page of the index brings, each is read at once; where it brings more, they are stored in outline. */
  atOnce: number
}

/* Writing ------------------------------------------------------------------------------------------------------- */

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
  /** Takes the money that is only reserved, all of it. */
  capture?: Write<Settings, Credentials, Capture, RemoteOrder>
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
  set?: Write<Settings, Credentials, readonly InventorySetting[], readonly InventoryResult[]>
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

/* Making one ---------------------------------------------------------------------------------------------------- */

type Definition<S extends TObject, C extends TObject> = Omit<Connector<Static<S>, Static<C>>, 'settings' | 'auth'> & {
  settings: S
  auth: ConnectorAuth<Static<S>, Static<C>, C>
}

/**
 * Checks the types of a connector against its own schemas, then lays them aside: the program treats all connectors
 * alike, and hands each one only what it has checked with that connector's schemas.
 */
export function connector<S extends TObject, C extends TObject>(definition: Definition<S, C>): Connector {
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(definition.type)) throw new Error(`"${definition.type}" is no service type.`)
  return definition as unknown as Connector
}
