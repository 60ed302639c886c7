import { expect, test } from 'vitest'
import { openSimulator } from '../../src/simulator/simulator.ts'

/** A shop that takes a token by itself, so that nothing needs signing here. */
function openShop(variant: Record<string, string> = {}) {
  const simulator = openSimulator({
    platform: 'magento',
    orders: 400,
    products: 5,
    variant: { keys: 'bearer', ...variant },
  })
  const headers = { authorization: `Bearer ${simulator.kept['access_token']}` }
  return async (path: string) => {
    const url = `${simulator.world.origin}/rest/V1/${path}`
    const answer = await simulator.answer({ method: 'GET', url, headers, body: Buffer.from('') })
    return { status: answer.status, body: JSON.parse(answer.bytes.toString()) }
  }
}

const sorted = 'searchCriteria[sortOrders][0][field]=updated_at&searchCriteria[sortOrders][0][direction]=ASC'

test('Magento lists orders by the second of their last change, then by id, page by page the same', async () => {
  const ask = openShop()
  const { body: all } = await ask(`orders?searchCriteria[pageSize]=300&${sorted}`)
  const keys = all.items.map((order: { updated_at: string; entity_id: number }) => [order.updated_at, order.entity_id])
  const same = keys.filter(([at]: [string], n: number) => at === keys[n - 1]?.[0])
  expect(same.length).toBeGreaterThan(5)
  const inOrder = keys.toSorted(([a, x]: [string, number], [b, y]: [string, number]) =>
    a < b ? -1 : a > b ? 1 : x - y,
  )
  expect(keys).toEqual(inOrder)
  const { body: second } = await ask(`orders?searchCriteria[pageSize]=7&searchCriteria[currentPage]=3&${sorted}`)
  expect(second.items).toEqual(all.items.slice(14, 21))
})

test('Magento gives the last page again, refuses pages that are too large, and takes one filter of a group', async () => {
  const ask = openShop()
  const { body: last } = await ask('orders?searchCriteria[pageSize]=150&searchCriteria[currentPage]=9')
  expect([last.items.length, last.total_count]).toEqual([100, 400])
  expect(await ask('orders?searchCriteria[pageSize]=301')).toMatchObject({
    status: 400,
    body: { parameters: { max: 300 } },
  })
  const group = (n: number, value: string) =>
    `searchCriteria[filter_groups][0][filters][${n}][field]=state&searchCriteria[filter_groups][0][filters][${n}][value]=${value}`
  const { body } = await ask(`orders?${group(0, 'canceled')}&${group(1, 'holded')}&searchCriteria[pageSize]=300`)
  expect(new Set(body.items.map((order: { state: string }) => order.state))).toEqual(new Set(['canceled', 'holded']))
})

test('Magento names a right that an integration was not given', async () => {
  const ask = openShop({ lacks: 'Magento_Catalog::products' })
  expect((await ask('orders')).status).toBe(200)
  expect(await ask('products')).toMatchObject({
    status: 401,
    body: { parameters: { resources: 'Magento_Catalog::products' } },
  })
})
