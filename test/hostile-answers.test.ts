import { describe, expect, test } from 'vitest'
import type { Connector, ReadQuery, Reads } from '../src/commerce/connector.ts'
import type { AnyFields, Shop } from '../src/commerce/shop.ts'
import { connectors } from '../src/connectors/index.ts'
import { withCeilings } from '../src/domain/shop/ceilings.ts'
import { shopWith } from '../src/domain/shop/shop-remote.ts'
import { createTransport } from '../src/domain/shop/transport.ts'
import { Fault } from '../src/lib/fault.ts'
import type { Egress, EgressAnswer } from '../src/runtime/egress/egress-request.ts'
import { openSimulator } from '../src/simulator/simulator.ts'
import { drawLots } from './support/chance.ts'
import { describedConnectors } from './support/conformance-shops.ts'
import { described } from './support/described-services.ts'

/** Shops decide what they answer. Whatever that is, it costs only themselves, and is never taken for a fault of ours. */

type Spoil = (body: unknown) => string

interface Spoiled {
  connector: Connector
  shop: Shop
  /** From now on every answer is what this makes of it; null lets them be. */
  spoil: { how: Spoil | null }
}

function open(connector: Connector): Spoiled {
  const own = described.find(({ type }) => type === connector.type)
  const options = own ? { platform: 'custom', variant: { manner: own.manner } } : { platform: connector.type }
  const simulator = openSimulator({ orders: 12, products: 4, ...options })
  const spoil: Spoiled['spoil'] = { how: null }
  const fetch: Egress['fetch'] = async ({ method, url, headers = {}, body }) => {
    const answer = (await simulator.answer({ method, url, headers, body: Buffer.from(body ?? '') })) as EgressAnswer
    const text = answer.bytes.toString()
    if (!spoil.how || !/^\s*[[{]/.test(text) || /token|oauth/.test(url)) return answer
    const bytes = Buffer.from(spoil.how(JSON.parse(text)))
    return { ...answer, headers: { ...answer.headers, 'content-type': 'application/json' }, bytes }
  }
  const { credentials, ...facts } = simulator.install
  const given: AnyFields = { ...simulator.kept, ...credentials }
  const bounded = withCeilings(connector)
  return { connector: bounded, shop: shopWith({ transport: createTransport({ fetch }) }, bounded, facts, given), spoil }
}

const tried = [...connectors.values(), ...describedConnectors].map((connector) => ({ type: connector.type, connector }))

const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 50 }
const window = { from: '1970-01-01T00:00:00.000000Z', to: '2100-01-01T00:00:00.000000Z', cursor: null }

/** Everything that reads, with what came of it: how many records, or why not. */
async function readAll({ connector, shop }: Spoiled, ids: readonly string[]): Promise<unknown[]> {
  const outcomes: unknown[] = []
  const take = async (reading: Promise<{ length: number }> | undefined) =>
    outcomes.push(await reading?.then(({ length }) => length).catch((error: unknown) => error))
  const reads: (Reads<AnyFields, AnyFields, unknown> | undefined)[] = [
    connector.orders,
    connector.products,
    connector.inventory,
  ]
  for (const part of reads) {
    await take(part?.list(shop, query).then(({ items }) => items))
    await take(part?.index?.(shop, window).then(({ items }) => items))
    await take(part?.get?.(shop, ids[0] ?? '1').then((one) => [one]))
    await take(part?.getSeveral?.(shop, ids))
  }
  await take(connector.orders?.statuses(shop))
  return outcomes.filter((outcome) => outcome !== undefined)
}

async function someIds({ connector, shop }: Spoiled): Promise<string[]> {
  const { orders } = connector
  const page = await orders?.list(shop, { ...query, limit: 3 })
  return (page?.items ?? []).map((raw) => orders?.translate(raw, shop).remote_id ?? '').filter((id) => id !== '')
}

const isBounded = (outcome: unknown) => outcome instanceof Fault || (typeof outcome === 'number' && outcome <= 1000)

/** Lists, wherever they stand, with so many records in them. */
function swollen(value: unknown, record: unknown, times: number, depth = 0): unknown {
  if (Array.isArray(value)) return depth > 5 ? value : Array.from({ length: times }, () => record)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, swollen(part, record, times, depth + 1)]),
  )
}

describe.each(tried)('$type', ({ connector }) => {
  test('a page holds no more than a small multiple of what was asked for', async () => {
    const shop = open(connector)
    const ids = await someIds(shop)
    for (const record of [{}, 7, []]) {
      shop.spoil.how = (body) => JSON.stringify(swollen(body, record, 30_000))
      const outcomes = await readAll(shop, ids)
      expect(outcomes.length).toBeGreaterThan(1)
      expect(outcomes.filter((outcome) => !isBounded(outcome))).toEqual([])
    }
  })

  test('millions of records are refused before they are parsed', async () => {
    const shop = open(connector)
    const many = `{"items":[${'{},'.repeat(1_000_000)}{}]}`
    shop.spoil.how = () => many
    const outcome = await connector.orders?.list(shop.shop, query).catch((error: unknown) => error)
    expect(outcome).toMatchObject({ kind: 'upstream_retryable', message: expect.stringContaining('more than 400000') })
  })

  test('a record that is all parts and no sense is quarantined unread', () => {
    const { orders } = withCeilings(connector)
    const raw = { id: 1, lines: Array.from({ length: 60_000 }, () => [1]) }
    expect(() => orders?.translate(raw, { shop: 'shop.example', settings: {} })).toThrow('more than 100000 parts')
  })

  test('answers of any shape are the shop’s fault and never ours', async () => {
    const shop = open(connector)
    const ids = await someIds(shop)
    const lots = drawLots(`hostile answers of ${connector.type}`)
    const values: readonly unknown[] = [null, [], {}, 0, -1, 1e308, '', 'x', true, [[]], [null], [{}], { a: [] }, '\0']
    const spoilt = (value: unknown): unknown => {
      if (lots.fraction() < 0.08) return lots.pick(values)
      if (Array.isArray(value)) return value.map(spoilt)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, spoilt(part)]))
    }
    for (let round = 0; round < 12; round++) {
      shop.spoil.how =
        round < values.length / 2 ? () => JSON.stringify(values[round]) : (body) => JSON.stringify(spoilt(body))
      const ours = (await readAll(shop, ids)).filter(
        (outcome) => !(outcome instanceof Fault || typeof outcome === 'number'),
      )
      expect(ours).toEqual([])
    }
  })
})
