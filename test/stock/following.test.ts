import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { articlesBySku, findArticle } from '../../src/domain/stock/articles/article-store.ts'
import { linkArticle, matchArticles } from '../../src/domain/stock/articles/link-articles.ts'
import { linksOfArticles } from '../../src/domain/stock/articles/link-store.ts'
import { createArticle } from '../../src/domain/stock/articles/manage-articles.ts'
import { followShop, settleShop } from '../../src/domain/stock/following/follow-shop.ts'
import { balancesOf, sumOf } from '../../src/domain/stock/ledger-store.ts'
import { leavePool, setShop } from '../../src/domain/stock/manage-pool.ts'
import { newestSeen } from '../../src/domain/stock/passport-store.ts'
import type { Pool } from '../../src/domain/stock/stock.ts'
import type { AccountTenant } from '../../src/domain/tenant.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { incomingOrder } from '../support/orders.ts'
import { followedOrders, line } from '../support/stock-orders.ts'
import { addShop, count, makePool, showLevels } from '../support/stock-pool.ts'

let it: TestContext
let world: { pool: Pool; tenant: AccountTenant }
let pool: Pool
let first: Integration
let second: Integration
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())
beforeEach(async () => {
  world = await makePool(it.context)
  pool = world.pool
  first = await addShop(it.context, world, { CUP: 10 })
  second = await addShop(it.context, world, { CUP: 10 })
  await matchArticles(it.context, pool, { create: true, dry: false })
  await count(it.context, pool, { CUP: 10 })
})

const { order, orders, follow } = followedOrders(() => it.context)

const idOf = async (sku: string) => (await articlesBySku(it.context.db, pool.id, [sku])).get(sku)?.id ?? 0
const standing = async (sku = 'CUP') => {
  const { on_hand, reserved } = sumOf(await balancesOf(it.context.db, [await idOf(sku)]))
  return [on_hand, reserved]
}
const linkOf = async (shop: Integration, sku = 'CUP') =>
  (await linksOfArticles(it.context.db, [await idOf(sku)])).find((link) => link.integration_id === shop.id)
const wanted = async () => [(await linkOf(first))?.wanted, (await linkOf(second))?.wanted]
const sightings = async (shop: Integration) =>
  (await newestSeen(it.context.db, [(await linkOf(shop))?.id ?? 0], 10))
    .reverse()
    .map(({ expected, found, resolution }) => [expected, found, resolution])
const marks = async (shop: Integration) =>
  await it.database.query('select what from stock_marks where integration_id = $1', [shop.id])
const kinds = async () =>
  (
    await it.database.query<{ kind: string }>('select kind from stock_movements where pool_id = $1 order by id', [
      pool.id,
    ])
  ).map(({ kind }) => kind)

describe('an order', () => {
  test('reserves at once, and every shop is to show what is left', async () => {
    await order(first, 'o1', [line(3)])
    expect(await standing()).toEqual([10, 3])
    expect(await wanted()).toEqual([7, 7])
    expect(await marks(first)).toEqual([])
    expect((await linkOf(second))?.due_at).not.toBeNull()
  })

  test('that is told again, or followed twice at the same time, is booked once', async () => {
    const ids = await takeIds(it.context.db, 'orders', 1)
    const incoming = incomingOrder('o1', { items: [line(3)], placed_at: new Date().toISOString() })
    await it.context.transaction((trx) => upsertOrders(trx, first.id, { ids, orders: [incoming] }))
    await Promise.all(Array.from({ length: 6 }, () => followShop(it.context, first.id)))
    await order(first, 'o1', [line(3)])
    expect([await standing(), await kinds()]).toEqual([
      [10, 3],
      ['count', 'reservation'],
    ])
  })

  test('is released when it is cancelled, as a whole or in part', async () => {
    await order(first, 'o1', [line(3)])
    await order(first, 'o1', [line(3)], { status: 'CANCELLED' })
    expect(await standing()).toEqual([10, 0])
    await order(first, 'o2', [line(2)])
    await order(first, 'o2', [line(2, { quantity_cancelled: 1 })])
    expect(await standing()).toEqual([10, 1])
  })

  test('becomes a sale as it leaves, piece by piece', async () => {
    await order(first, 'o1', [line(3)])
    await order(first, 'o1', [line(3, { quantity_fulfilled: 1 })])
    expect(await standing()).toEqual([9, 2])
    await order(first, 'o1', [line(3, { quantity_fulfilled: 3 })], { status: 'SHIPPED' })
    expect(await standing()).toEqual([7, 0])
    expect(await kinds()).toEqual(['count', 'reservation', 'sale', 'sale'])
    expect(await wanted()).toEqual([7, 7])
  })

  test('comes back into stock where the rule says so', async () => {
    const returned = {
      ...{ remote_id: 'r1', status: 'received' as const, remote_status: 'RECEIVED', requested_at: null },
      lines: [{ order_line_remote_id: 'l1', quantity: 2, reason: null }],
    }
    const sent = { status: 'SHIPPED', returns: [returned] } as const
    await order(first, 'o1', [line(3)], sent)
    expect(await standing()).toEqual([7, 0])
    await setShop(it.context, pool, second, { restock_returns: true })
    await order(second, 'o1', [line(3)], sent)
    expect(await standing()).toEqual([6, 0])
  })

  test('that vanishes from the shop holds nothing back', async () => {
    await order(first, 'o1', [line(3)])
    await sql`update orders set deleted_at = now() where integration_id = ${first.id}`.execute(it.context.db)
    await sql`insert into stock_marks (integration_id, what) select ${first.id}, 'order ' || id from orders
      where integration_id = ${first.id}`.execute(it.context.db)
    await follow(first)
    expect(await standing()).toEqual([10, 0])
  })

  test('of a box takes its pieces', async () => {
    await createArticle(it.context, pool, { sku: 'BOX', parts: [{ sku: 'CUP', quantity: 6 }] })
    await showLevels(it.context, first.id, { BOX: 1 })
    const box = await findArticle(it.context.db, pool.id, await idOf('BOX'))
    await linkArticle(it.context, pool, box, { integrationId: first.id, sku: 'BOX' })
    expect((await linkOf(first, 'BOX'))?.wanted).toBe(1)
    await order(first, 'o1', [line(1, { sku: 'BOX', variant_remote_id: 'id-BOX' })])
    expect(await standing()).toEqual([10, 6])
    expect([(await linkOf(first, 'BOX'))?.wanted, ...(await wanted())]).toEqual([0, 4, 4])
  })

  test.each([3_000_000_000_000, 1e21])('of %d pieces keeps no others waiting', async (quantity) => {
    await orders(first, [
      ['beyond', [line(quantity)]],
      ['sound', [line(3)]],
    ])
    expect(await marks(first)).toEqual([])
    const [onHand = 0, reserved = 0] = await standing()
    expect([onHand, reserved > 1_000_000]).toEqual([10, true])
    expect(await wanted()).toEqual([0, 0])
    await order(first, 'beyond', [line(quantity)], { status: 'CANCELLED' })
    expect(await standing()).toEqual([10, 3])
    expect(await wanted()).toEqual([7, 7])
  })

  test('with two lines under one name keeps no others waiting, and takes both', async () => {
    await orders(first, [
      ['twins', [line(1), line(2)]],
      ['sound', [line(3)]],
    ])
    expect(await marks(first)).toEqual([])
    expect(await standing()).toEqual([10, 6])
  })

  test('of what the platform itself stocks takes nothing', async () => {
    await order(first, 'o1', [line(3)], { fulfilled_by: 'platform' })
    expect(await standing()).toEqual([10, 0])
  })

  test('of an article that nobody linked takes nothing, until it is linked', async () => {
    await showLevels(it.context, first.id, { LID: 5 })
    await order(first, 'o1', [line(2, { sku: 'LID', variant_remote_id: 'id-LID' })])
    expect(await kinds()).toEqual(['count'])
    await matchArticles(it.context, pool, { create: true, dry: false })
    await follow(first)
    expect(await standing('LID')).toEqual([0, 2])
  })
})

test('open orders of a shop that comes into the pool are reserved; what had left before is not counted', async () => {
  const other = await addShop(it.context, world, { CUP: 10 })
  await leavePool(it.context, pool, other.id)
  await order(other, 'open', [line(2)])
  const gone = { placed_at: new Date().toISOString() }
  await order(other, 'gone', [line(4, { quantity_fulfilled: 4 })], { ...gone, status: 'SHIPPED' })
  expect(await marks(other)).toEqual([])
  await setShop(it.context, pool, other, {})
  await matchArticles(it.context, pool, { create: false, dry: false })
  await follow(other)
  await order(other, 'gone', [line(4, { quantity_fulfilled: 4 })], { ...gone, status: 'DELIVERED' })
  expect(await standing()).toEqual([10, 2])
})

describe('what is believed of a shop', () => {
  const told = (shop: Integration, quantity: number, secondsAgo: number) =>
    sql`update stock_links set told = ${quantity}, shows = ${quantity}, due_at = null,
      sent_at = now() - make_interval(secs => ${secondsAgo}), accepted_at = now() - make_interval(secs => ${secondsAgo})
      where integration_id = ${shop.id}`.execute(it.context.db)
  const read = (shop: Integration) =>
    sql`insert into runs (integration_id, resource, status)
      values (${shop.id}, 'sync_orders', 'completed'), (${shop.id}, 'sync_inventory', 'completed')`.execute(
      it.context.db,
    )

  test('what a shop accepted is confirmed when all its levels have been read since and this one did not differ', async () => {
    await told(first, 10, 3600)
    await told(second, 10, 3600)
    expect(await settleShop(it.context, first.id)).toBe(0)
    expect((await linkOf(first))?.confirmed_at).toBeNull()
    await showLevels(it.context, second.id, { CUP: 9 })
    for (const shop of [first, second]) {
      await follow(shop)
      await read(shop)
      await settleShop(it.context, shop.id)
    }
    expect((await linkOf(first))?.confirmed_at).not.toBeNull()
    await settleShop(it.context, second.id)
    expect(await linkOf(second)).toMatchObject({ confirmed_at: null, shows: 9 })
  })

  test('the shop that sold counts down by itself and is not told again', async () => {
    await told(first, 10, 3600)
    await told(second, 10, 3600)
    await order(first, 'o1', [line(3)])
    expect(await linkOf(first)).toMatchObject({ wanted: 7, shows: 7, due_at: null })
    expect(await linkOf(second)).toMatchObject({ wanted: 7, shows: 10 })
    expect((await linkOf(second))?.due_at).not.toBeNull()
  })

  test('an order from about the time when the shop was told may have been overwritten: it is looked at', async () => {
    await told(first, 10, 5)
    await order(first, 'o1', [line(3)])
    expect(await linkOf(first)).toMatchObject({ wanted: 7, shows: 7, doubt: true })
    expect((await linkOf(first))?.due_at).not.toBeNull()
  })

  test('a level that an order explains is no drift', async () => {
    await told(first, 10, 3600)
    await showLevels(it.context, first.id, { CUP: 7 })
    await follow(first)
    expect(await linkOf(first)).toMatchObject({ shows: 10, seen: 7 })
    await order(first, 'o1', [line(3)])
    await read(first)
    expect(await settleShop(it.context, first.id)).toBe(0)
    expect(await kinds()).toEqual(['count', 'reservation'])
  })

  test('a hand in a shop is corrected, once orders have been read', async () => {
    await told(first, 10, 3600)
    await showLevels(it.context, first.id, { CUP: 50 })
    await follow(first)
    expect(await settleShop(it.context, first.id)).toBe(0)
    await read(first)
    expect(await settleShop(it.context, first.id)).toBe(1)
    expect(await linkOf(first)).toMatchObject({ wanted: 10, shows: 50, seen: null })
    expect((await linkOf(first))?.due_at).not.toBeNull()
    expect(await standing()).toEqual([10, 0])
    expect(await sightings(first)).toEqual([
      [10, 50, null],
      [10, 50, 'corrected'],
    ])
  })

  test('or believed, as the rule says', async () => {
    await setShop(it.context, pool, first, { by_hand: 'believe' })
    await told(first, 10, 3600)
    await told(second, 10, 3600)
    await showLevels(it.context, first.id, { CUP: 8 })
    await follow(first)
    await read(first)
    expect(await settleShop(it.context, first.id)).toBe(1)
    expect(await standing()).toEqual([8, 0])
    expect(await linkOf(first)).toMatchObject({ wanted: 8, shows: 8, due_at: null })
    expect(await linkOf(second)).toMatchObject({ wanted: 8, shows: 10 })
    expect(await settleShop(it.context, first.id)).toBe(0)
    expect(await sightings(first)).toEqual([
      [10, 8, null],
      [10, 8, 'believed'],
    ])
  })

  test('but not where it is more than anybody stocks', async () => {
    await setShop(it.context, pool, first, { by_hand: 'believe' })
    await it.database.query('update stock_links set sent_at = now(), shows = 10 where integration_id = $1', [first.id])
    await showLevels(it.context, first.id, { CUP: 5_000_000_000_000 })
    await follow(first)
    await sql`update stock_links set seen_at = now() - interval '1 hour' where integration_id = ${first.id}`.execute(
      it.context.db,
    )
    expect(await settleShop(it.context, first.id)).toBe(1)
    expect(await standing()).toEqual([10, 0])
    expect((await sightings(first)).at(-1)).toEqual([10, 5_000_000_000_000, 'corrected'])
  })

  test('what is seen again and again is written down once', async () => {
    await told(first, 10, 3600)
    for (const quantity of [50, 50, 51, 51]) {
      await showLevels(it.context, first.id, { CUP: quantity })
      await follow(first)
    }
    expect(await sightings(first)).toEqual([
      [10, 50, null],
      [10, 51, null],
    ])
  })
})

test('what a shop held back is free when it leaves, and held again when it is back', async () => {
  await order(first, 'o1', [line(3)])
  await leavePool(it.context, pool, first.id)
  expect(await standing()).toEqual([10, 0])
  expect((await linkOf(second))?.wanted).toBe(10)
  await setShop(it.context, pool, first, {})
  await matchArticles(it.context, pool, { create: false, dry: false })
  await follow(first)
  expect(await standing()).toEqual([10, 3])
})

test('shops in no pool leave no marks', async () => {
  await leavePool(it.context, pool, first.id)
  await order(first, 'o1', [line(3)])
  await showLevels(it.context, first.id, { CUP: 3 })
  expect(await marks(first)).toEqual([])
  expect(await standing()).toEqual([10, 0])
})
