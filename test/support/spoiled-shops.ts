import type { ReadQuery, Reads } from '../../src/commerce/connector/reads.ts'
import type { Connector } from '../../src/commerce/connector.ts'
import type { AnyFields, Shop } from '../../src/commerce/shop.ts'
import { connectors } from '../../src/connectors/index.ts'
import { withCeilings } from '../../src/domain/shop/ceilings.ts'
import { shopWith } from '../../src/domain/shop/shop-remote.ts'
import { createTransport } from '../../src/domain/shop/transport.ts'
import type { Egress, EgressAnswer } from '../../src/runtime/egress/egress-request.ts'
import { openSimulator } from '../../src/simulator/simulator.ts'
import { describedConnectors } from './conformance-shops.ts'
import { described } from './described-services.ts'

/** Shops of every connector, in memory, whose answers somebody spoils on their way. */

/** What comes in place of an answer, given its text. */
export type Spoil = (text: string) => string

export interface Spoiled {
  connector: Connector
  shop: Shop
  /** From now on every answer is what this makes of it; null lets them be. */
  spoil: { how: Spoil | null }
}

export function openSpoiled(connector: Connector): Spoiled {
  const own = described.find(({ type }) => type === connector.type)
  const options = own ? { platform: 'custom', variant: { manner: own.manner } } : { platform: connector.type }
  const simulator = openSimulator({ orders: 12, products: 4, ...options })
  const spoil: Spoiled['spoil'] = { how: null }
  const fetch: Egress['fetch'] = async ({ method, url, headers = {}, body }) => {
    const answer = (await simulator.answer({ method, url, headers, body: Buffer.from(body ?? '') })) as EgressAnswer
    if (!spoil.how || /token|oauth/.test(url)) return answer
    return { ...answer, bytes: Buffer.from(spoil.how(answer.bytes.toString())) }
  }
  const { credentials, ...facts } = simulator.install
  const given: AnyFields = { ...simulator.kept, ...credentials }
  const bounded = withCeilings(connector)
  return { connector: bounded, shop: shopWith({ transport: createTransport({ fetch }) }, bounded, facts, given), spoil }
}

/** The same for answers that are JSON; others are left as they are. */
export const spoilJson =
  (how: (body: unknown) => string): Spoil =>
  (text) =>
    /^\s*[[{]/.test(text) ? how(JSON.parse(text)) : text

export const everyConnector = [...connectors.values(), ...describedConnectors].map((connector) => ({
  type: connector.type,
  connector,
}))

export const pageQuery: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 50 }
const window = { from: '1970-01-01T00:00:00.000000Z', to: '2100-01-01T00:00:00.000000Z', cursor: null }

/** Everything that reads, with what came of it: how many records, or why not. */
export async function readAll({ connector, shop }: Spoiled, ids: readonly string[]): Promise<unknown[]> {
  const outcomes: unknown[] = []
  const take = async (reading: Promise<{ length: number }> | undefined) =>
    outcomes.push(await reading?.then(({ length }) => length).catch((error: unknown) => error))
  const reads: (Reads<AnyFields, AnyFields, unknown> | undefined)[] = [
    connector.orders,
    connector.products,
    connector.inventory,
  ]
  for (const part of reads) {
    await take(part?.list(shop, pageQuery).then(({ items }) => items))
    await take(part?.index?.(shop, window).then(({ items }) => items))
    await take(part?.get?.(shop, ids[0] ?? '1').then((one) => [one]))
    await take(part?.getSeveral?.(shop, ids))
  }
  await take(connector.orders?.statuses(shop))
  return outcomes.filter((outcome) => outcome !== undefined)
}

export async function someIds({ connector, shop }: Spoiled): Promise<string[]> {
  const { orders } = connector
  const page = await orders?.list(shop, { ...pageQuery, limit: 3 })
  return (page?.items ?? []).map((raw) => orders?.translate(raw, shop).remote_id ?? '').filter((id) => id !== '')
}
