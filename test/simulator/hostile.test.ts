import { afterEach, describe, expect, test } from 'vitest'
import { type HostileFault, hostileFaults } from '../../src/simulator/hostile.ts'
import { type Simulator, startSimulator } from '../../src/simulator/start.ts'
import { openRaw } from './clients.ts'

let simulator: Simulator | null = null
afterEach(() => simulator?.close())

async function answered(fault: HostileFault): Promise<Response> {
  simulator = await startSimulator({ orders: 50, products: 1 })
  simulator.weather({ [fault]: 1 })
  const headers = { 'x-api-key': simulator.credentials['api_key'] ?? '' }
  return await fetch(`${simulator.baseUrl}/orders?limit=100`, { headers })
}

describe('hostile answers are what they say', () => {
  test.each([
    ['deep_json', '{"a":[{"a":['],
    ['nul_characters', '\\u0000'],
    ['huge_numbers', '1e+300'],
    ['prototype_keys', '"__proto__":{"polluted":true}'],
  ] as const)('%s', async (fault, part) => {
    expect(await (await answered(fault)).text()).toContain(part)
  })

  test('gzip_bomb', async () => {
    const { headers, body } = await answered('gzip_bomb')
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(Number(headers.get('content-length'))).toBeLessThan(200_000)
    await body?.cancel()
  })

  test('huge_body', async () => {
    const answer = await answered('huge_body')
    let size = 0
    for await (const chunk of answer.body ?? []) size += chunk.length
    expect(size).toBeGreaterThan(49_000_000)
  })

  test('none of them comes with rough weather, and none to those who fetch tokens', async () => {
    simulator = await startSimulator({ platform: 'shopify', weather: 'rough', orders: 1, products: 1 })
    const weather = simulator.weather()
    expect(hostileFaults.map((name) => weather[name])).toEqual(hostileFaults.map(() => 0))
    simulator.weather({ preset: 'calm', deep_json: 1 })
    const { client_id = '', client_secret = '' } = simulator.install.client
    const fields = { client_id, client_secret, refresh_token: 'none', grant_type: 'refresh_token' }
    const init = { method: 'POST', body: new URLSearchParams(fields) }
    const answer = await fetch(`${simulator.baseUrl}/admin/oauth/access_token`, init)
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' })
  })
})

test('a thing that was made twice is found out, whoever asked for it under whatever name', async () => {
  const { simulator, ask } = openRaw('woocommerce', { orders: 5, products: 3, variant: { tracking: 'plug-in' } })
  const product = simulator.truthOfProducts()[0]
  for (const operation of ['a', 'b']) {
    const headers = { 'x-operation-id': operation }
    const meta_data = [{ key: '_reference', value: 'R-1' }]
    const body = { line_items: [{ product_id: Number(product?.remote_id), quantity: 1 }], meta_data }
    expect((await ask('/wp-json/wc/v3/orders', { method: 'POST', headers, body })).status).toBe(201)
    const id = simulator.truth()[0]?.remote_id
    const path = `/wp-json/wc-shipment-tracking/v3/orders/${id}/shipment-trackings`
    await ask(path, { method: 'POST', headers, body: { tracking_provider: 'Post', tracking_number: 'T-1' } })
  }
  expect(simulator.doubles().map(({ operation, count }) => [operation, count])).toEqual([
    ['order.create', 2],
    ['shipment.create', 2],
  ])
})
