import { afterEach, describe, expect, test } from 'vitest'
import { dialects } from '../../src/simulator/options.ts'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { clientOf } from './clients.ts'

const open: Simulator[] = []
const start = async (options: Parameters<typeof startSimulator>[0]) => {
  const simulator = await startSimulator({ orders: 700, products: 40, ...options })
  open.push(simulator)
  return simulator
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((simulator) => simulator.close()))
})

describe.each(dialects)('the list of orders in %s', (dialect) => {
  test('has every order exactly once, oldest change first', async () => {
    const simulator = await start({ dialect })
    const read = await clientOf(simulator).orders()
    const truth = simulator.truth()
    expect(read.map(({ id }) => id).toSorted()).toEqual(truth.map((order) => order.remote_id).toSorted())
    expect(read.map(({ updatedAt }) => updatedAt)).toEqual(read.map(({ updatedAt }) => updatedAt).toSorted())
    const totals = new Map(truth.map(({ remote_id, total }) => [remote_id, total]))
    expect(read.every(({ id, total }) => totals.get(id) === total)).toBe(true)
  })

  test('since a moment has what changed after it, and nothing that did not', async () => {
    const simulator = await start({ dialect })
    const before = simulator.truth()
    const { orders } = simulator.change({ orders: 60 })
    const versions = new Map(before.map(({ remote_id, version }) => [remote_id, version]))
    const changed = simulator.truth().filter(({ remote_id, version }) => version !== versions.get(remote_id))
    expect(changed.map(({ remote_id }) => remote_id).toSorted()).toEqual(orders.toSorted())
    const latest =
      before
        .map(({ updated_at }) => updated_at)
        .toSorted()
        .at(-1) ?? ''
    expect(changed.every(({ updated_at }) => updated_at > latest)).toBe(true)
    const read = await clientOf(simulator).orders('2026-01-02T00:00:00Z')
    expect(read.map(({ id }) => id).toSorted()).toEqual(orders.toSorted())
  })

  test('follows orders that are made and deleted', async () => {
    const simulator = await start({ dialect })
    const { new_orders, delete_orders } = simulator.change({ new_orders: 7, delete_orders: 5 })
    const read = new Set((await clientOf(simulator).orders()).map(({ id }) => id))
    expect(read.size).toBe(702)
    expect(new_orders.every((id) => read.has(id))).toBe(true)
    expect(delete_orders.some((id) => read.has(id))).toBe(false)
  })
})

describe('the same seed', () => {
  test.each(dialects)('is the same shop in %s, and another seed another', async (dialect) => {
    const [a, b, other] = await Promise.all(['x', 'x', 'y'].map((seed) => start({ dialect, seed })))
    expect(a?.truth()).toEqual(b?.truth())
    expect(a?.truthOfProducts()).toEqual(b?.truthOfProducts())
    expect(a?.truthOfInventory()).toEqual(b?.truthOfInventory())
    expect(a?.truth()).not.toEqual(other?.truth())
    expect(a?.change({ orders: 30 }).orders).toEqual(b?.change({ orders: 30 }).orders)
  })

  test('has many orders that changed in the same microsecond, names in many scripts and many currencies', async () => {
    const simulator = await start({ dialect: 'market', orders: 3000 })
    const truth = simulator.truth()
    expect(new Set(truth.map(({ updated_at }) => updated_at)).size).toBeLessThan(2800)
    expect(new Set(truth.map(({ currency }) => currency)).size).toBeGreaterThan(6)
    expect(new Set(truth.map(({ remote_status }) => remote_status)).size).toBe(7)
  })
})

test('200,000 orders open within three seconds of work and little memory', async () => {
  // Of this process: how busy the machine is, and what other files have left in memory, is no matter here.
  const [began, before] = [process.cpuUsage(), process.memoryUsage.rss()]
  const simulator = await start({ orders: 200_000, dialect: 'woo' })
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(3000)
  const read = await fetch(`${simulator.baseUrl}/_truth/orders?offset=199990&limit=100`).then((answer) => answer.json())
  expect(read).toHaveLength(10)
  expect((process.memoryUsage.rss() - before) / 1e6).toBeLessThan(150)
})
