import { describe, expect, test } from 'vitest'
import type { RawPage, ReadQuery } from '../../src/commerce/connector/reads.ts'
import type { Connector } from '../../src/commerce/connector.ts'
import { connectors } from '../../src/connectors/index.ts'
import { platforms } from '../../src/simulator/platforms/index.ts'
import { openSimulator } from '../../src/simulator/simulator.ts'
import { startSimulator } from '../../src/simulator/start.ts'
import { openImitation } from '../support/imitation.ts'

const tried = Object.keys(platforms).flatMap((type) => {
  const connector = connectors.get(type)
  return connector ? [{ type, connector }] : []
})

const open = (connector: Connector) => {
  const imitation = openImitation(connector, { orders: 330, products: 12 })
  const orders = async (updatedSince: string | null = null) => {
    const all: { id: string; total: number; currency: string }[] = []
    for (let cursor: string | null = null; ; ) {
      const query: ReadQuery = { updatedSince, statuses: [], cursor, limit: 100 }
      const page: RawPage | undefined = await connector.orders?.list(imitation.shop, query)
      for (const raw of page?.items ?? []) {
        const order = connector.orders?.translate(raw, imitation.shop)
        if (order) all.push({ id: order.remote_id, total: Number(order.total.amount), currency: order.currency })
      }
      cursor = page?.next ?? null
      if (cursor === null) return all
    }
  }
  return { ...imitation, orders }
}

describe.each(tried)('the list of orders of $type', ({ connector }) => {
  test('has every order exactly once, with its total', async () => {
    const { simulator, orders } = open(connector)
    const read = await orders()
    const gist = (id: string, total: number | string, currency: string) => `${id} ${Number(total)} ${currency}`
    expect(read.map(({ id, total, currency }) => gist(id, total, currency)).toSorted()).toEqual(
      simulator
        .truth()
        .map(({ remote_id, total, currency }) => gist(remote_id, total, currency))
        .toSorted(),
    )
  })

  test('since a moment has what changed after it, and nothing that did not', async () => {
    const { simulator, orders } = open(connector)
    const before = new Map(simulator.truth().map(({ remote_id, version }) => [remote_id, version]))
    const changed = simulator.change({ orders: 60 }).orders
    const differing = simulator.truth().filter(({ remote_id, version }) => version !== before.get(remote_id))
    expect(differing.map(({ remote_id }) => remote_id).toSorted()).toEqual(changed.toSorted())
    const read = (await orders('2026-01-02T00:00:00.000000Z')).map(({ id }) => id)
    // Vendure leaves the time of an order as it was when only its note or its price changes.
    if (connector.type === 'vendure') {
      expect(read.length).toBeGreaterThan(0)
      expect(read.filter((id) => !changed.includes(id))).toEqual([])
    } else expect(read.toSorted()).toEqual(changed.toSorted())
  })

  test('follows orders that are made and deleted', async () => {
    const { simulator, orders } = open(connector)
    const { new_orders, delete_orders } = simulator.change({ new_orders: 7, delete_orders: 5 })
    const read = new Set((await orders()).map(({ id }) => id))
    expect(read.size).toBe(332)
    expect(new_orders.every((id) => read.has(id))).toBe(true)
    expect(delete_orders.some((id) => read.has(id))).toBe(false)
  })
})

describe('the same seed', () => {
  test.each(Object.keys(platforms))('is the same shop on %s, and another seed another', (platform) => {
    const [a, b, other] = ['x', 'x', 'y'].map((seed) => openSimulator({ platform, seed, orders: 300, products: 20 }))
    expect(a?.truth()).toEqual(b?.truth())
    expect(a?.truthOfProducts()).toEqual(b?.truthOfProducts())
    expect(a?.truthOfInventory()).toEqual(b?.truthOfInventory())
    expect(a?.install).toEqual(b?.install)
    expect(a?.truth()).not.toEqual(other?.truth())
    expect(a?.change({ orders: 30 }).orders).toEqual(b?.change({ orders: 30 }).orders)
  })

  test('has many orders that changed in the same microsecond, many currencies, and every stage', () => {
    const truth = openSimulator({ orders: 3000 }).truth()
    expect(new Set(truth.map(({ updated_at }) => updated_at)).size).toBeLessThan(2800)
    expect(new Set(truth.map(({ currency }) => currency)).size).toBeGreaterThan(6)
    expect(new Set(truth.map(({ stage }) => stage)).size).toBe(9)
    expect(truth.some(({ custom_status }) => custom_status !== null)).toBe(true)
  })
})

test('200,000 orders open in little memory', async () => {
  const before = process.memoryUsage.rss()
  const simulator = await startSimulator({ orders: 200_000, platform: 'woocommerce' })
  const read = await fetch(`${simulator.baseUrl}/_truth/orders?offset=199990&limit=100`).then((answer) => answer.json())
  expect(read).toHaveLength(10)
  expect((process.memoryUsage.rss() - before) / 1e6).toBeLessThan(150)
  await simulator.close()
})
