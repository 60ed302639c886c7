import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { openShop } from '../integrations/open-remote.ts'
import { listOrders, listSandboxOrders } from '../orders/order-list-store.ts'
import { storeOrders } from '../orders/store-orders.ts'
import { listProducts } from './product-store.ts'
import { storeProducts } from './store-products.ts'

let test_: TestContext

beforeAll(async () => {
  test_ = await createTestContext()
})
afterAll(() => test_.close())

const everything = { updatedSince: null, statuses: [], cursor: null, limit: 250 }
const query = { page: 1, perPage: 100, filter: { acknowledged: ['all'] }, sort: [] }

test('a whole sandbox shop fits into our tables, once', async () => {
  const { context } = test_
  const { integration } = await makeIntegration(context, { appId: null }, { orders: 40 })
  const { connector, shop } = await openShop(context, integration)
  const { orders, products } = connector
  if (!orders || !products) throw new Error('The sandbox has orders and products.')
  const remoteOrders = (await orders.list(shop, everything)).items.map((raw) => orders.translate(raw, shop))
  const remoteProducts = (await products.list(shop, everything)).items.map((raw) => products.translate(raw, shop))

  expect((await storeOrders(context, integration, remoteOrders)).inserted).toHaveLength(40)
  expect(await storeOrders(context, integration, remoteOrders)).toMatchObject({ inserted: [], updated: [] })
  expect((await storeProducts(context, integration, remoteProducts)).inserted).toHaveLength(remoteProducts.length)
  expect(await storeProducts(context, integration, remoteProducts)).toMatchObject({ inserted: [], updated: [] })

  const stored = await listOrders(context.reader, integration.id, query)
  expect(stored.total).toBe(40)
  expect(stored.rows.map((order) => order.total).sort()).toEqual(remoteOrders.map((order) => order.total.amount).sort())
  expect((await listSandboxOrders(context.reader, integration.id, query)).total).toBe(40)
  expect((await listProducts(context.reader, integration.id, query)).total).toBe(remoteProducts.length)
})
