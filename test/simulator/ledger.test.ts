import { expect, test } from 'vitest'
import { startSimulator } from '../../src/simulator/start.ts'
import { type Json, openRaw } from './clients.ts'

test('the ledger has every request and effect in order, and goes on after any of them', async () => {
  const { simulator, ask } = openRaw('sandbox')
  await ask('/orders?limit=1&api_secret=hidden')
  await ask('/nowhere')
  await ask('/inventory', {
    method: 'PUT',
    body: { items: [{ sku: simulator.truthOfInventory()[0]?.sku, quantity: 4321 }] },
  })
  const all: Json[] = [...simulator.ledger()]
  expect(all.map(({ seq, kind, operation, status }) => [seq, kind, operation, status])).toEqual([
    [1, 'request', 'orders.list', 200],
    [2, 'request', 'unknown', 404],
    [3, 'request', 'inventory.set', 200],
    [4, 'effect', 'inventory.set', undefined],
  ])
  expect(all[0].path).not.toContain('hidden')
  expect(simulator.ledger(3)).toEqual(all.slice(3))
  expect(all[2].effects).toEqual([all[3].id])
})

test('control answers about itself and refuses what it does not know', async () => {
  const simulator = await startSimulator({ platform: 'woocommerce', orders: 120 })
  const about = await (await fetch(`${simulator.baseUrl}/_about`)).json()
  expect(about).toMatchObject({ platform: 'woocommerce', shop: simulator.shop, orders: 120 })
  const post = async (path: string, body: unknown) =>
    (await fetch(simulator.baseUrl + path, { method: 'POST', body: JSON.stringify(body) })).status
  expect(await post('/_shop/change', { orders: 3, products: 1, inventory: 2, new_orders: 1, delete_orders: 1 })).toBe(
    200,
  )
  // As `curl -d` sends it.
  const asForm = { 'content-type': 'application/x-www-form-urlencoded' }
  const advance = { method: 'POST', headers: asForm, body: JSON.stringify({ advance_seconds: 1 }) }
  expect((await fetch(`${simulator.baseUrl}/_clock`, advance)).status).toBe(200)
  expect(await post('/_shop/change', { cats: 3 })).toBe(400)
  expect(await post('/_clock', { advance_seconds: -1 })).toBe(400)
  expect(await post('/_nothing', {})).toBe(404)
  expect(simulator.ledger()).toEqual([])
  await simulator.close()
})
