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

/** A shop, opened: what every part that talks to it is handed first. */
export interface Shop<Settings = AnyFields, Credentials = AnyFields> extends ShopFacts<Settings> {
  credentials: Credentials
  remote: Remote
}
