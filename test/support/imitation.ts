import type { Connector } from '../../src/commerce/connector.ts'
import type { RemoteAnswer, RemoteRequest, Transport } from '../../src/commerce/remote.ts'
import type { AnyFields, Shop, ShopFacts } from '../../src/commerce/shop.ts'
import { shopWith } from '../../src/domain/shop/shop-remote.ts'
import { createTransport } from '../../src/domain/shop/transport.ts'
import type { Controls } from '../../src/simulator/control.ts'
import type { SimulatorOptions } from '../../src/simulator/options.ts'
import type { ShopOrder } from '../../src/simulator/shop/order.ts'
import { type MemorySimulator, openSimulator } from '../../src/simulator/simulator.ts'

/** A request as it leaves the house: address without query, and everything that goes along. */
export interface SentCall {
  url: string
  request: RemoteRequest
}

/** A shop on the imitation of its platform, opened the way the program opens it, without a socket in between. */
export interface Imitation<S = AnyFields, C = AnyFields> {
  shop: Shop<S, C>
  /** What was asked, oldest first; may be emptied. */
  asked: SentCall[]
  transport: Transport
  simulator: MemorySimulator
  facts: ShopFacts
  credentials: AnyFields
}

export interface ImitationOptions extends Pick<SimulatorOptions, 'variant' | 'seed' | 'orders' | 'products'> {
  settings?: AnyFields
  credentials?: AnyFields
  /** May answer in the platform's place. */
  before?: (call: SentCall) => RemoteAnswer | null
}

/** The types are those of the connector's own settings and credentials. */
export function openImitation<S = AnyFields, C = AnyFields>(
  connector: Connector,
  { settings, credentials: given, before = () => null, ...options }: ImitationOptions = {},
): Imitation<S, C> {
  const simulator = openSimulator({ platform: connector.type, orders: 60, products: 30, ...options })
  const { shop, settings: usual } = simulator.install
  const facts = { shop, settings: { ...usual, ...settings } }
  const credentials = { ...simulator.kept, ...given }
  const asked: SentCall[] = []
  const wire = inMemory(simulator)
  const transport: Transport = async (call) => {
    asked.push(call)
    return before(call) ?? (await wire(call))
  }
  const opened = shopWith({ transport }, connector, facts, credentials) as unknown as Shop<S, C>
  return { shop: opened, asked, transport, simulator, facts, credentials }
}

/** The program's own transport, with a simulator where the network would be. */
export const inMemory = (simulator: MemorySimulator): Transport =>
  createTransport({
    async fetch({ method, url, headers = {}, body }) {
      return await simulator.answer({ method, url, headers, body: Buffer.from(body ?? '') })
    },
  })

/** An order that may be sent or cancelled, and that nobody has touched yet. */
export function openOrder(simulator: Controls, fits: (order: ShopOrder) => boolean = () => true): string {
  const found = simulator.truth().find(({ stage, custom_status: custom, acknowledged, parcels, remote_id: id }) => {
    const order = stage === 'paid' && custom === null && !acknowledged && parcels === 0 ? simulator.order(id) : null
    return order !== null && fits(order)
  })
  if (!found) throw new Error('No such order is open.')
  return found.remote_id
}
