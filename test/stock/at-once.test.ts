import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkArticle, matchArticles } from '../../src/domain/stock/articles/link-articles.ts'
import { linksOfArticles } from '../../src/domain/stock/articles/link-store.ts'
import { createArticle, updateArticle } from '../../src/domain/stock/articles/manage-articles.ts'
import { leavePool, setShop } from '../../src/domain/stock/manage-pool.ts'
import { Fault } from '../../src/lib/fault.ts'
import { createTestContext, type TestContext } from '../support/context.ts'
import { addShop, makePool } from '../support/stock-pool.ts'

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
