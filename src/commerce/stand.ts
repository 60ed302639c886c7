import type { Delivery, WebhookSecrets } from './connector-webhooks.ts'
import type { RemoteAnswer, RemoteRequest } from './remote.ts'
import type { AnyFields, ShopFacts } from './shop.ts'

/**
 * An imitation of a platform, as small as it can be, on which the conformance suite tries a connector: one shop in
 * memory that keeps what is changed in it. Each connector brings its own as `stand.ts`, with `makeStand` in it. It is
 * test data that happens to answer: nothing in the program imports it.
 *
 * Requests that reach it, and what it answers, are held against the platform's own specifications wherever these are
 * there (`specifications`).
 */
export interface PlatformStand {
  facts: ShopFacts
  /** What would be kept, sealed, of this shop. */
  credentials: AnyFields
  /** Of the same form, and refused. */
  wrong: AnyFields
  /** What a merchant types to open the shop with keys; null where nobody can. */
  typed: AnyFields | null
  /** How the platform knows us; empty where it does not. */
  client: AnyFields
  /** What comes back for a request that has left the house, complete with address, query and credentials. */
  answer(call: StandCall): RemoteAnswer | Promise<RemoteAnswer>
  /** How many there are of each kind that the connector reads. Some more than fit on one page. */
  counts: Readonly<Partial<Record<'orders' | 'products' | 'inventory', number>>>
  /** The id of an order that may be sent or cancelled; another one each time. */
  openOrder(): string
  /** Statuses that mean something else on this platform than they usually do. */
  statuses?: Readonly<Record<number, 'unauthorized' | 'throttled' | 'away'>>
  /** Messages as this shop sends them after orders have changed, signed for whoever registered with that secret. */
  messages?(secret: string): readonly Delivery[]
  /** What these are verified with; the secret of the registration unless told. */
  secrets?(secret: string): WebhookSecrets
  /**
   * The platform signs for everybody with a key of its own: a message is genuine wherever it arrives, and only the shop
   * that it names says where it belongs. All who hold that shop may believe it.
   */
  signsForAll?: true
  /** Changes that were carried out more than once although they are one; empty if all is well. */
  doubles(): readonly string[]
  specifications: readonly VendorSpecification[]
}

export interface StandCall {
  /** As it goes over the wire, but without the query. */
  url: string
  request: RemoteRequest
}

/** A file below the folder of official specifications, and which requests it is about. */
export type VendorSpecification =
  | {
      kind: 'openapi'
      file: string
      /** What comes before the paths of the file, such as `/wp-json/wc/v3`; also as a pattern. */
      base: string | RegExp
      /** Parts of the specification that are known to be wrong, each with the reason; matched against what is reported. */
      wrong?: readonly { report: RegExp; because: string }[]
    }
  | { kind: 'graphql'; file: string; path: string | RegExp }
  | {
      /** The index of a WordPress site: routes and their arguments. It says nothing about answers. */
      kind: 'wordpress'
      file: string
      base: string | RegExp
      wrong?: readonly { report: RegExp; because: string }[]
    }
  | {
      /** A JSON Schema of records: what lists of them hold, each under the name of its list. */
      kind: 'records'
      file: string
      base: string | RegExp
      /** The definition of each list's records. */
      records: Readonly<Record<string, string>>
      wrong?: readonly { report: RegExp; because: string }[]
    }
