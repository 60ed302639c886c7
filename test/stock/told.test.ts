import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Connector } from '../../src/commerce/connector.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { articlesBySku } from '../../src/domain/stock/articles/article-store.ts'
import { matchArticles } from '../../src/domain/stock/articles/link-articles.ts'
import { linksOfArticles } from '../../src/domain/stock/articles/link-store.ts'
import type { Pool } from '../../src/domain/stock/stock.ts'
import { aimAt } from '../../src/domain/stock/targets.ts'
import { fitTo } from '../../src/domain/stock/telling/fit.ts'
import { settleFailed, settleShown, settleTold } from '../../src/domain/stock/telling/settle-store.ts'
import { tellShop } from '../../src/domain/stock/telling/tell-shop.ts'
import { claimShop, releaseShop, takeDue, turns } from '../../src/domain/stock/telling/tell-store.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { followedOrders, line } from '../support/stock-orders.ts'
import { addShop, count, makePool } from '../support/stock-pool.ts'

/** What is known of a shop while it is told something, and what of it is left when that fails. */
let it: TestContext
let pool: Pool
let shop: Integration
const { order, orders } = followedOrders(() => it.context)
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())
beforeEach(async () => {
  const world = await makePool(it.context)
  pool = world.pool
  shop = await addShop(it.context, world, { CUP: 4, MUG: 50, POT: 2 })
  await matchArticles(it.context, pool, { create: true, dry: false })
  await count(it.context, pool, { CUP: 9, MUG: 90, POT: 1 })
  await makeDue()
})

const makeDue = () =>
  sql`update stock_links set due_at = now() - interval '1 second'
    where integration_id = ${shop.id} and wanted is distinct from shows`.execute(it.context.db)
const onlyCupIsDue = () =>
  sql`update stock_links set due_at = case when sku = 'CUP' then now() - interval '1 second' end
    where integration_id = ${shop.id}`.execute(it.context.db)
const take = async () => {
  await claimShop(it.context.db, shop.id, 'me')
  return await it.context.transaction((trx) => takeDue(trx, shop.id, 'me', 10))
}
const cup = async () => {
  const article = (await articlesBySku(it.context.db, pool.id, ['CUP'])).get('CUP')
  const [link] = await linksOfArticles(it.context.db, [article?.id ?? 0])
  if (!link) throw new Error('There is no link.')
  return link
}
const takeCup = async () => {
  const telling = (await take()).find(({ sku }) => sku === 'CUP')
  if (!telling) throw new Error('Nothing is due.')
  return telling
}

test('a shop that is out of order is told later, and what it shows is known as before', async () => {
  const before = await cup()
  await sql`update integrations set status = 'ERROR', status_reason = 'credentials_rejected' where id = ${shop.id}`.execute(
    it.context.db,
  )
  expect(await tellShop(it.context, shop.id, new AbortController().signal)).toBe('done')
  const { shows, seen, doubt, due_at: due } = await cup()
  expect({ shows, seen, doubt }).toEqual({ shows: 4, seen: null, doubt: false })
  expect(Date.parse(due ?? '')).toBeGreaterThan(Date.parse(before.due_at ?? ''))
  expect(await cup()).toMatchObject({ error: 'The integration is not active.', attempts: 0 })
})

test('what is about to run out is told first, and by itself', async () => {
  expect((await take()).map(({ sku, quantity }) => [sku, quantity])).toEqual([
    ['POT', 1],
    ['CUP', 9],
  ])
  await sql`update stock_links set due_at = null where integration_id = ${shop.id} and sku <> 'MUG'`.execute(
    it.context.db,
  )
  expect((await take()).map(({ sku }) => sku)).toEqual(['MUG'])
})

test('nothing is taken by who does not hold the shop', async () => {
  await claimShop(it.context.db, shop.id, 'me')
  expect(await claimShop(it.context.db, shop.id, 'other')).toBe(false)
  expect(await it.context.transaction((trx) => takeDue(trx, shop.id, 'other', 10))).toEqual([])
  await releaseShop(it.context.db, shop.id, 'me')
  expect(await claimShop(it.context.db, shop.id, 'other')).toBe(true)
})

describe('a shop that sells while it is told', () => {
  test('shows so much less, and is looked at in a moment', async () => {
    const telling = await takeCup()
    await order(shop, 'o1', [line(2)])
    expect(await cup()).toMatchObject({ shows: null, doubt: true, wanted: 7 })
    await it.context.transaction((trx) => settleTold(trx, [telling], { tells: true }))
    expect(await cup()).toMatchObject({ shows: 7, seen: null, wanted: 7, doubt: true })
    expect((await cup()).due_at).not.toBeNull()
  })

  test('and was seen to have sold it needs no look', async () => {
    const telling = await takeCup()
    // It showed 2 instead of 4 when it was looked at: 2 stay off.
    const fitted = fitTo(telling, 2)
    expect(fitted).toMatchObject({ quantity: 7, expected: 2 })
    await it.context.transaction((trx) => settleTold(trx, [fitted], { tells: true }))
    await it.context.transaction((trx) => settleShown(trx, [{ ...fitted, found: 7 }]))
    expect(await cup()).toMatchObject({ shows: 9, seen: 7, due_at: null })
    await order(shop, 'o1', [line(2)])
    expect(await cup()).toMatchObject({ wanted: 7, shows: 7, seen: null, doubt: false, due_at: null })
  })

  test('and was seen to have sold one piece is looked at where two orders come together', async () => {
    const telling = await takeCup()
    const fitted = fitTo(telling, 3)
    expect(fitted).toMatchObject({ quantity: 8, expected: 3 })
    await it.context.transaction((trx) => settleTold(trx, [fitted], { tells: true }))
    await it.context.transaction((trx) => settleShown(trx, [{ ...fitted, found: 8 }]))
    // One of them was sold before the shop was told, the other while it was: what it was told may have overwritten that.
    await orders(shop, [
      ['o1', [line(1)]],
      ['o2', [line(1)]],
    ])
    expect(await cup()).toMatchObject({ wanted: 7, shows: 7, seen: null, doubt: true })
    expect((await cup()).due_at).not.toBeNull()
  })

  test('is not told more than its own sales have left, after a failure either', async () => {
    const telling = await takeCup()
    await it.context.transaction((trx) => settleFailed(trx, [{ telling, error: 'away', againSeconds: 0 }]))
    expect(await cup()).toMatchObject({ shows: null, error: 'away', attempts: 1 })
    await order(shop, 'o1', [line(1)])
    await makeDue()
    const again = await takeCup()
    // Before it showed 4, at least, of which it has sold one.
    expect(again).toMatchObject({ was: 3, wanted: 8, quantity: 8, unsure: true })
    expect(fitTo(again, 2).quantity).toBe(7)
    expect(fitTo(again, 8).quantity).toBe(8)
  })
})

describe('a shop that compares before it changes a level', () => {
  const { order: orderThere } = followedOrders(() => {
    const connectors = [...it.context.connectors].map(
      ([type, one]) => [type, { ...one, inventory: { ...one.inventory, compares: true } } as Connector] as const,
    )
    return { ...it.context, connectors: new Map(connectors) }
  })
  const accepted = async () => {
    const telling = await takeCup()
    await it.context.transaction((trx) => settleTold(trx, [telling], { tells: true }))
    await it.context.transaction((trx) => settleShown(trx, [{ ...telling, found: telling.quantity }]))
  }
  /** All that has happened so far was so many minutes ago. */
  const minutesLater = async (minutes: number) => {
    await sql`update stock_links set sent_at = sent_at - make_interval(mins => ${minutes}),
      accepted_at = accepted_at - make_interval(mins => ${minutes}),
      blind_until = blind_until - make_interval(mins => ${minutes}) where integration_id = ${shop.id}`.execute(
      it.context.db,
    )
    await sql`update stock_tellings t set sent_at = t.sent_at - make_interval(mins => ${minutes}),
      accepted_at = t.accepted_at - make_interval(mins => ${minutes})
      from stock_links l where l.id = t.link_id and l.integration_id = ${shop.id}`.execute(it.context.db)
  }
  const takeAfterCount = async (quantity: number) => {
    await count(it.context, pool, { CUP: quantity })
    await makeDue()
    return await takeCup()
  }
  const minutesAgo = (minutes: number) => ({ placed_at: new Date(Date.now() - minutes * 60_000).toISOString() })

  test('shows so much less as it sells', async () => {
    await accepted()
    await orderThere(shop, 'o1', [line(2)])
    expect(await cup()).toMatchObject({ shows: 7, wanted: 7, doubt: false, due_at: null })
  })

  test('is looked at where an answer was lost since: it may show less for that, and not for what it sold', async () => {
    const lost = await takeCup()
    await it.context.transaction((trx) => settleFailed(trx, [{ telling: lost, error: 'away', againSeconds: 0 }]))
    // That was minutes ago, and only now it accepts something.
    await sql`update stock_tellings set sent_at = sent_at - interval '5 minutes' where id = ${lost.telling_id}`.execute(
      it.context.db,
    )
    await makeDue()
    await accepted()
    await orderThere(shop, 'o1', [line(2)])
    expect(await cup()).toMatchObject({ shows: 7, wanted: 7, doubt: true })
    expect((await cup()).due_at).not.toBeNull()
  })

  test('is looked at where it was told something while nobody knew what it showed', async () => {
    await accepted()
    await minutesLater(20)
    // Then an answer is lost: it shows 9 still, or 8.
    const lost = await takeAfterCount(8)
    await it.context.transaction((trx) => settleFailed(trx, [{ telling: lost, error: 'away', againSeconds: 0 }]))
    await makeDue()
    await accepted()
    await minutesLater(10)
    await orderThere(shop, 'o1', [line(1)], minutesAgo(11))
    expect(await cup()).toMatchObject({ doubt: true, wanted: 7, shows: 7 })
    // It is looked at, shows 7, and that may be because of the order or because of another of which nobody knows.
    await onlyCupIsDue()
    await accepted()
    await minutesLater(5)
    await orderThere(shop, 'o2', [line(1)], minutesAgo(6))
    expect(await cup()).toMatchObject({ doubt: true, wanted: 6, shows: 6 })
    expect((await cup()).due_at).not.toBeNull()
    // One that was placed after somebody had looked is certain.
    await onlyCupIsDue()
    await accepted()
    await minutesLater(5)
    await orderThere(shop, 'o3', [line(1)], minutesAgo(1))
    expect(await cup()).toMatchObject({ doubt: false, wanted: 5, shows: 5, due_at: null })
  })

  test('and was seen to have sold one piece is looked at where a second order turns out to have been before that', async () => {
    await accepted()
    const first = await takeAfterCount(8)
    // A lost answer, then 8 is accepted by who did not know what it showed.
    await it.context.transaction((trx) => settleFailed(trx, [{ telling: first, error: 'away', againSeconds: 0 }]))
    await makeDue()
    await accepted()
    await minutesLater(10)
    await sql`update stock_links set seen = shows - 1, seen_at = now() where id = ${(await cup()).id}`.execute(
      it.context.db,
    )
    // Told late: it was overwritten, and what was seen is the other one.
    await orderThere(shop, 'o1', [line(1)], minutesAgo(11))
    expect(await cup()).toMatchObject({ doubt: false, shows: 7, seen: null })
    await orderThere(shop, 'o2', [line(1)], minutesAgo(2))
    expect(await cup()).toMatchObject({ doubt: true, shows: 6, wanted: 6 })
    expect((await cup()).due_at).not.toBeNull()
  })
})

describe('what a shop shows after it said yes', () => {
  const tell = async (tells = true) => {
    const telling = await takeCup()
    await it.context.transaction((trx) => settleTold(trx, [telling], { tells }))
    return telling
  }
  const see = async (found: number) => {
    const telling = await tell()
    await it.context.transaction((trx) => settleShown(trx, [{ ...telling, found }]))
    return await cup()
  }
  const confirmedTellings = async () =>
    await it.database.query('select from stock_tellings where link_id = $1 and confirmed_at is not null', [
      (await cup()).id,
    ])

  test('confirms it', async () => {
    expect((await see(9)).confirmed_at).not.toBeNull()
    expect(await confirmedTellings()).toHaveLength(1)
  })

  test('is looked at once more where nobody came to see it, whatever is reckoned meanwhile', async () => {
    await tell()
    const { due_at: due, article_id: article } = await cup()
    expect(due).not.toBeNull()
    await it.context.transaction((trx) => aimAt(trx, pool.id, { articleIds: [article] }))
    expect((await cup()).due_at).toBe(due)
    await onlyCupIsDue()
    expect(await takeCup()).toMatchObject({ turn: turns.check, wanted: 9, expected: 9 })
  })

  test('is not looked at where the platform cannot be asked', async () => {
    await tell(false)
    expect((await cup()).due_at).toBeNull()
  })

  test('once confirmed is left alone', async () => {
    expect((await see(9)).due_at).toBeNull()
  })

  test('or is to be explained', async () => {
    expect(await see(6)).toMatchObject({ confirmed_at: null, shows: 9, seen: 6 })
    expect(await confirmedTellings()).toHaveLength(0)
  })

  test('says nothing once there is something newer', async () => {
    const telling = await tell()
    await count(it.context, pool, { CUP: 6 })
    await makeDue()
    await takeCup()
    await it.context.transaction((trx) => settleShown(trx, [{ ...telling, found: 9 }]))
    expect((await cup()).confirmed_at).toBeNull()
  })
})
