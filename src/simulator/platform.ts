import type { Call, Route } from './http/route.ts'
import type { PlatformFacts } from './options.ts'
import type { Variant } from './shop/goods.ts'
import type { ShopOrder } from './shop/order.ts'
import type { World } from './world.ts'

export type Credentials = Readonly<Record<string, string>>

/**
 * The imitation of one platform: its routes, limits, ways in, signed messages, errors and oddities as the real one has
 * them, over a shop that is the same for all.
 */
export interface Platform {
  /** Keys or tokens of a family of their own, as an install form would take them. */
  issue(seconds?: number): Credentials
  route(call: Call): Route
  /** The body that the platform sends with a bad status. */
  errorBody(status: number): unknown
  /** Ends the token of this call, and all of them, where tokens end. */
  expire?(call: Call): void
  expireAll?(): void
  /** Its own names for what `/_truth` shows. */
  orderId(index: number): string
  /** The id, if orders have no other number. */
  orderNumber?(order: ShopOrder): string
  /** Where an order stands, in the platform's own word. */
  remoteStatus(order: ShopOrder): string
  /** Whether it knows which parcels have arrived. */
  tellsArrival?: boolean
  /** PENDING, SHIPPED, DELIVERED or CANCELLED, where that does not follow from the stage. */
  orderStatus?(order: ShopOrder): string
  /** What it shows as the total, where that is not always the order's own: pending orders without amounts. */
  shownTotal?(order: ShopOrder): number
  /** The moment, rounded as this platform shows it: whole seconds by default. */
  shown?(moment: number): number
  productId(index: number): string
  variantId(variant: Variant): string
  /** Nothing where the platform knows stock by article only. */
  locationId?: ((location: number) => string) | null
  /** Where it differs from the usual: the name of the shop, no settings, what `issue` gives, no operator that has to be known. */
  install?: Partial<Install>
  /**
   * Names of hosts that the platform has for all its shops, such as `api.ebay.com`. Calls for them are led here by
   * `EGRESS_ROUTE`; a shop with an address of its own needs none.
   */
  hosts?: readonly string[]
  /** What the connector keeps of a shop, where that is not what `issue` gives: a family of tokens. */
  keep?(seconds?: number): Credentials
  /** Of the form that `keep` gives, and never taken. */
  wrong: Credentials
  /** How many records of a kind the platform lists, where that differs from the truth: articles instead of products. */
  counts?: Readonly<Partial<Record<'orders' | 'products' | 'inventory', () => number>>>
  /** Messages as it sends them after changes, signed for whoever registered, or is registered there, with that secret. */
  messages?(secret: string): readonly Message[]
}

/** What to put into an installation of the connector. */
export interface Install {
  type: string
  /** As the merchant types it. */
  shop: string
  settings: Readonly<Record<string, unknown>>
  /** What the merchant types; null where the only way in leads through the browser. */
  credentials: Credentials | null
  /** How the platform knows the operator of the connector, where it wants to: client id, client secret. */
  client: Credentials
}

export interface Message {
  headers: Readonly<Record<string, string>>
  body: string
}

export interface PlatformDefinition extends PlatformFacts {
  open(world: World): Platform
}
