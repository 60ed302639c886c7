import { existsSync } from 'node:fs'
import type { ReadQuery } from '../../src/commerce/connector/reads.ts'
import type { Delivery } from '../../src/commerce/connector/webhooks.ts'
import type { Connector } from '../../src/commerce/connector.ts'
import { checkDefinition } from '../../src/commerce/definition/check-definition.ts'
import type { InventoryLevel } from '../../src/commerce/inventory.ts'
import type { OrderDraft } from '../../src/commerce/order.ts'
import type { RemoteAnswer, Transport } from '../../src/commerce/remote.ts'
import type { AnyFields, Shop } from '../../src/commerce/shop.ts'
import { customConnector } from '../../src/connectors/custom/index.ts'
import { connectors } from '../../src/connectors/index.ts'
import { checkShop, testCredentials } from '../../src/domain/install/install-integration.ts'
import { shopWith } from '../../src/domain/shop/shop-remote.ts'
import { createTransport } from '../../src/domain/shop/transport.ts'
import { createEgress } from '../../src/runtime/egress/egress.ts'
import { createLog } from '../../src/runtime/log.ts'
import type { Controls } from '../../src/simulator/control.ts'
import type { SimulatorOptions } from '../../src/simulator/options.ts'
import { platforms } from '../../src/simulator/platforms/index.ts'
import { openSimulator } from '../../src/simulator/simulator.ts'
import { startSimulator } from '../../src/simulator/start.ts'
import { described } from './described-services.ts'
import { type GivenStore, givenStore, onRealStores, readingOnly, wrongKeys } from './given-stores.ts'
import { inMemory } from './imitation.ts'
import type { PlatformFacts } from './platforms/platform-facts.ts'
import { routesOf } from './simulated.ts'
import { checkerOf, hasSpecifications } from './vendor-specification.ts'

/** A shop that a connector is tried on, whoever answers for it. */
export interface ConformanceShop {
  shop: Shop
  /** The same shop, opened with these; nothing is asked yet. */
  openWith(credentials: AnyFields): Promise<unknown>
  /** The same shop, if this was all it ever answered. */
  answering(answer: RemoteAnswer): Shop
  /** How many of each kind it holds; null where nobody knows. */
  counts: Readonly<Record<'orders' | 'products' | 'inventory', number>> | null
  /** How it is read, where that is not from the beginning and in small pages. */
  reads: Partial<ReadQuery>
  /** The same for what has to be read many times: of a real store not more than what changed last. */
  recent(): Promise<Partial<ReadQuery>>
  /** Credentials of the right form that it does not take. */
  wrong: AnyFields
  /** An order that may be sent, or cancelled, another one each time. */
  openOrder(purpose?: 'send' | 'cancel'): Promise<string>
  /** Takes away what a test has made, in stores that go on after it. */
  remove(kind: 'order' | 'product', remoteId: string): Promise<void>
  /** Makes the shop send messages, where it does. */
  change: (() => void) | null
  /** How the platform knows us, where its messages are signed with that. */
  client?: AnyFields
  simulator: Controls | null
  /** What is known of the platform. */
  platform?: PlatformFacts & {
    /** Messages as the shop sends them after orders have changed, signed for whoever registered with that secret. */
    messages?(secret: string): readonly Delivery[]
  }
  /** Changes that were carried out more than once although they are one. */
  doubles?(): readonly string[]
  violations?(): readonly string[]
  /** How the platform is asked, whoever answers. */
  transport?: Transport
  close(): Promise<void>
}

async function inProcess(): Promise<ConformanceShop> {
  const connector = connectors.get('sandbox')
  if (!connector) throw new Error('There is no sandbox.')
  const facts = { shop: 'tried.example.com', settings: { seed: 'tried', orders: 60 } }
  const transport: Transport = async () => {
    throw new Error('A shop in this process needs no wire.')
  }
  const shop = shopWith({ transport }, connector, facts, { api_key: 'good' })
  let made = 0
  return {
    shop,
    openWith: (credentials) => testCredentials({ transport }, connector, facts, credentials),
    answering: (answer) =>
      shopWith({ transport }, { ...connector, remote: { ...connector.remote, inProcess: async () => answer } }, facts, {
        api_key: 'good',
      }),
    ...wholly,
    counts: { orders: 60, products: 40, inventory: 40 },
    wrong: { api_key: 'bad' },
    async openOrder() {
      const draft = { reference: `open ${++made}`, currency: 'EUR', lines: [{ sku: 'SKU-00001-1', quantity: 2 }] }
      const order = await connector.orders?.create?.send(shop, draft, { id: `open ${made}` })
      return order?.remote_id ?? ''
    },
    remove: async () => {},
    change: null,
    simulator: null,
    close: async () => {},
  }
}

const wholly = { reads: {}, recent: async () => ({}) }

type ConformanceShops = Readonly<Record<string, () => Promise<ConformanceShop>>>

const sizes = { orders: 230, products: 30 }

/** Every exchange is held against the official specification, where that is at hand. */
function watched(transport: Transport, { specifications }: PlatformFacts) {
  const checkers = hasSpecifications ? specifications.map(checkerOf) : []
  const violations: string[] = []
  const watching: Transport = async (call) => {
    const answer = await transport(call)
    for (const check of checkers) violations.push(...(check(call, answer) ?? []))
    return answer
  }
  return { transport: watching, violations }
}

/** Services that are described are all on one platform, each in a manner of its own. */
async function platformOf({ type }: Connector): Promise<{ options: SimulatorOptions; platformFacts: PlatformFacts }> {
  const own = described.find((one) => one.type === type)
  if (own)
    return {
      options: { platform: 'custom', variant: { manner: own.manner }, ...sizes },
      platformFacts: {
        specifications: [],
        lacking: own.lacking,
        skusOnce: 'stock is set by SKU, as the service describes it',
      },
    }
  const { facts } = (await import(`./platforms/${type}.ts`)) as { facts: PlatformFacts }
  return { options: { platform: type, ...sizes }, platformFacts: facts }
}

/** The imitation of a connector's platform, in memory or over sockets: the same answers either way. */
async function imitation(connector: Connector, by: 'memory' | 'sockets'): Promise<ConformanceShop> {
  const { options, platformFacts } = await platformOf(connector)
  const memory = openSimulator(options)
  const running = by === 'sockets' ? await startSimulator(options) : null
  const routes = running ? routesOf(running) : new Map<string, string>()
  const egress = createEgress({ allow: ['127.0.0.1'], routes, log: createLog('silent') })
  const { transport, violations } = watched(running ? createTransport(egress) : inMemory(memory), platformFacts)
  const controls = running ?? memory
  const { shop, settings, credentials } = controls.install
  const facts = { shop, settings }
  const openWith = async (kept: AnyFields) =>
    await connector.auth.checkAccess(shopWith({ transport }, connector, facts, kept))
  // Keys are opened as the program does it; what only a browser brings is as the platform would have handed it over.
  const byBrowser = connector.auth.kind === 'oauth2' || credentials === null
  const opened = byBrowser
    ? { settings, credentials: controls.keep() }
    : await testCredentials({ transport }, connector, facts, credentials)
  const shopBy = (by: Transport) =>
    shopWith({ transport: by }, connector, { shop, settings: opened.settings }, opened.credentials)
  const used = new Set<string>()
  return {
    shop: shopBy(transport),
    openWith,
    answering: (answer) => shopBy(async () => answer),
    ...wholly,
    counts: memory.counts(),
    wrong: memory.wrong,
    async openOrder(purpose = 'send') {
      const stage = purpose === 'cancel' ? (platformFacts.cancels ?? 'paid') : 'paid'
      const order = controls
        .truth()
        .find(
          (one) =>
            one.stage === stage &&
            one.custom_status === null &&
            !one.acknowledged &&
            one.parcels === 0 &&
            !used.has(one.remote_id),
        )
      if (!order) throw new Error('No order is left.')
      used.add(order.remote_id)
      return order.remote_id
    },
    remove: async () => {},
    change: () => controls.change({ orders: 3, new_orders: 1, products: 1, inventory: 2 }),
    client: (running?.install ?? memory.install).client,
    simulator: controls,
    platform: {
      ...platformFacts,
      messages: (secret) =>
        memory.messages(secret).map(({ headers, body }) => ({
          ...{ method: 'POST', headers, query: {}, raw: Buffer.from(body) },
        })),
    },
    transport,
    doubles: () => controls.doubles().map(({ operation, key }) => `${operation} ${key}`),
    violations: () => violations,
    async close() {
      await running?.close()
      await egress.close()
    },
  }
}

/**
 * A real store. Orders are made in it to be sent and cancelled, where the platform can do that; else they have to be
 * named. What was made is removed in the end.
 */
async function realStore(connector: Connector, given: GivenStore): Promise<ConformanceShop> {
  const { facts: platform } = (await import(`./platforms/${connector.type}.ts`)) as { facts: PlatformFacts }
  const egress = createEgress({ allow: [given.url.hostname], log: createLog('silent') })
  const transport = createTransport(egress)
  const facts = { shop: given.shop, settings: given.settings }
  const typed = connector.auth.kind === 'keys' || connector.auth.typed !== undefined
  const tested = given.writes ? connector : readingOnly(connector)
  const opened = typed ? await testCredentials({ transport }, tested, facts, given.credentials) : given
  const shopBy = (by: Transport, credentials = opened.credentials) =>
    shopWith({ transport: by }, connector, { ...facts, settings: opened.settings }, credentials)
  const shop = shopBy(transport)
  const remove = async (kind: 'order' | 'product', id: string) => {
    if (platform.remove) await shop.remote.request(platform.remove(kind, id))
  }
  const reads = { updatedSince: given.since, limit: 100 }
  let recent: string | undefined
  const named = [...given.orders]
  const made: string[] = []
  const make = async (): Promise<string> => {
    const next = named.shift()
    if (next !== undefined) return next
    if (!connector.orders?.create) throw new Error('No order is named that may be sent or cancelled.')
    const id = `conformance ${crypto.randomUUID()}`
    const order = await connector.orders.create.send(shop, await draftFor(connector, shop), { id })
    made.push(order.remote_id)
    return order.remote_id
  }
  return {
    shop,
    openWith: async (credentials) => await connector.auth.checkAccess(shopBy(transport, credentials)),
    answering: (answer) => shopBy(async () => answer),
    counts: null,
    reads,
    async recent() {
      recent ??= await beginOfRecent(connector, shop, reads)
      return { ...reads, updatedSince: recent }
    },
    wrong: wrongKeys(opened.credentials),
    openOrder: make,
    remove,
    change: null,
    simulator: null,
    platform,
    transport,
    async close() {
      for (const id of made) await remove('order', id)
      await egress.close()
    },
  }
}

/** From when on a shop has no more than forty changed orders. */
async function beginOfRecent({ orders }: Connector, shop: Shop, reads: Partial<ReadQuery>): Promise<string> {
  const times: string[] = []
  const [from, to] = [reads.updatedSince ?? '1970-01-01T00:00:00.000000Z', '9999-01-01T00:00:00.000000Z']
  for (let cursor: string | null = null; orders; ) {
    const page: { next: string | null; times: string[] } = orders.index
      ? await orders
          .index(shop, { from, to, cursor })
          .then(({ next, items }) => ({ next, times: items.map(({ version }) => version) }))
      : await orders.list(shop, { ...query, ...reads, cursor }).then(({ next, items }) => ({
          next,
          times: items.map((raw) => orders.translate(raw, shop).remote_updated_at),
        }))
    times.push(...page.times)
    cursor = page.next
    if (cursor === null) break
  }
  return times.sort().at(-40) ?? from
}

const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

/** An article that can be named by its SKU, because no other has the same. */
export async function anyLevel({ inventory }: Connector, shop: Shop): Promise<InventoryLevel | null> {
  if (!inventory) return null
  const levels = (await inventory.list(shop, query)).items.map((raw) => inventory.translate(raw, shop))
  const places = (sku: string) => new Set(levels.filter((one) => one.sku === sku).map((one) => one.variant_remote_id))
  return levels.find(({ sku }) => sku !== '' && places(sku).size === 1) ?? null
}

/** Two of one article, in the money of the shop. */
export async function draftFor(connector: Connector, shop: Shop): Promise<OrderDraft> {
  const { orders } = connector
  const level = await anyLevel(connector, shop)
  const found = orders ? (await orders.list(shop, query)).items.map((raw) => orders.translate(raw, shop).currency) : []
  const often = (currency: string) => found.filter((one) => one === currency).length
  const [currency] = found.toSorted((one, other) => often(other) - often(one))
  if (!level || currency === undefined) throw new Error('The shop has no article with a SKU, or no order.')
  return {
    currency,
    lines: [{ sku: level.sku, title: 'Thing', quantity: 2, unit_price: '12' }],
    customer: { email: 'ada@example.com', first_name: 'Ada', last_name: 'Byron' },
    shipping_address: { first_name: 'Ada', last_name: 'Byron', line1: 'Dock 1', city: 'Gent', country_code: 'BE' },
    note: 'Ring twice.',
  }
}

/** Shops that take the credentials, but not for everything; `install` does what the program does. */
export async function lackingShopsOf(
  connector: Connector,
): Promise<{ right: RegExp; shop: Shop; install(): Promise<unknown> }[]> {
  const { options, platformFacts } = await platformOf(connector)
  return platformFacts.lacking.map(([variant, right]) => {
    const memory = openSimulator({ ...options, variant: { ...options.variant, ...variant } })
    const { credentials, ...facts } = memory.install
    const transport = inMemory(memory)
    const shop = shopWith({ transport }, connector, facts, memory.keep())
    return {
      ...{ right, shop },
      install: () =>
        credentials === null
          ? checkShop(connector, shop)
          : testCredentials({ transport }, connector, facts, credentials),
    }
  })
}

/** A shop of which two articles have the same SKU; why there is none, where the platform lets nobody do that. */
export async function twinShopOf(connector: Connector): Promise<{ shop: Shop; simulator: Controls } | string> {
  const { options, platformFacts } = await platformOf(connector)
  if (platformFacts.skusOnce !== undefined) return platformFacts.skusOnce
  const simulator = openSimulator({ ...options, orders: 5, variant: { ...options.variant, skus: 'twice' } })
  const { credentials, ...facts } = simulator.install
  const transport = inMemory(simulator)
  const opened =
    connector.auth.kind === 'oauth2' || credentials === null
      ? { settings: facts.settings, credentials: simulator.keep() }
      : await testCredentials({ transport }, connector, facts, credentials)
  const shop = shopWith({ transport }, connector, { ...facts, settings: opened.settings }, opened.credentials)
  return { shop, simulator }
}

/** A shop whose host drops the Authorization header, for platforms that merchants run themselves. */
export async function headerlessShopOf(
  connector: Connector,
): Promise<{ learns: AnyFields | 'said'; install(): Promise<unknown> } | null> {
  if (!platforms[connector.type]) return null
  const { options, platformFacts } = await platformOf(connector)
  if (!platformFacts.withoutHeader) return null
  const memory = openSimulator(options)
  const asked = inMemory(memory)
  const transport: Transport = ({ url, request }) => {
    const { authorization: _, ...headers } = request.headers ?? {}
    return asked({ url, request: { ...request, headers } })
  }
  const { shop, settings, credentials } = memory.install
  const typed = credentials ?? memory.keep()
  return {
    learns: platformFacts.withoutHeader,
    install: () => testCredentials({ transport }, connector, { shop, settings }, typed),
  }
}

/** Connectors that are no code but a definition, as tenants write them. */
export const describedConnectors: readonly Connector[] = described.flatMap(
  ({ type, definition }) => customConnector(type, checkDefinition(definition)) ?? [],
)

/** Where a connector is tried; one that brings nothing to be tried on fails the suite. */
export async function conformanceShopsOf(connector: Connector): Promise<ConformanceShops> {
  if (onRealStores) {
    const given = givenStore(connector)
    return given ? { [given.url.href]: () => realStore(connector, given) } : {}
  }
  const isDescribed = described.some(({ type }) => type === connector.type)
  const hasFacts = existsSync(new URL(`./platforms/${connector.type}.ts`, import.meta.url))
  if (isDescribed || (platforms[connector.type] && hasFacts)) {
    return {
      ...(connector.type === 'sandbox' ? { 'itself, in this process': inProcess } : {}),
      'its platform, in memory': () => imitation(connector, 'memory'),
      'its platform, over sockets': () => imitation(connector, 'sockets'),
    }
  }
  return {}
}

/** Every connector, two described services among them, with the shops that it is tried on. */
export const openConformance = (): Promise<{ type: string; connector: Connector; stands: ConformanceShops }[]> =>
  Promise.all(
    [...connectors.values(), ...describedConnectors].map(async (connector) => ({
      type: connector.type,
      connector,
      stands: await conformanceShopsOf(connector),
    })),
  )
