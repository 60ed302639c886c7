import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { upsertSyncedLevels } from '../../src/domain/levels/inventory-store.ts'
import { articlesBySku } from '../../src/domain/stock/articles/article-store.ts'
import { importArticles } from '../../src/domain/stock/articles/import-articles.ts'
import { linkArticle, matchArticles } from '../../src/domain/stock/articles/link-articles.ts'
import { linksOfArticles } from '../../src/domain/stock/articles/link-store.ts'
import { createArticle } from '../../src/domain/stock/articles/manage-articles.ts'
import { bookMovements } from '../../src/domain/stock/book-movements.ts'
import { balancesOf } from '../../src/domain/stock/ledger-store.ts'
import { setShop } from '../../src/domain/stock/manage-pool.ts'
import type { Pool } from '../../src/domain/stock/stock.ts'
import type { AccountTenant } from '../../src/domain/tenant.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { addShop, count, makePool } from '../support/stock-pool.ts'

/** Articles over shops: linked where that is certain, listed where it is not. */
let it: TestContext
let world: { pool: Pool; tenant: AccountTenant }
let pool: Pool
let shop: Integration
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())
beforeEach(async () => {
  world = await makePool(it.context, 'dry')
  pool = world.pool
  shop = await addShop(it.context, world, { CUP: 4, LID: 9 })
})

const stocks = (levels: readonly { sku: string; id: string; location?: string }[]) =>
  it.context.transaction((trx) =>
    upsertSyncedLevels(
      trx,
      shop.id,
      levels.map(({ sku, id, location = '' }) => ({
        ...{ sku, remote_id: id, location, quantity: 3, remote_version: null },
      })),
    ),
  )
const conflicts = async () =>
  (await matchArticles(it.context, pool, { create: false, dry: true })).conflicts.map(
    ({ reason, sku, remote_ids: ids }) => [reason, sku, [...ids].sort()],
  )
const linksOf = async (sku: string) => {
  const article = (await articlesBySku(it.context.db, pool.id, [sku])).get(sku)
  return await linksOfArticles(it.context.db, [article?.id ?? 0])
}

describe('what is not certain is listed and never linked', () => {
  test('a SKU that the shop has twice, until somebody says which is meant', async () => {
    await stocks([
      { sku: 'MUG', id: 'a' },
      { sku: 'MUG', id: 'b' },
    ])
    const article = await createArticle(it.context, pool, { sku: 'MUG' })
    expect(await conflicts()).toEqual([['same_sku_twice', 'MUG', ['a', 'b']]])
    await matchArticles(it.context, pool, { create: true, dry: false })
    expect(await linksOf('MUG')).toEqual([])
    expect(await conflicts()).toEqual([['same_sku_twice', 'MUG', ['a', 'b']]])
    await expect(linkArticle(it.context, pool, article, { integrationId: shop.id, sku: 'MUG' })).rejects.toMatchObject({
      errors: { variant_remote_id: [expect.stringContaining('a, b')] },
    })
    await linkArticle(it.context, pool, article, { integrationId: shop.id, remoteId: 'b' })
    expect(await linksOf('MUG')).toMatchObject([{ remote_id: 'b', made_by: 'hand' }])
  })

  test('an article at several locations, until the rule of the shop names one', async () => {
    await stocks([
      { sku: 'MUG', id: 'a', location: 'north' },
      { sku: 'MUG', id: 'a', location: 'south' },
    ])
    await createArticle(it.context, pool, { sku: 'MUG' })
    expect(await conflicts()).toEqual([['several_locations', 'MUG', ['a']]])
    await setShop(it.context, pool, shop, { location: 'south' })
    expect(await conflicts()).toEqual([])
    await matchArticles(it.context, pool, { create: false, dry: false })
    expect(await linksOf('MUG')).toMatchObject([{ location: 'south', made_by: 'sku' }])
  })

  test('looking changes nothing', async () => {
    await createArticle(it.context, pool, { sku: 'CUP' })
    expect(await conflicts()).toEqual([])
    expect(await linksOf('CUP')).toEqual([])
  })
})

test('a file makes articles, boxes and links; what is wrong is listed by its line, and read again it changes nothing', async () => {
  const csv = [
    'sku,name,parts,integration_id,shop_sku',
    `CUP,"Cup, blue",,${shop.id},CUP`,
    'LID,,,,',
    'BOX,Box,CUP x6; LID,,',
    `TEA,,,${shop.id},NOWHERE`,
    ',nameless,,,',
    'SELF,,SELF x2,,',
  ].join('\n')
  const first = await importArticles(it.context, pool, csv)
  expect(first).toMatchObject({ rows: 6, articles: 3, links: 1 })
  expect(first.errors.map(({ line }) => line)).toEqual([5, 6, 7])
  await count(it.context, pool, { CUP: 14, LID: 5 })
  await linkArticle(it.context, pool, await boxArticle(), { integrationId: shop.id, sku: 'LID' })
  // Two boxes of six, though there are five lids.
  expect(await linksOf('BOX')).toMatchObject([{ wanted: 2 }])
  expect(await importArticles(it.context, pool, csv)).toMatchObject({ articles: 0, links: 0, errors: first.errors })
})

test('a line that no article can be is listed as well, and those after it are read', async () => {
  // Nothing that repeats: an index would hold that.
  const long = Array.from({ length: 4000 }, (_, n) => ((n * n * 7919 + n * 31) % 99991).toString(36)).join('')
  const csv = [
    'sku,barcode,name,parts',
    'CUP,,,',
    'CRATE,,,CUP x2000000',
    `LID,${long},,`,
    `POT,,${'Pot '.repeat(200)},`,
    'TURNED,,Tea \u202egnp.exe,',
    'JUG,,Jug,',
  ].join('\n')
  const read = await importArticles(it.context, pool, csv)
  expect(read.errors.map(({ line }) => line)).toEqual([3, 4, 5, 6])
  expect(read.articles).toBe(2)
})

test('lines are named as the file has them, and one with a comma too many is no other article', async () => {
  const csv = 'sku,name\n\nCUP,"Cup\nof tea"\n\nJUG,Jug, green\nPOT,Pot,,\n'
  const read = await importArticles(it.context, pool, csv)
  expect(read.errors).toEqual([{ line: 6, message: expect.stringContaining('more fields than the first line names') }])
  expect(read.articles).toBe(2)
})

test('a file in another encoding is refused as a whole', async () => {
  const csv = new TextDecoder().decode(Buffer.from('sku,name\nCUP,Gr\xfcne Tasse', 'latin1'))
  await expect(importArticles(it.context, pool, csv)).rejects.toMatchObject({
    errors: { csv: [expect.stringContaining('UTF-8')] },
  })
})

const boxArticle = async () => {
  const box = (await articlesBySku(it.context.db, pool.id, ['BOX'])).get('BOX')
  if (!box) throw new Error('There is no box.')
  return box
}

test('a transfer takes from one place and brings to another, and changes nothing of what is available', async () => {
  const cup = await createArticle(it.context, pool, { sku: 'CUP' })
  await count(it.context, pool, { CUP: 10 })
  const transfer = { key: 't1', kind: 'transfer', sku: 'CUP', quantity: 4, to_place: 'Outlet' } as const
  const book = () => bookMovements(it.context, pool, { source: 'app:test', wishes: [transfer] })
  expect(await book()).toMatchObject({ booked: 2 })
  expect(await book()).toMatchObject({ booked: 0 })
  const places = await balancesOf(it.context.db, [cup.id])
  expect(places.map(({ on_hand }) => on_hand)).toEqual([6, 4])
})
