import { existsSync } from 'node:fs'
import type { Connector } from '../../src/commerce/connector.ts'
import type { Delivery } from '../../src/commerce/connector-webhooks.ts'
import { checkDefinition } from '../../src/commerce/definition/check-definition.ts'
import type { RemoteAnswer, Transport } from '../../src/commerce/remote.ts'
import type { AnyFields, Shop } from '../../src/commerce/shop.ts'
import { customConnector } from '../../src/connectors/custom/index.ts'
import { connectors } from '../../src/connectors/index.ts'
import { testCredentials } from '../../src/domain/install/install-integration.ts'
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
  /** Credentials of the right form that it does not take. */
  wrong: AnyFields
  /** An order that may be sent, or cancelled, another one each time. */
  openOrder(purpose?: 'send' | 'cancel'): Promise<string>
  /** Makes the shop send messages, where it does. */
  change: (() => void) | null
  /** How the platform knows us, where its messages are signed with that. */
  client?: AnyFields
  simulator: Controls | null
  /** What is known of the platform, where it is imitated. */
  platform?: PlatformFacts & {
    /** Messages as the shop sends them after orders have changed, signed for whoever registered with that secret. */
    messages(secret: string): readonly Delivery[]
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
    counts: { orders: 60, products: 40, inventory: 40 },
    wrong: { api_key: 'bad' },
    async openOrder() {
      const draft = { reference: `open ${++made}`, currency: 'EUR', lines: [{ sku: 'SKU-00001-1', quantity: 2 }] }
      const order = await connector.orders?.create?.send(shop, draft, { id: `open ${made}` })
      return order?.remote_id ?? ''
    },
    change: null,
    simulator: null,
    close: async () => {},
  }
}

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
      platformFacts: { specifications: [] },
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
    change: () => controls.change({ orders: 3 }),
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

/** Shops that take the credentials, but not for everything; `install` does what the program does. */
export async function lackingShopsOf(connector: Connector): Promise<{ right: RegExp; install(): Promise<unknown> }[]> {
  if (!platforms[connector.type]) return []
  const { options, platformFacts } = await platformOf(connector)
  return (platformFacts.lacking ?? []).map(([variant, right]) => {
    const memory = openSimulator({ ...options, variant })
    const { shop, settings, credentials } = memory.install
    const typed = credentials ?? memory.keep()
    return {
      right,
      install: () => testCredentials({ transport: inMemory(memory) }, connector, { shop, settings }, typed),
    }
  })
}

/** A shop whose host drops the Authorization header, where the platform has another way. */
export async function headerlessShopOf(
  connector: Connector,
): Promise<{ settings: AnyFields; install(): Promise<unknown> } | null> {
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
    settings: platformFacts.withoutHeader,
    install: () => testCredentials({ transport }, connector, { shop, settings }, typed),
  }
}

/** Connectors that are no code but a definition, as tenants write them. */
export const describedConnectors: readonly Connector[] = described.flatMap(
  ({ type, definition }) => customConnector(type, checkDefinition(definition)) ?? [],
)

/** Where a connector is tried; one that brings nothing to be tried on fails the suite. */
export async function conformanceShopsOf(connector: Connector): Promise<ConformanceShops> {
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
