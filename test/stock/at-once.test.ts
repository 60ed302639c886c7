import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../../src/domain/context.ts'
import { type Article, articlesBySku, partsOf } from '../../src/domain/stock/articles/article-store.ts'
import { importArticles } from '../../src/domain/stock/articles/import-articles.ts'
import { linkArticle, matchArticles } from '../../src/domain/stock/articles/link-articles.ts'
import { linksOfArticles } from '../../src/domain/stock/articles/link-store.ts'
import { createArticle, updateArticle } from '../../src/domain/stock/articles/manage-articles.ts'
import { leavePool, setShop } from '../../src/domain/stock/manage-pool.ts'
import type { Pool } from '../../src/domain/stock/stock.ts'
import { Fault } from '../../src/lib/fault.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { justBefore } from '../support/just-before.ts'
import { addShop, count, makePool } from '../support/stock-pool.ts'

/** What several people do to a pool at the same moment: one comes first, and the others are told what they can do about it. */
let it: TestContext
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())

const rounds = 20

/** Whatever of it failed for a reason that is nobody's mistake. */
async function surprises(work: readonly Promise<unknown>[]): Promise<unknown[]> {
  const ends = await Promise.allSettled(work)
  return ends.flatMap((end) => (end.status === 'rejected' && !(end.reason instanceof Fault) ? [end.reason] : []))
}

test('a shop may leave while its variants are linked, by themselves and by hand', async () => {
  const world = await makePool(it.context, 'dry')
  const { pool } = world
  for (let n = 0; n < rounds; n++) {
    const shop = await addShop(it.context, world, { [`CUP-${n}`]: 4, [`LID-${n}`]: 9 })
    const article = await createArticle(it.context, pool, { sku: `HAND-${n}` })
    const found = await surprises([
      matchArticles(it.context, pool, { create: true, dry: false }),
      leavePool(it.context, pool, shop.id),
      linkArticle(it.context, pool, article, { integrationId: shop.id, sku: `CUP-${n}` }),
      setShop(it.context, pool, shop, { margin: 2 }),
      matchArticles(it.context, pool, { create: true, dry: false }),
    ])
    expect(found).toEqual([])
    await surprises([leavePool(it.context, pool, shop.id)])
  }
})

test('an article is linked to one variant of a shop, whoever else links it', async () => {
  const world = await makePool(it.context, 'dry')
  for (let n = 0; n < rounds; n++) {
    const shop = await addShop(it.context, world, { [`ONE-${n}`]: 4, [`OTHER-${n}`]: 9 })
    const article = await createArticle(it.context, world.pool, { sku: `PIECE-${n}` })
    const link = (sku: string) => linkArticle(it.context, world.pool, article, { integrationId: shop.id, sku })
    expect(await surprises([link(`ONE-${n}`), link(`OTHER-${n}`)])).toEqual([])
    expect(await linksOfArticles(it.context.db, [article.id])).toHaveLength(1)
  }
})

test('of two articles that are given the same SKU one has it', async () => {
  const { pool } = await makePool(it.context, 'dry')
  for (let n = 0; n < rounds; n++) {
    const [one, other] = [
      await createArticle(it.context, pool, { sku: `LEFT-${n}` }),
      await createArticle(it.context, pool, { sku: `RIGHT-${n}` }),
    ]
    const given = [one, other].map((article) => updateArticle(it.context, pool, article, { sku: `SAME-${n}` }))
    expect(await surprises(given)).toEqual([])
    const ends = await Promise.allSettled(given)
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  }
})

describe('a bundle has no stock of its own, and is in no other bundle', () => {
  const articles = async (...skus: string[]) => {
    const { pool } = await makePool(it.context, 'dry')
    for (const sku of skus) await createArticle(it.context, pool, { sku })
    return pool
  }
  const made = async (pool: Pool, sku: string) =>
    (await articlesBySku(it.context.db, pool.id, [sku])).get(sku) as Article
  const bundle = async (pool: Pool, sku: string, part: string) => {
    const article = await made(pool, sku)
    return (context: Context) => updateArticle(context, pool, article, { parts: [{ sku: part, quantity: 6 }] })
  }
  const bundleNames = async (pool: Pool, ...skus: string[]) => {
    const bundles = await partsOf(it.context.db, await Promise.all(skus.map(async (sku) => (await made(pool, sku)).id)))
    return (await Promise.all(skus.map(async (sku) => (bundles.has((await made(pool, sku)).id) ? sku : [])))).flat()
  }

  test('though it is counted at the moment in which it becomes one', async () => {
    const pool = await articles('BOX', 'CUP')
    const become = await bundle(pool, 'BOX', 'CUP')
    const [first, second] = await justBefore(it.context, become, () => count(it.context, pool, { BOX: 3 }))
    expect([first.status, second]).toMatchObject([
      'fulfilled',
      { reason: { errors: { 'movements.0.sku': [expect.stringContaining('A bundle has no stock')] } } },
    ])
  })

  test('though it becomes one at the moment in which it is counted', async () => {
    const pool = await articles('BOX', 'CUP')
    const become = await bundle(pool, 'BOX', 'CUP')
    const [first, second] = await justBefore(
      it.context,
      (context) => count(context, pool, { BOX: 3 }),
      () => become(it.context),
    )
    expect([first.status, second]).toMatchObject([
      'fulfilled',
      { reason: { errors: { parts: [expect.stringContaining('has stock of its own')] } } },
    ])
    expect(await bundleNames(pool, 'BOX')).toEqual([])
  })

  test('though its part becomes one at the same moment', async () => {
    const pool = await articles('PALLET', 'BOX', 'CUP')
    const [pallet, box] = [await bundle(pool, 'PALLET', 'BOX'), await bundle(pool, 'BOX', 'CUP')]
    const [first, second] = await justBefore(it.context, pallet, () => box(it.context))
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
    expect(await bundleNames(pool, 'PALLET', 'BOX')).toEqual(['PALLET'])
  })

  test('though two files are read that put it together in both ways', async () => {
    const pool = await articles('PALLET', 'BOX', 'CUP')
    const file = (sku: string, part: string) => `sku,parts\n${sku},${part} x6\n`
    const [, second] = await justBefore(
      it.context,
      (context) => importArticles(context, pool, file('PALLET', 'BOX')),
      () => importArticles(it.context, pool, file('BOX', 'CUP')),
    )
    expect(second).toMatchObject({ value: { errors: [{ line: 2 }] } })
    expect(await bundleNames(pool, 'PALLET', 'BOX')).toEqual(['PALLET'])
  })

  test('and many who do all of that at once do not wait for each other for ever', async () => {
    const pool = await articles('PALLET', 'BOX', 'CUP', 'LID')
    for (let n = 0; n < rounds; n++) {
      const found = await surprises([
        (await bundle(pool, 'PALLET', 'BOX'))(it.context),
        (await bundle(pool, 'BOX', 'CUP'))(it.context),
        importArticles(it.context, pool, 'sku,name,parts\nBOX,Box,LID x2\nPALLET,Pallet,CUP x60\n'),
        count(it.context, pool, { CUP: n, LID: n }),
      ])
      expect(found).toEqual([])
      expect((await bundleNames(pool, 'PALLET', 'BOX')).length).toBeGreaterThan(0)
    }
  })
})
