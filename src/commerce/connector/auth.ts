import type { Static, TObject } from 'typebox'
import type { Wording } from '../../lib/words/wording.ts'
import type { Remote } from '../remote.ts'
import type { MissingRight } from '../rules/rights.ts'
import type { AnyFields, Shop, ShopFacts } from '../shop.ts'

/**
 * How a merchant opens the shop to us. Three families cover the platforms we know:
 *
 * - `oauth2`: the browser goes to the platform and comes back with a code that we exchange. With PKCE where the
 *   platform has it.
 * - `keyHandover`: the browser goes to the shop, and the shop itself posts the keys to us.
 * - `typedKeys`: the merchant copies keys into our form.
 *
 * The first two may take typed keys as well (`typed`), where a platform has both.
 *
 * All three end with credentials of the shape `credentials`, which are sealed, and with `checkAccess`, which asks the shop
 * something small before the integration becomes ACTIVE.
 */
export type ConnectorAuth<Settings = AnyFields, Credentials = AnyFields, C extends TObject = TObject> =
  | OAuth2<Settings, Credentials, C>
  | KeyHandover<Settings, Credentials, C>
  | TypedKeys<Settings, Credentials, C>

interface AnyAuth<Settings, Credentials, C extends TObject> {
  /** What is kept, sealed. For typed keys also the form. */
  credentials: C
  /** Resolves if the shop takes the credentials; else throws `credentialsRefused` or `shopAway`. Changes nothing. */
  checkAccess(shop: Shop<Settings, Credentials>): Promise<void>
  /**
   * What the credentials may not do of all that syncs, changes and webhooks will need. Changes nothing. Asked after
   * `checkAccess`, before the integration becomes ACTIVE.
   */
  checkRights?(shop: Shop<Settings, Credentials>): Promise<readonly MissingRight[]>
  /**
   * What the platform says it granted, where the answers with tokens do not say. Changes nothing. Asked after `checkAccess`,
   * and whenever the rights are looked at again.
   */
  readGranted?(shop: Shop<Settings, Credentials>): Promise<readonly string[] | null>
  /** What is left in the shop after an uninstall, and where the merchant removes it: one sentence. */
  remains?: Wording
}

export interface TypedKeys<Settings, Credentials, C extends TObject> extends AnyAuth<Settings, Credentials, C> {
  kind: 'keys'
  /**
   * Where what was typed is not what is kept: asked once, before `checkAccess`, for tokens in the place of keys, and for what
   * the shop itself says about how to call it. Throws as `checkAccess` does.
   */
  open?(shop: Shop<Settings, Credentials>): Promise<Opened<Settings, Credentials>>
  /** Where there is anything to refresh; everywhere, if it is left out. Pure. */
  refreshes?(facts: ShopFacts<Settings>, credentials: Credentials): boolean
  /** As for OAuth; there is no client but what is in the credentials. */
  refresh?(shop: Shop<Settings, Credentials>, client: AnyFields): Promise<Granted<Credentials>>
  /** Both as for OAuth. */
  takesPrevious?: boolean
  refreshTokenDays?: number
}

export interface KeyHandover<Settings, Credentials, C extends TObject> extends AnyAuth<Settings, Credentials, C> {
  kind: 'key_handover'
  typed?: TypedInstead<Settings, Credentials>
  /**
   * Where the browser is sent. The shop posts the keys to `callbackUrl` without any signature, so `state` must come
   * back with them, and it is valid once.
   */
  authorizeUrl(trip: Departure<Settings>): string
  /**
   * How the site at this address is asked, without credentials; `notTheShop` where it is none. Asked before a browser is
   * sent to an address that was copied from a page.
   */
  find?(shop: Omit<Shop<Settings, Credentials>, 'credentials'>): Promise<Settings>
  /** The state in what the shop posted, and the keys. Pure; null for what is none of ours. */
  readHandover(body: unknown): { state: string; credentials: Credentials } | null
  /**
   * The state in what the browser brings to `callbackUrl` afterwards, and whether the merchant has allowed it. Pure; null
   * for what is none of ours. Without it nobody could tell that whoever has allowed it also began it.
   */
  readReturn(query: Readonly<Record<string, string>>): { state: string; allowed: boolean } | null
}

export interface OAuth2<Settings, Credentials, C extends TObject> extends AnyAuth<Settings, Credentials, C> {
  kind: 'oauth2'
  typed?: TypedInstead<Settings, Credentials>
  /** Whether the platform takes a PKCE challenge (S256). If it does, one is always sent. */
  pkce: boolean
  /** What the platform gave us (or the app) when it was registered there: client id, client secret. */
  client: TObject
  scopes: readonly string[]
  authorizeUrl(trip: Departure<Settings>): string
  /** What the platform calls the code on the way back; `code` by default. */
  codeName?: string
  /**
   * Where the platform signs the way back or names the shop in it: whether it is genuine, and of the shop that we set out
   * for. Pure. Without it the state alone vouches.
   */
  verifyReturn?(query: Readonly<Record<string, string>>, client: AnyFields, facts: ShopFacts<Settings>): boolean
  /** Code for tokens. */
  exchange(trip: Return<Settings>): Promise<Exchanged<Settings, Credentials>>
  /**
   * New tokens for old ones; only one at a time per integration ever runs. Throws `credentialsRefused` when the grant
   * itself is gone, `shopAway` for anything that may pass.
   */
  refresh?(shop: Shop<Settings, Credentials>, client: AnyFields): Promise<Granted<Credentials>>
  /** The client that these belong to, where typed ones bring their own; null is ours. Pure. */
  ownClient?(credentials: Credentials): AnyFields | null
  /** As for typed keys: those that were typed instead have nothing to refresh. */
  refreshes?(facts: ShopFacts<Settings>, credentials: Credentials): boolean
  /** Whether the platform takes the tokens before once more while the new ones have not been used. */
  takesPrevious?: boolean
  /** How long what fetches new tokens lives without being used, where it does not live for ever: it is used in time. */
  refreshTokenDays?: number
  /** Revokes our access at the platform; its answer does not matter. */
  revoke?(shop: Shop<Settings, Credentials>, client: AnyFields): Promise<void>
  /** Where merchants also install from the platform's own pages. Not together with PKCE: nobody set out from here. */
  platformSide?: PlatformSide<Credentials>
}

/**
 * Installations that begin at the platform: its pages send browsers, and itself messages, that bring no state of ours.
 * All of it is pure.
 */
export interface PlatformSide<Credentials = AnyFields> {
  /** The shop that a call is about, and when it was made; null for what the platform did not sign for this client. */
  readCall(call: PlatformCall, client: AnyFields): { shop: string; at: string } | null
  /** The shop that a code without a state says it is for, where the platform sends such: its exchange decides. */
  shopOfCode?(query: Readonly<Record<string, string>>): string | null
  /** Whether the platform gave these to its app; false for those that were typed. */
  isGranted(credentials: Credentials): boolean
  /** The one address where the platform answers this client, where it is not the common one. */
  callbackUrl?(client: AnyFields): string | null
  /** Where the platform shows our pages in its own: sources that may frame them. */
  frames?: readonly string[]
}

export interface PlatformCall {
  /** Somebody opens the app there; has removed it; may no longer use it there. */
  kind: 'open' | 'uninstall' | 'user_removed'
  query: Readonly<Record<string, string>>
  /** Unix time. */
  seconds: number
}

/** Tokens, and when they end. */
export interface Granted<Credentials> {
  credentials: Credentials
  /** Null: they do not. */
  expiresAt: string | null
  /** The scopes that came with them, where the platform says so: `granted` of the shop from then on. */
  scopes?: readonly string[]
  /**
   * Until when the merchant has agreed, whatever is refreshed meanwhile; null is for ever. Left out where this answer does
   * not say: what was known stays.
   */
  consentEndsAt?: string | null
}

/** Beside the tokens, what the platform said about the shop: its id there, its region. Joins the settings. */
export interface Exchanged<Settings, Credentials> extends Granted<Credentials> {
  settings?: Partial<Settings>
  /** The platform's own id of the shop, which stays when its name changes: `identityOf` of its messages. */
  identity?: string
}

/**
 * Keys that the merchant made in the shop, in the place of the way through the browser: those of custom apps and API
 * accounts. What is kept has the one shape of `credentials` all the same.
 */
export interface TypedInstead<Settings, Credentials> {
  /** The fields of the form. */
  form: TObject
  /** What is kept of the form once it has been checked. Pure. */
  keep(typed: AnyFields, facts: ShopFacts<Settings>): Credentials
  /** As for typed keys: where what was typed is not yet what opens the shop. */
  open?(shop: Shop<Settings, Credentials>): Promise<Opened<Settings, Credentials>>
}

/** What is kept of a shop that was opened with typed keys. */
export interface Opened<Settings, Credentials> extends Granted<Credentials> {
  settings: Settings
}

export interface Departure<Settings> extends ShopFacts<Settings> {
  /** Empty for platforms that need no registration. */
  client: AnyFields
  /** Who asks to be let in, as the merchant knows it; null where the integration belongs to no app. */
  appName?: string | null
  state: string
  /** Where the platform answers. */
  callbackUrl: string
  scopes: readonly string[]
  /** Present if the connector said `pkce: true`. */
  codeChallenge: string | null
}

export interface Return<Settings> extends ShopFacts<Settings> {
  client: AnyFields
  query: Readonly<Record<string, string>>
  callbackUrl: string
  codeVerifier: string | null
  /** Without credentials on it. */
  remote: Remote
}

type Without<T> = Omit<T, 'kind'>

// Nothing but the schema names the types where a connector has no use for them: `never` fits any.
export const typedKeys = <S = never, K = never, C extends TObject = TObject>(
  auth: Without<TypedKeys<S, K, C>>,
): TypedKeys<S, K, C> => ({
  kind: 'keys',
  ...auth,
})
export const keyHandover = <S = never, C extends TObject = TObject>(
  auth: Without<KeyHandover<S, Static<C>, C>>,
): KeyHandover<S, Static<C>, C> => ({
  kind: 'key_handover',
  ...auth,
})
export const oauth2 = <S = never, C extends TObject = TObject>(
  auth: Without<OAuth2<S, Static<C>, C>>,
): OAuth2<S, Static<C>, C> => ({
  kind: 'oauth2',
  ...auth,
})
