import type { Static, TObject } from 'typebox'
import type { ConnectorAuth } from './connector/auth.ts'
import type { Acknowledgement, Customers, Inventory, Orders, Products, Refunds, Shipments } from './connector/parts.ts'
import type { ProxyRules, RemoteRules } from './connector/remote-rules.ts'
import type { ConnectorWebhooks } from './connector/webhooks.ts'
import type { AnyFields } from './shop.ts'

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
