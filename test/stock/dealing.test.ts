import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { articlesBySku } from '../../src/domain/stock/articles/article-store.ts'
import { matchArticles } from '../../src/domain/stock/articles/link-articles.ts'
import { linksOfArticles } from '../../src/domain/stock/articles/link-store.ts'
import { setShop, switchPool } from '../../src/domain/stock/manage-pool.ts'
import { changeShop, savePool } from '../../src/domain/stock/pool-store.ts'
import type { Pool } from '../../src/domain/stock/stock.ts'
import { aimAt } from '../../src/domain/stock/targets.ts'
import type { AccountTenant } from '../../src/domain/tenant.ts'
import type { Db } from '../../src/runtime/db/connection.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { waitingForLocks } from '../support/just-before.ts'
import { followedOrders, line } from '../support/stock-orders.ts'
import { addShop, count, makePool } from '../support/stock-pool.ts'
import { until } from '../support/until.ts'

/** The last pieces of an article, each offered in one shop only. */
let it: TestContext
let world: { pool: Pool; tenant: AccountTenant }
let shops: Integration[]
const { order } = followedOrders(() => it.context)
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())
beforeEach(async () => {
  world = await makePool(it.context)
  shops = []
  for (let n = 0; n < 3; n++) shops.push(await addShop(it.context, world, { CUP: 20 }))
  await matchArticles(it.context, world.pool, { create: true, dry: false })
  await count(it.context, world.pool, { CUP: 20 })
})

const shopAt = (n: number): Integration => {
  const shop = shops[n]
  if (!shop) throw new Error('There is no such shop.')
  return shop
}
const links = async () => {
  const article = (await articlesBySku(it.context.db, world.pool.id, ['CUP'])).get('CUP')
  return await linksOfArticles(it.context.db, [article?.id ?? 0])
}
const wanted = async () => (await links()).map((link) => link.wanted)
const dealBelow = (below: number) => switchPool(it.context, world.tenant, { deal_below: below })
/** Shops have been told what they are to show. */
const tell = async () => {
  await sql`
    update stock_links set shows = wanted, due_at = null, doubt = false where pool_id = ${world.pool.id}`.execute(
    it.context.db,
  )
  const [first] = await links()
  const articleIds = first ? [first.article_id] : []
  await it.context.transaction((trx) => aimAt(trx, world.pool.id, { articleIds }))
}

test('nothing is dealt out unless the pool says so, and only what is scarce', async () => {
  await count(it.context, world.pool, { CUP: 4 })
  expect(await wanted()).toEqual([4, 4, 4])
  await dealBelow(5)
  expect(await wanted()).toEqual([2, 1, 1])
  await count(it.context, world.pool, { CUP: 5 })
  expect(await wanted()).toEqual([5, 5, 5])
  await count(it.context, world.pool, { CUP: 2 })
  await dealBelow(0)
  expect(await wanted()).toEqual([2, 2, 2])
})

test('a shop that sells its own piece changes nothing for the others', async () => {
  await dealBelow(5)
  await count(it.context, world.pool, { CUP: 3 })
  await tell()
  expect(await wanted()).toEqual([1, 1, 1])
  await order(shopAt(1), 'order-1', [line(1)])
  const after = await links()
  expect(after.map((link) => link.wanted)).toEqual([1, 0, 1])
  expect(after.map((link) => link.shows)).toEqual([1, 0, 1])
})

test('a piece that changes shops is offered in none until the first is known to show it no longer', async () => {
  await dealBelow(10)
  await count(it.context, world.pool, { CUP: 6 })
  await tell()
  expect(await wanted()).toEqual([2, 2, 2])
  await order(shopAt(0), 'order-1', [line(2)])
  // The others have two each, and one of them gives one up.
  expect((await wanted()).toSorted()).toEqual([0, 1, 2])
  await tell()
  expect((await wanted()).toSorted()).toEqual([1, 1, 2])
})

test('a rule of one shop moves pieces to the others', async () => {
  await dealBelow(10)
  await count(it.context, world.pool, { CUP: 6 })
  await tell()
  const first = shopAt(0)
  await setShop(it.context, world.pool, first, { cap: 0 })
  expect(await wanted()).toEqual([0, 2, 2])
  await tell()
  expect(await wanted()).toEqual([0, 3, 3])
  await setShop(it.context, world.pool, first, { active: false })
  expect((await wanted())[0]).toBeNull()
})

/** Somebody changes something, and another, who began before it was done, says what shops are to show only then. */
async function whileAiming(change: (trx: Db) => Promise<unknown>) {
  const articleIds = [(await links())[0]?.article_id ?? 0]
  let aiming: Promise<void> | undefined
  await it.context.transaction(async (trx) => {
    await sql`select from stock_links where pool_id = ${world.pool.id} order by id for update`.execute(trx)
    aiming = it.context.transaction((other) => aimAt(other, world.pool.id, { articleIds }))
    await until(async () => (await waitingForLocks(it.context)) > 0)
    await change(trx)
    await aimAt(trx, world.pool.id, { articleIds })
  })
  await aiming
}

test('whoever waited for a change of the pool does not undo it', async () => {
  await dealBelow(5)
  await count(it.context, world.pool, { CUP: 3 })
  await tell()
  await whileAiming((trx) => savePool(trx, world.tenant, { deal_below: 0 }))
  expect(await wanted()).toEqual([3, 3, 3])
})

test('nor a change of a rule', async () => {
  await whileAiming((trx) => changeShop(trx, { poolId: world.pool.id, integrationId: shopAt(1).id }, { cap: 7 }))
  expect(await wanted()).toEqual([20, 7, 20])
})

test('two shops that sell the same article at the same moment never wait for each other', async () => {
  const [first, second] = await links()
  const { context } = it
  let following: Promise<void> | undefined
  await context.transaction(async (trx) => {
    const lock = async (id: number | undefined) =>
      (await sql`select from stock_links where id = ${id} for update skip locked`.execute(trx)).rows.length
    expect(await lock(first?.id)).toBe(1)
    following = order(shopAt(1), 'order-1', [line(1)])
    await until(async () => (await waitingForLocks(it.context)) > 0)
    // Who follows the order of the second shop waits for the first, and holds nothing of his own meanwhile.
    expect(await lock(second?.id)).toBe(1)
  })
  await following
  expect(await wanted()).toEqual([19, 19, 19])
})
