import type { PricedArticle } from '../../commerce/changes/price.ts'
import { type ArticleName, articleFor, bareIdsIn, noArticle, skusIn } from '../../commerce/inventory.ts'
import type { Fields } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { ArticleNames } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { turn } from './pages.ts'
import { productList, readProducts } from './products.ts'
import type { SquareShop } from './settings.ts'
import { toProduct } from './translate-product.ts'

/** A variant, and what it costs now. */
export interface Article extends PricedArticle {
  productId: string
}

const atOnce = 50
/** A list that goes round in circles has no end either. */
const maxPages = 1000

/**
 * The articles that these settings name, as they are now. Squarespace cannot look up a SKU: our copy says where to look, and
 * only where that does not suffice, all products are gone through, once for everything that is to be changed.
 */
export async function articlesFor(shop: SquareShop, settings: readonly ArticleName[]): Promise<readonly Article[]> {
  const names = { skus: skusIn(settings), variantIds: bareIdsIn(settings) }
  const articlesIn = (products: readonly Fields[]) => products.flatMap((product) => articlesOf(shop, product, names))
  const known = articlesIn(await readProducts(shop, (await shop.productsWith?.(names)) ?? []))
  if (settings.every((setting) => articleFor(setting, known) !== noArticle)) return known
  const found: Article[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < maxPages; pages++) {
    const page: Awaited<ReturnType<typeof turn>> = await turn(shop, productList({}), { cursor, limit: atOnce })
    found.push(...articlesIn(page.items))
    cursor = page.next
    if (cursor === null) return found
  }
  throw refused(say('too_many_products', { products: maxPages * atOnce }))
}

/** A product that cannot be read is none that could be named. */
function articlesOf(shop: SquareShop, raw: Fields, { skus, variantIds }: ArticleNames): Article[] {
  const product = readable(() => toProduct(raw, shop))
  if (product === null) return []
  return product.variants.flatMap(({ remote_id: variantId, sku, price, compare_at_price: before }) => {
    const isNamed = (sku !== null && skus.includes(sku)) || variantIds.includes(variantId)
    const costs = { currency: price?.currency ?? '', price: price?.amount ?? null, compareAt: before?.amount ?? null }
    return isNamed ? [{ sku, variantId, productId: product.remote_id, ...costs }] : []
  })
}

function readable<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
