import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { makeIntegration } from '../../../../test/support/gateway.ts'
import { connectors } from '../../../connectors/index.ts'
import { takeIds } from '../../../runtime/db/take-ids.ts'
import { shopWith } from '../../shop/open-remote.ts'
import { upsertOrders } from '../order-upsert-store.ts'
import { syncedOrder } from '../synced-order.ts'
import { translateStored } from './translate-stored.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const running = { signal: new AbortController().signal, attempt: 1 }

test('orders of an earlier version get their details from the record that the shop had sent', async () => {
  const { context } = tested
  const { db } = context
  const { integration } = await makeIntegration(context, { appId: null }, { type: 'sandbox' })
  const connector = connectors.get('sandbox')
  if (!connector?.orders) throw new Error('There is no sandbox.')
  const shop = shopWith(context, connector, { shop: integration.shop, settings: {} }, { api_key: 'sandbox' })
  const page = await connector.orders.list(shop, { updatedSince: null, statuses: [], cursor: null, limit: 50 })
  const { orders } = connector
  const synced = page.items.map((raw) => syncedOrder(connector, orders.translate(raw, shop)))
  const ids = await takeIds(db, 'orders', synced.length)
  await context.transaction((trx) => upsertOrders(trx, integration.id, { ids, orders: synced }))
  const read = () =>
    db
      .selectFrom('orders')
      .select(['remote_id', 'status', 'payment_status', 'fulfillment_status', 'subtotal', 'items', 'cancelled_at'])
      .where('integration_id', '=', integration.id)
      .orderBy('id')
      .execute()
  const whole = await read()
  expect(new Set(whole.map(({ status }) => status)).size).toBeGreaterThan(3)

  // As the version before this wrote them: fewer words, and what is no translatable record any more.
  await sql`
    update orders set payment_status = null, fulfillment_status = null, subtotal = null, moved_here_until = null,
      status = case when status in ('UNPAID', 'ON_HOLD', 'REFUNDED') then 'PENDING' else status end,
      items = (select jsonb_agg(jsonb_build_object('sku', i ->> 'sku', 'name', i ->> 'name', 'quantity', i -> 'quantity',
        'price', i ->> 'price')) from jsonb_array_elements(items) i)
    where integration_id = ${integration.id}`.execute(db)
  const [lost] = ids
  await sql`update orders set remote_record = null, remote_payload = '{"redacted": true}' where integration_id = ${integration.id} and id = ${lost}`.execute(
    db,
  )

  await translateStored.run(context, {}, running)
  const after = await read()
  expect(after.slice(1)).toEqual(whole.slice(1))
  expect(after[0]).toMatchObject({ payment_status: 'unknown', subtotal: null })
  // And there is nothing left to do.
  const { rows } =
    await sql`select from orders where integration_id = ${integration.id} and payment_status is null`.execute(db)
  expect(rows).toEqual([])
})
