import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../src/domain/context.ts'
import { upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { matchArticles } from '../../src/domain/stock/articles/link-articles.ts'
import { followShop } from '../../src/domain/stock/following/follow-shop.ts'
import { whoGoesShort } from '../../src/domain/stock/oversold.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { incomingOrder } from '../support/orders.ts'
import { addShop, count, makePool } from '../support/stock-pool.ts'

let it: TestContext
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())

const line = (orderId: number, reserved: number, placedAt: string) => ({
  ...{ article_id: 1, integration_id: 1, order_id: orderId, reserved, placed_at: placedAt },
})

test('who came last goes short, as far as goods are missing', () => {
  const lines = [line(1, 2, '2026-01-03'), line(2, 1, '2026-01-01'), line(3, 1, '2026-01-02')]
  const short = (missing: number) =>
    whoGoesShort(lines, missing).map(({ order_id: id, is_short: isShort }) => [id, isShort])
  expect(short(1)).toEqual([
    [2, false],
    [3, false],
    [1, true],
  ])
  expect(short(3)).toEqual([
    [2, false],
    [3, true],
    [1, true],
  ])
})

test('the app is told at once which orders it concerns and which was first, and the rule cancels the last', async () => {
  const started: unknown[] = []
  const context: Context = {
    ...it.context,
    enqueue: async (_trx, job, input) => void started.push([job.name, input]),
  }
  const world = await makePool(context)
  const first = await addShop(context, world, { CUP: 1 })
  const second = await addShop(context, world, { CUP: 1 }, { cancel_oversold: true })
  await matchArticles(context, world.pool, { create: true, dry: false })
  await count(context, world.pool, { CUP: 1 })
  await sql`insert into webhook_subscriptions (app_id, events, url, secret, key_id)
    values (${world.tenant.appId}, '{stock.oversold}', 'https://example.com', '\\x00', 'none')`.execute(it.context.db)

  // Stored in the other order than they were placed in.
  const buy = async (integrationId: number, remoteId: string, placedAt: string) => {
    const [id = 0] = await takeIds(context.db, 'orders', 1)
    const order = incomingOrder(remoteId, { placed_at: placedAt })
    const items = order.items.map((item) => ({ ...item, sku: 'CUP', variant_remote_id: 'id-CUP' }))
    await context.transaction((trx) => upsertOrders(trx, integrationId, { ids: [id], orders: [{ ...order, items }] }))
    await followShop(context, integrationId)
    return id
  }
  const later = await buy(second.id, 'later', '2099-01-01T00:00:02.000000Z')
  const events = () =>
    it.database.query<{ data: string }>('select data from webhook_events where app_id = $1', [world.tenant.appId])
  expect(await events()).toEqual([])
  const earlier = await buy(first.id, 'earlier', '2099-01-01T00:00:01.000000Z')

  const [event, ...others] = (await events()).map(({ data }) => JSON.parse(data))
  expect(others).toEqual([])
  expect(event).toMatchObject({
    ...{ account_id: world.tenant.accountId, sku: 'CUP', missing: 1 },
    orders: [
      { integration_id: first.id, order_id: earlier, quantity: 1, is_short: false },
      { integration_id: second.id, order_id: later, quantity: 1, is_short: true },
    ],
  })
  expect(started).toEqual([
    ['cancel-oversold', { integrationId: second.id, orderId: later, articleId: event.article_id }],
  ])
})
