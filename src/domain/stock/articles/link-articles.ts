import { invalidField, notFound } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import { markOpenOrders } from '../manage-pool.ts'
import { lockShop, shopsOf } from '../pool-store.ts'
import type { Pool, PoolShop } from '../stock.ts'
import { aimAt } from '../targets.ts'
import {
  type Article,
  type ArticleInput,
  articlesByBarcode,
  articlesBySku,
  countArticles,
  insertArticles,
} from './article-store.ts'
import { variantsNamed, variantsOf } from './catalogue-store.ts'
import { deleteLink, insertLinks, type Link, linkedVariants, linksOfArticles } from './link-store.ts'
import { type Conflict, linkTo, match, placeFor, variantKey } from './match.ts'

type Needs = Pick<Context, 'db' | 'transaction'>

export const maxArticles = 100_000

export interface Linked {
  articles: number
  links: number
  conflicts: Conflict[]
}

export async function assertRoomForArticles(db: Db, poolId: number, more: number): Promise<void> {
  if ((await countArticles(db, poolId, maxArticles)) + more > maxArticles)
    throw invalidField('sku', `At most ${maxArticles} articles are allowed.`)
}

/**
 * Links what the shops stock to the articles of the pool, shop by shop, by SKU or barcode. With `create`, a SKU that no article has becomes
 * one: only where the shop has it once. With `shopIds`, of these shops only.
 */
export async function matchArticles(
  context: Needs,
  pool: Pool,
  { create, dry, shopIds }: { create: boolean; dry: boolean; shopIds?: readonly number[] | undefined },
): Promise<Linked> {
  const total: Linked = { articles: 0, links: 0, conflicts: [] }
  for (const shop of await shopsOf(context.db, pool.id)) {
    if (shopIds?.includes(shop.integration_id) === false) continue
    const one = await matchShop(context, pool, shop, { create, dry })
    total.articles += one.articles
    total.links += one.links
    total.conflicts.push(...one.conflicts)
  }
  return total
}

async function matchShop(
  context: Needs,
  pool: Pool,
  shop: PoolShop,
  { create, dry }: { create: boolean; dry: boolean },
): Promise<Linked> {
  const variants = await variantsOf(context.db, shop.integration_id)
  const link = async (trx: Db): Promise<Linked> => {
    const known = await articlesBySku(trx, pool.id, [...new Set(variants.map(({ sku }) => sku))])
    const barcodes = variants.flatMap(({ barcode }) => barcode ?? [])
    const byBarcode = await articlesByBarcode(trx, pool.id, [...new Set(barcodes)])
    const coded = new Set(byBarcode.map(({ barcode }) => barcode))
    const fresh = create
      ? variants.filter(({ sku, barcode }) => sku !== '' && !known.has(sku) && !coded.has(barcode))
      : []
    const inputs = onlyOnce(fresh).map(({ sku, barcode, name }): ArticleInput => ({ sku, barcode, name }))
    let made: Article[] = []
    if (dry) made = inputs.map((one, n) => planned(pool.id, one, -1 - n))
    else {
      await assertRoomForArticles(trx, pool.id, inputs.length)
      made = await insertArticles(trx, pool.id, inputs)
    }
    const articles = [...new Map([...known.values(), ...byBarcode, ...made].map((one) => [one.id, one])).values()]
    const held = await linkedVariants(trx, shop.integration_id)
    const { links, conflicts } = match(variants, articles, held, shop.location)
    if (dry) return { articles: made.length, links: links.length, conflicts }
    const inserted = await insertLinks(trx, pool.id, links)
    await afterLinks(trx, pool.id, inserted)
    return { articles: made.length, links: inserted.length, conflicts }
  }
  // Looking changes nothing, and holds nobody up.
  if (dry) return await link(context.db)
  return await context.transaction(async (trx) => {
    const isThere = (await lockShop(trx, shop.integration_id))?.pool_id === pool.id
    return isThere ? await link(trx) : { articles: 0, links: 0, conflicts: [] }
  })
}

const planned = (poolId: number, { sku, barcode = null, name = null }: ArticleInput, id: number): Article => ({
  ...{ id, pool_id: poolId, sku, barcode, name, created_at: '', updated_at: '' },
})

const onlyOnce = <Item extends { sku: string }>(items: readonly Item[]): Item[] => {
  const counts = new Map<string, number>()
  for (const { sku } of items) counts.set(sku, (counts.get(sku) ?? 0) + 1)
  return items.filter(({ sku }) => counts.get(sku) === 1)
}

/** What the shops are to show of it, and what was sold of it before it was linked. */
async function afterLinks(trx: Db, poolId: number, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return
  await aimAt(trx, poolId, { articleIds: [...new Set(links.map((link) => link.article_id))] })
  for (const shop of new Set(links.map((link) => link.integration_id))) await markOpenOrders(trx, shop)
}

export interface LinkWish {
  integrationId: number
  sku?: string | null | undefined
  remoteId?: string | null | undefined
  location?: string | null | undefined
}

/** By hand or from a file: the variant is named, and has to be exactly one that our copy of the shop knows. */
export async function linkArticle(context: Needs, pool: Pool, article: Article, wish: LinkWish): Promise<Link> {
  return await context.transaction(async (trx) => (await linkIn(trx, pool, article, wish, 'hand')).link)
}

export async function linkIn(
  trx: Db,
  pool: Pool,
  article: Article,
  { integrationId, sku, remoteId, location }: LinkWish,
  by: 'hand' | 'file',
  /** What is linked as it should be is no mistake. */
  { again = false }: { again?: boolean } = {},
): Promise<{ link: Link; isNew: boolean }> {
  // It may not leave meanwhile, and nobody else links the same article to another of its variants.
  const shop = await lockShop(trx, integrationId)
  if (shop?.pool_id !== pool.id) throw invalidField('integration_id', 'The shop is not in the pool.')
  const [variant, ...others] = await variantsNamed(trx, integrationId, { sku, remoteId })
  if (!variant) throw invalidField('sku', 'The shop stocks no such variant, as far as it has been read.')
  if (others.length > 0) {
    const ids = [variant, ...others].map((one) => one.remote_id).join(', ')
    throw invalidField('variant_remote_id', `Several variants of the shop have this SKU: ${ids}. Name one of them.`)
  }
  const place = placeFor(variant, location ?? shop.location)
  if (place === null)
    throw invalidField('location', 'The shop stocks it at several locations, or not at this one. Name one.')
  const held = (await linksOfArticles(trx, [article.id])).find((one) => one.integration_id === integrationId)
  if (held && again && variantKey(held) === variantKey(variant)) return { link: held, isNew: false }
  if (held) throw invalidField('integration_id', 'The article is linked to a variant of this shop already.')
  const [made] = await insertLinks(trx, pool.id, [{ article_id: article.id, ...linkTo(variant, place), made_by: by }])
  if (!made) throw invalidField('sku', 'The variant is linked to another article.')
  await afterLinks(trx, pool.id, [made])
  return { link: made, isNew: true }
}

/** The shop keeps what it shows. */
export const unlinkArticle = (context: Needs, article: Article, linkId: number): Promise<Link> =>
  context.transaction(async (trx) => {
    const link = await deleteLink(trx, article.id, linkId)
    if (link.pool_id !== article.pool_id) throw notFound()
    return link
  })
