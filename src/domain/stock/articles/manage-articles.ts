import { invalid, invalidField } from '../../../lib/fault.ts'
import { type Db, sqlState } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import { holdBundles } from '../pool-store.ts'
import type { Part, Pool } from '../stock.ts'
import { aimAt } from '../targets.ts'
import {
  type Article,
  type ArticleInput,
  articlesBySku,
  bundlesWith,
  changeArticle,
  hasMoved,
  insertArticles,
  partsOf,
  setParts,
} from './article-store.ts'
import { assertRoomForArticles } from './link-articles.ts'

type Needs = Pick<Context, 'db' | 'transaction'>

/** A part of a bundle, by the SKU of another article of the pool. */
export interface PartWish {
  sku: string
  quantity: number
}

export const createArticle = (
  context: Needs,
  pool: Pool,
  { parts, ...input }: ArticleInput & { parts?: readonly PartWish[] | undefined },
): Promise<Article> =>
  context.transaction(async (trx) => {
    if (parts !== undefined) await holdBundles(trx, pool.id)
    await assertRoomForArticles(trx, pool.id, 1)
    const [made] = await insertArticles(trx, pool.id, [input])
    if (!made) throw skuIsTaken()
    if (parts !== undefined) await putTogether(trx, pool, made, parts)
    return made
  })

export const updateArticle = (
  context: Needs,
  pool: Pool,
  article: Article,
  { parts, ...changes }: Partial<ArticleInput> & { parts?: readonly PartWish[] | undefined },
): Promise<Article> =>
  context.transaction(async (trx) => {
    if (parts !== undefined) await holdBundles(trx, pool.id)
    const changed = await changeArticle(trx, article, changes).catch((error: unknown) => {
      throw sqlState(error) === '23505' ? skuIsTaken() : error
    })
    if (parts !== undefined) await putTogether(trx, pool, changed, parts)
    return changed
  })

const skuIsTaken = () => invalidField('sku', 'The sku has already been taken.')

/**
 * What an article consists of: one box of six is `[{ sku: 'PIECE', quantity: 6 }]`. A bundle has no stock of its own, so
 * neither an article with movements becomes one, nor a bundle a part of another. Whoever calls holds the bundles of the pool.
 */
export async function putTogether(trx: Db, pool: Pool, article: Article, wishes: readonly PartWish[]): Promise<void> {
  const known = await articlesBySku(
    trx,
    pool.id,
    wishes.map(({ sku }) => sku),
  )
  const errors: Record<string, string[]> = {}
  const parts = new Map<number, Part>()
  for (const [n, { sku, quantity }] of wishes.entries()) {
    const part = known.get(sku)
    if (!part) errors[`parts.${n}.sku`] = ['No article of the pool has this SKU.']
    else if (part.id === article.id) errors[`parts.${n}.sku`] = ['An article is no part of itself.']
    else if (parts.has(part.id)) errors[`parts.${n}.sku`] = ['A part is named once.']
    else parts.set(part.id, { article_id: part.id, quantity })
  }
  const nested = await partsOf(trx, [...parts.keys()])
  for (const [n, { sku }] of wishes.entries())
    if (nested.has(known.get(sku)?.id ?? 0)) errors[`parts.${n}.sku`] = ['A bundle is no part of another bundle.']
  if (wishes.length > 0 && (await bundlesWith(trx, [article.id])).length > 0)
    errors['parts'] = ['The article is part of a bundle itself.']
  if (wishes.length > 0 && (await hasMoved(trx, article.id)))
    errors['parts'] = ['The article has stock of its own, and a bundle has none.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
  await setParts(trx, article.id, [...parts.values()])
  await aimAt(trx, pool.id, { articleIds: [article.id] })
}
