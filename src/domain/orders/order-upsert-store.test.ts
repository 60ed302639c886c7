import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { incomingOrder } from '../../../test/support/orders.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import { upsertOrders } from './order-upsert-store.ts'

let it: TestContext
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())

test.each([
  ['the newer first', ['2', '1']],
  ['the older first', ['1', '2']],
])('of an order that a page names twice the newer counts, %s', async (_, versions) => {
  const { integration } = await makeIntegration(it.context, { appId: null }, { type: 'hand-made' })
  const orders = versions.map((version) => incomingOrder('1', { remote_version: version, total: `${version}.00` }))
  const ids = await takeIds(it.context.db, 'orders', 1)
  const stored = await it.context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
  expect(stored).toMatchObject({ inserted: ids, updated: [], unchanged: 1, changed: [{ remoteId: '1', isNew: true }] })
  const rows = await it.context.db
    .selectFrom('orders')
    .select(['total', 'remote_version'])
    .where('integration_id', '=', integration.id)
    .execute()
  expect(rows).toEqual([{ total: '2.00', remote_version: '2' }])
})
