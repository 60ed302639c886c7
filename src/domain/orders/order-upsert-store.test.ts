import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { incomingOrder } from '../../../test/support/orders.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import { findOrderRecord } from './order-record-store.ts'
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

test('orders that are as we hold them are not even locked, and what has changed without another version is found', async () => {
  const { integration } = await makeIntegration(it.context, { appId: null }, { type: 'hand-made' })
  const store = async (orders: ReturnType<typeof incomingOrder>[], ids: number[] = []) =>
    await it.context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders }))
  const orders = ['1', '2', '3', '4'].map((id) => incomingOrder(id, { remote_version: 'v', customer: { name: 'Ann' } }))
  const [first = 0, second = 0, third = 0, fourth = 0] = await takeIds(it.context.db, 'orders', 4)
  await store(orders, [first, second, third, fourth])
  const locks = async () => {
    const { rows } = await sql<{ id: number; locked: boolean }>`
      select id, xmax <> 0 as locked from orders where integration_id = ${integration.id} order by id`.execute(
      it.context.db,
    )
    return rows
  }
  expect(await store(orders)).toMatchObject({ inserted: [], updated: [], unchanged: 4, changed: [] })
  expect(await locks()).toEqual([first, second, third, fourth].map((id) => ({ id, locked: false })))
  const [one, two, three, four] = orders
  if (!one || !two || !three || !four) throw new Error('There are four.')
  const changed = [
    { ...one, total: '7.00' },
    two,
    { ...three, customer: { name: 'Bea' } },
    { ...four, remote_version: 'w' },
  ]
  expect(await store(changed)).toMatchObject({ updated: [first, third, fourth], unchanged: 1 })
  const shown = await findOrderRecord(it.context.db, integration.id, third)
  expect(shown.customer).toEqual({ name: 'Bea' })
})
