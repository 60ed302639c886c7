import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Context } from '../../src/domain/context.ts'
import { keepRetention } from '../../src/domain/customers/keep-retention.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { upsertSyncedLevels } from '../../src/domain/levels/inventory-store.ts'
import { writeRetention } from '../../src/domain/retention/retention-store.ts'
import { articlesBySku, findArticle } from '../../src/domain/stock/articles/article-store.ts'
import { linkArticle, matchArticles, unlinkArticle } from '../../src/domain/stock/articles/link-articles.ts'
import { linksOfArticles } from '../../src/domain/stock/articles/link-store.ts'
import { createArticle } from '../../src/domain/stock/articles/manage-articles.ts'
import { balancesOf, sumOf } from '../../src/domain/stock/ledger-store.ts'
import { setShop } from '../../src/domain/stock/manage-pool.ts'
import { shopsOf } from '../../src/domain/stock/pool-store.ts'
import type { Pool } from '../../src/domain/stock/stock.ts'
import type { AccountTenant } from '../../src/domain/tenant.ts'
import { purgeIntegrations } from '../../src/domain/uninstall/purge-integrations.ts'
import { recorder } from '../../src/jobs.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { followedOrders, line } from '../support/stock-orders.ts'
import { addShop, count, makePool, showLevels } from '../support/stock-pool.ts'

let it: TestContext
let world: { pool: Pool; tenant: AccountTenant }
let pool: Pool
let shop: Integration
let other: Integration
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())
beforeEach(async () => {
  world = await makePool(it.context)
  pool = world.pool
  shop = await addShop(it.context, world, { CUP: 10, LID: 10 })
  other = await addShop(it.context, world, { CUP: 10 })
  await matchArticles(it.context, pool, { create: true, dry: false })
  await count(it.context, pool, { CUP: 10, LID: 10 })
})

const { order, follow } = followedOrders(() => it.context)
const idOf = async (sku: string) => (await articlesBySku(it.context.db, pool.id, [sku])).get(sku)?.id ?? 0
const standing = async (sku = 'CUP') => {
  const { on_hand, reserved } = sumOf(await balancesOf(it.context.db, [await idOf(sku)]))
  return [on_hand, reserved]
}
const linkOf = async (one: Integration, sku = 'CUP') =>
  (await linksOfArticles(it.context.db, [await idOf(sku)])).find((link) => link.integration_id === one.id)
const lids = (quantity: number) => line(quantity, { remote_id: 'l2', variant_remote_id: 'id-LID', sku: 'LID' })
/** What was booked since the counts, and that it adds up to what is there. */
const booked = async () => {
  const movements = await it.database.query<{ kind: string; on_hand_by: number; reserved_by: number }>(
    `select kind, on_hand_by, reserved_by from stock_movements where pool_id = $1 and kind <> 'count' order by id`,
    [pool.id],
  )
  return movements.map(({ kind, on_hand_by: hand, reserved_by: held }) => [kind, Number(hand), Number(held)])
}

describe('an order that changes books the difference', () => {
  test('a line that is edited, added or taken out', async () => {
    await order(shop, 'o', [line(3)])
    await order(shop, 'o', [line(5)])
    await order(shop, 'o', [line(2), lids(4)])
    expect([await standing(), await standing('LID')]).toEqual([
      [10, 2],
      [10, 4],
    ])
    await order(shop, 'o', [lids(4)])
    expect([await standing(), await standing('LID')]).toEqual([
      [10, 0],
      [10, 4],
    ])
    await order(shop, 'o', [line(1), lids(4)])
    expect(await booked()).toEqual([
      ['reservation', 0, 3],
      ['reservation', 0, 2],
      ['release', 0, -3],
      ['reservation', 0, 4],
      ['release', 0, -2],
      ['reservation', 0, 1],
    ])
    expect((await linkOf(other))?.wanted).toBe(9)
  })

  test('a line that means another article', async () => {
    await order(shop, 'o', [line(3)])
    await order(shop, 'o', [{ ...lids(3), remote_id: 'l1' }])
    expect([await standing(), await standing('LID')]).toEqual([
      [10, 0],
      [10, 3],
    ])
  })

  test('what is cancelled of it', async () => {
    await order(shop, 'o', [line(3)])
    await order(shop, 'o', [line(3, { quantity_cancelled: 1, quantity_fulfilled: 1 })])
    await order(shop, 'o', [line(3, { quantity_cancelled: 1, quantity_fulfilled: 2 })], { status: 'SHIPPED' })
    expect(await standing()).toEqual([8, 0])
    expect(await booked()).toEqual([
      ['reservation', 0, 3],
      ['sale', -1, -1],
      ['release', 0, -1],
      ['sale', -1, -1],
    ])
  })

  test('what is refunded before it has left is free again, and does not leave later', async () => {
    await order(shop, 'o', [line(3)])
    await order(shop, 'o', [line(3, { quantity_refunded: 1 })])
    expect(await standing()).toEqual([10, 2])
    await order(shop, 'o', [line(3, { quantity_refunded: 1 })], { status: 'SHIPPED' })
    expect(await standing()).toEqual([8, 0])
    expect(await booked()).toEqual([
      ['reservation', 0, 3],
      ['release', 0, -1],
      ['sale', -2, -2],
    ])
  })

  test('a platform that cancels by refunding says both, and means one', async () => {
    await order(shop, 'o', [line(3)])
    await order(shop, 'o', [line(3, { quantity_refunded: 1, quantity_cancelled: 1 })])
    expect(await standing()).toEqual([10, 2])
  })

  test('money that goes back after it has left brings no goods back; what is received does, once', async () => {
    await setShop(it.context, pool, shop, { restock_returns: true })
    const sent = [line(3, { quantity_fulfilled: 3 })]
    await order(shop, 'o', sent, { status: 'SHIPPED' })
    // Some platforms no longer say that it had left.
    await order(shop, 'o', [line(3, { quantity_refunded: 3 })], { status: 'REFUNDED' })
    expect(await standing()).toEqual([7, 0])
    const returned = (quantity: number, status: 'approved' | 'received') => ({
      returns: [
        {
          ...{ remote_id: 'r1', status, remote_status: status, requested_at: null },
          lines: [{ order_line_remote_id: 'l1', quantity, reason: null }],
        },
      ],
    })
    await order(shop, 'o', sent, { status: 'SHIPPED', ...returned(2, 'approved') })
    expect(await standing()).toEqual([7, 0])
    for (const _ of [1, 2]) await order(shop, 'o', sent, { status: 'SHIPPED', ...returned(2, 'received') })
    expect(await standing()).toEqual([9, 0])
    expect(await booked()).toEqual([
      ['sale', -3, 0],
      ['return', 2, 0],
    ])
  })

  test('an article that is linked no longer is released all the same, each part of it', async () => {
    await createArticle(it.context, pool, { sku: 'BOX', parts: [{ sku: 'CUP', quantity: 2 }] })
    await showLevels(it.context, shop.id, { BOX: 1 })
    const box = await findArticle(it.context.db, pool.id, await idOf('BOX'))
    const link = await linkArticle(it.context, pool, box, { integrationId: shop.id, sku: 'BOX' })
    const boxes = (quantity: number) => line(quantity, { sku: 'BOX', variant_remote_id: 'id-BOX' })
    await order(shop, 'o', [boxes(3)])
    expect(await standing()).toEqual([10, 6])
    await unlinkArticle(it.context, box, link.id)
    await order(shop, 'o', [boxes(2)])
    expect(await standing()).toEqual([10, 4])
    await order(shop, 'o', [boxes(2)], { status: 'SHIPPED' })
    expect(await standing()).toEqual([6, 0])
  })
})

test('an order that is kept no longer holds nothing back: a movement says so, in the same transaction', async () => {
  const longAgo = { placed_at: new Date(Date.now() - 200 * 86_400_000).toISOString() }
  await order(shop, 'old', [line(3)], longAgo)
  await order(shop, 'new', [line(2)])
  expect(await standing()).toEqual([10, 5])
  await writeRetention(it.context.db, pool.app_id, { orders_days: 100 })
  await keepRetention.run(it.context, {}, { signal: new AbortController().signal, attempt: 1 })
  expect(await standing()).toEqual([10, 2])
  expect((await linkOf(other))?.wanted).toBe(8)
  expect((await booked()).at(-1)).toEqual(['release', 0, -3])
  const [release] = await it.database.query<{ note: string; order_id: number }>(
    `select note, order_id from stock_movements where pool_id = $1 and kind = 'release'`,
    [pool.id],
  )
  expect(release?.note).toBe('The order was deleted: the app keeps orders no longer.')
  const kept = await it.database.query<{ id: number }>('select id from orders where integration_id = $1', [shop.id])
  expect(kept).toHaveLength(1)
  expect(kept[0]?.id).not.toBe(release?.order_id)
  const lines = await it.database.query('select from stock_order_lines where integration_id = $1', [shop.id])
  expect(lines).toHaveLength(1)
  await follow(shop)
  expect(await standing()).toEqual([10, 2])
})

test.each(['may come back', 'is gone for good'])(
  'a shop that was left long ago, and %s, holds nothing back',
  async (how) => {
    await order(shop, 'o1', [line(3)])
    expect(await standing()).toEqual([10, 3])
    await sql`update integrations set status = 'UNINSTALLED', uninstalled_at = now() - interval '31 days',
    deleted_at = case when ${how === 'is gone for good'} then now() end where id = ${shop.id}`.execute(it.context.db)
    const running = { attempt: 1, signal: new AbortController().signal }
    const started: (() => Promise<void>)[] = []
    const enqueue: Context['enqueue'] = async (_trx, job, input) =>
      void started.push(() => job.perform({ ...it.context, enqueue } as never, input, running))
    await purgeIntegrations.run({ ...it.context, record: recorder(enqueue) }, {}, running)
    for (const start of started) await start()
    expect(await standing()).toEqual([10, 0])
    expect((await shopsOf(it.context.db, pool.id)).map(({ integration_id: id }) => id)).toEqual([other.id])
  },
)

describe('another location of a shop', () => {
  const level = (sku: string, location: string, quantity: number) => ({
    ...{ sku, location, quantity, remote_id: `id-${sku}`, remote_version: null },
  })
  let places: Integration
  beforeEach(async () => {
    places = await addShop(it.context, world, {}, { location: 'north' })
    await it.context.transaction((trx) =>
      upsertSyncedLevels(trx, places.id, [
        ...[level('CUP', 'north', 4), level('CUP', 'south', 6)],
        ...[level('LID', 'north', 5), level('LID', 'east', 5)],
      ]),
    )
    await matchArticles(it.context, pool, { create: false, dry: false })
    await it.database.query(
      `update stock_links set shows = wanted, told = wanted, sent_at = now(), accepted_at = now(), confirmed_at = now(), due_at = null
       where integration_id = $1`,
      [places.id],
    )
  })

  test('is told afresh; what is not stocked there is linked no longer, and listed', async () => {
    expect(await linkOf(places)).toMatchObject({ location: 'north', shows: 10, due_at: null })
    await setShop(it.context, pool, places, { location: 'south' })
    expect(await linkOf(places)).toMatchObject({
      location: 'south',
      shows: 6,
      wanted: 10,
      told: null,
      confirmed_at: null,
    })
    expect((await linkOf(places))?.due_at).not.toBeNull()
    expect(await linkOf(places, 'LID')).toBeUndefined()
    const { conflicts } = await matchArticles(it.context, pool, { create: false, dry: true })
    expect(conflicts.map(({ sku, reason }) => [sku, reason])).toEqual([['LID', 'several_locations']])
  })

  test('a rule that changes otherwise moves nothing', async () => {
    await setShop(it.context, pool, places, { margin: 1, location: 'north' })
    expect(await linkOf(places)).toMatchObject({ location: 'north', shows: 10, wanted: 9, told: 10 })
    expect(await linkOf(places, 'LID')).toMatchObject({ location: 'north' })
  })
})
