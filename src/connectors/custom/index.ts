import { type Granted, typedKeys } from '../../commerce/connector/auth.ts'
import type { Connector } from '../../commerce/connector.ts'
import { type Definition, definitionSchema } from '../../commerce/definition/definition.ts'
import type { Format } from '../../commerce/definition/place.ts'
import type { AnyFields, Shop, ShopFacts } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { asOneRecord } from '../../lib/expressions/expression.ts'
import { object, text } from '../../lib/validation/fields.ts'
import { validate } from '../../lib/validation/validate.ts'
import { authenticate, checkAccess, checkRights, credentialsOf } from './auth.ts'
import { refundsOf } from './create-refund.ts'
import { setLevels } from './inventory.ts'
import { cancelOrder, getWhole } from './orders.ts'
import { listChanged } from './pages.ts'
import { createShipment, findShipment } from './shipments.ts'
import { elsewhere, originOf as tokenOrigin } from './tokens/ask-for-token.ts'
import { logIn } from './tokens/log-in.ts'
import { byBrowser, grantToClient } from './tokens/oauth.ts'
import { toOrder } from './translate-order.ts'
import { toLevel, toProduct } from './translate-product.ts'
import { webhooksOf } from './webhooks.ts'

const made = new WeakMap<object, Connector>()

/** The connector of a service that is described instead of programmed; undefined if the description no longer fits. */
export function customConnector(type: string, stored: unknown): Connector | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined
  const known = made.get(stored)
  if (known?.type === type) return known
  const checked = validate(definitionSchema, stored)
  if (!checked.ok) return undefined
  const connector = connectorFrom(type, checked.value)
  made.set(stored, connector)
  return connector
}

function connectorFrom(type: string, definition: Definition): Connector {
  const { origin, auth, budget, orders, products, inventory, shipments, refunds, webhooks, proxy } = definition
  const tokensFrom = tokenOrigin(auth.login?.address ?? auth.oauth?.token_address)
  return {
    type,
    name: type,
    settings: settingsOf(origin),
    auth: authOf(definition),
    remote: {
      origin: (facts) => originOf(origin, facts),
      ...(tokensFrom !== null && { origins: { [elsewhere]: () => tokensFrom } }),
      authenticate: (request, credentials) => authenticate(auth, request, credentials),
      budgets: { default: { capacity: budget?.capacity ?? 10, perSecond: budget?.per_second ?? 2 } },
    },
    ...(orders && { orders: ordersOf(type, definition, orders) }),
    ...(products && { products: productsOf(definition, products) }),
    ...(inventory && { inventory: inventoryOf(definition, inventory) }),
    ...(shipments && { shipments: shipmentsOf(definition, shipments) }),
    ...(refunds && orders && { refunds: refundsOf(ordersOf(type, definition, orders), orders, refunds.create) }),
    ...(webhooks && { webhooks: webhooksOf(webhooks) }),
    ...(proxy && { proxy: proxyOf(proxy) }),
  }
}

/** What the merchant types opens the shop by itself, brings a token that does, or is not typed at all. */
function authOf(definition: Definition): Connector['auth'] {
  const { auth, origin } = definition
  const { oauth } = auth
  const credentials = credentialsOf(auth)
  const checks = {
    remains: say('remains_custom'),
    checkAccess: (shop: Shop) => checkAccess(definition, shop),
    checkRights: (shop: Shop) => checkRights(definition, shop),
  }
  if (auth.kind === 'authorization_code' && oauth) {
    return byBrowser({ oauth, credentials, checks, originOf: (facts) => originOf(origin, facts) })
  }
  const grant = grantOf(auth)
  return typedKeys<AnyFields, AnyFields>({
    credentials,
    ...checks,
    ...(grant && { open: async (shop) => ({ ...(await grant(shop)), settings: shop.settings }), refresh: grant }),
  })
}

function grantOf(auth: Definition['auth']): ((shop: Shop) => Promise<Granted<AnyFields>>) | null {
  const { kind, login, oauth } = auth
  if (kind === 'login' && login) return (shop) => logIn(auth, login, shop)
  if (kind === 'client_credentials' && oauth) return (shop) => grantToClient(auth, oauth, shop)
  return null
}

const baseUrl = text({
  pattern: '^https?://[A-Za-z0-9.-]+(?::\\d{1,5})?(?:/[A-Za-z0-9._~/-]*)?$',
  description: 'Where the shop answers.',
})

const settingsOf = ({ from }: Definition['origin']) => object(from === 'setting' ? { base_url: baseUrl } : {})

/** From the definition and the stored integration alone; whether it may be reached is for the way out to say. */
function originOf(
  { from, address, base_path: base = '' }: Definition['origin'],
  { shop, settings }: ShopFacts,
): string {
  if (from === 'fixed') return `${address}${base}`
  if (from === 'shop') return `https://${shop}${base}`
  const merchantUrl = settings['base_url']
  return `${typeof merchantUrl === 'string' ? merchantUrl.replace(/\/+$/, '') : `https://${shop}`}${base}`
}

function ordersOf(
  type: string,
  definition: Definition,
  rules: NonNullable<Definition['orders']>,
): NonNullable<Connector['orders']> {
  const format = formatOf(definition, rules)
  const translate = (raw: unknown) => asOneRecord(raw, () => toOrder(type, rules, format, raw))
  return {
    list: (shop, query) => listChanged(shop, rules, query, format),
    get: (shop, remoteId) => getWhole(shop, rules, remoteId, format),
    translate,
    ...(rules.returns && { returns: true as const }),
    statuses: async () => rules.statuses.map(({ theirs, ours }) => ({ word: theirs, name: theirs, means: ours })),
    ...(rules.cancel && {
      cancel: {
        repeatable: true,
        send: (shop, input) => cancelOrder(shop, { rules, format, toOrder: translate }, input),
      },
    }),
  }
}

function productsOf(
  definition: Definition,
  rules: NonNullable<Definition['products']>,
): NonNullable<Connector['products']> {
  const format = formatOf(definition, rules)
  const { get } = rules
  return {
    list: (shop, query) => listChanged(shop, rules, query, format),
    translate: (raw) => asOneRecord(raw, () => toProduct(rules, format, raw)),
    ...(get && { get: (shop, remoteId) => getWhole(shop, { ...rules, get }, remoteId, format) }),
  }
}

function inventoryOf(
  definition: Definition,
  rules: NonNullable<Definition['inventory']>,
): NonNullable<Connector['inventory']> {
  const format = formatOf(definition, rules)
  return {
    locations: rules.fields.location_remote_id !== undefined,
    list: (shop, query) => listChanged(shop, rules, query, format),
    translate: (raw) => asOneRecord(raw, () => toLevel(rules, format, raw)),
    ...(rules.set && { set: { repeatable: true, send: (shop, settings) => setLevels(shop, rules, settings) } }),
  }
}

/** How a part of the service writes amounts and times: as the whole does, but for what it says itself. */
const formatOf = ({ format }: Definition, part: { format?: Format } | undefined): Format => ({
  ...format,
  ...part?.format,
})

/** What may be repeated is; else the order itself says whether the parcel is there. */
function shipmentsOf(
  definition: Definition,
  { create }: NonNullable<Definition['shipments']>,
): NonNullable<Connector['shipments']> {
  const { orders } = definition
  const rules = { create, orders, format: formatOf(definition, orders) }
  const safe = create.repeatable === true || create.idempotency_header !== undefined
  return {
    partial: create.lines !== undefined,
    create: {
      send: (shop, draft, operation) => createShipment(shop, rules, draft, operation),
      ...(safe
        ? { repeatable: true }
        : { repeatable: false, confirm: (shop, draft) => findShipment(shop, rules, draft) }),
    },
  }
}

const proxyOf = ({ prefixes, resources = [] }: NonNullable<Definition['proxy']>) => ({
  prefixes,
  resources: Object.fromEntries(resources.map(({ name, path }) => [name, path])),
})
