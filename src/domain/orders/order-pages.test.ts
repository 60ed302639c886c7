import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { incomingOrder } from '../../../test/support/orders.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import { listOrders } from './order-list-store.ts'
import { upsertOrders } from './order-upsert-store.ts'

/** Beyond the first thousand the counters say where a page begins: over several ranges of ids, in both directions. */
const count = 2300
let it: TestContext
let integrationId: number
let all: number[]

beforeAll(async () => {
  it = await createTestContext()
  integrationId = (await makeIntegration(it.context, { appId: null })).integration.id
  const orders = Array.from({ length: count }, (_, n) => incomingOrder(`r${n}`))
  const ids = await takeIds(it.context.db, 'orders', count)
  await it.context.transaction((trx) => upsertOrders(trx, integrationId, { ids, orders }))
  all = [...ids].sort((a, b) => a - b)
})
afterAll(() => it.close())

const page = async (number: number, perPage: number, descending: boolean) => {
  const query = { page: number, perPage, filter: { acknowledged: ['all'] }, sort: [{ field: 'id', descending }] }
  const { rows, total } = await listOrders(it.context.reader, integrationId, query)
  expect(total).toBe(count)
  return rows.map(({ id }) => id)
}

describe.each([
  ['upwards', false],
  ['downwards', true],
])('%s', (_, descending) => {
  test('the pages together are the list, each order once', async () => {
    const pages: number[][] = []
    for (let n = 1; n <= Math.ceil(count / 100); n++) pages.push(await page(n, 100, descending))
    expect(pages.flat()).toEqual(descending ? all.toReversed() : all)
  })

  test('a page may lie anywhere, across the edges of ranges too', async () => {
    const order = descending ? all.toReversed() : all
    for (const offset of [1023, 1024, 1025, 1100, 2047, 2048, 2049, 2298]) {
      expect(await page(offset + 1, 1, descending)).toEqual(order.slice(offset, offset + 1))
    }
    expect(await page(24, 100, descending)).toEqual([])
  })
})
