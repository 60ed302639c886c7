import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { listOrders, listSandboxOrders } from '../orders/order-list-store.ts'
import { listProducts } from '../products/product-store.ts'
import { openShop } from '../shop/open-remote.ts'
import { syncNow } from './sync-now.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const everything = { updatedSince: null, statuses: [], cursor: null, limit: 250 }
const query = { page: 1, perPage: 100, filter: { acknowledged: ['all'] }, sort: [] }

test('a whole sandbox shop fits into our tables, once', async () => {
  const { context } = tested
  const { integration } = await makeIntegration(context, { appId: null }, { orders: 40 })
  const { connector, shop } = await openShop(context, integration)
  const { orders, products } = connector
  if (!orders || !products) throw new Error('The sandbox has orders and products.')
  const theirs = (await orders.list(shop, everything)).items.map((raw) => orders.translate(raw, shop))
  const articles = (await products.list(shop, everything)).items

  for (const inserted of [40, 0]) {
    const { result } = await syncNow(context, integration, 'sync_orders', { mode: 'full' })
    expect(result).toMatchObject({ inserted, updated: 0 })
  }
  for (const inserted of [articles.length, 0]) {
    const { result } = await syncNow(context, integration, 'sync_products', { mode: 'full' })
    expect(result).toMatchObject({ inserted, updated: 0 })
  }
  const stored = await listOrders(context.reader, integration.id, query)
  expect(stored.total).toBe(40)
  expect(stored.rows.map((order) => order.total).sort()).toEqual(theirs.map((order) => order.total.amount).sort())
  expect((await listSandboxOrders(context.reader, integration.id, query)).total).toBe(40)
  expect((await listProducts(context.reader, integration.id, query)).total).toBe(articles.length)
})
