import type { Remote } from './remote.ts'

export type AnyFields = Record<string, unknown>

/** What is known about a shop without opening any secret: enough for translators. */
export interface ShopFacts<Settings = AnyFields> {
  /** The host name as the integration holds it. */
  shop: string
  settings: Settings
  /** Scopes or rights that the platform says it granted; null or left out where it does not say. */
  granted?: readonly string[] | null
}

/** Articles, by the names that changes of stock and prices call them by. */
export interface ArticleNames {
  skus: readonly string[]
  /** The shop's ids of variants. */
  variantIds: readonly string[]
}

/** A shop, opened: what every part that talks to it is handed first. */
export interface Shop<Settings = AnyFields, Credentials = AnyFields> extends ShopFacts<Settings> {
  credentials: Credentials
  remote: Remote
  /**
   * The shop's ids of the products that have these articles, as far as our copy knows: a hint where to look, for platforms
   * that cannot look up articles themselves. Missing where there is no copy.
   */
  productsWith?(names: ArticleNames): Promise<readonly string[]>
  /** The same for all who use one opening of the shop, whatever they watch or limit of it. */
  opening?: object
  /** The same for all openings of the shop in this process, while it lies where it does. */
  lasting?: object
}
