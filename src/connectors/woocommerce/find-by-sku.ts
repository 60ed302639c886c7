import type { NamedArticle } from '../../commerce/inventory.ts'
import { type Fields, idIn, maybeText, numberIn } from '../../commerce/reading.ts'
import { chunks } from '../../lib/chunks.ts'
import { findOne, listAll } from './pages.ts'
import { root, type WooShop } from './settings.ts'

/** An article by the number that the merchant gave it. */
export interface Article extends NamedArticle {
  productId: string
  /** Null where the product is its own only variant. */
  variationId: string | null
  row: Fields
}

const atOnce = 50

/**
 * Several numbers are asked for in one list, which the platform splits at commas: those that hold one are asked for by
 * themselves. Products and variations come alike; a number with other capitals is another number. Plug-ins allow the
 * same number twice, so there may be more than one of it.
 */
export async function findBySku(shop: WooShop, skus: readonly string[]): Promise<readonly Article[]> {
  const found: Article[] = []
  const wanted = [...new Set(skus)]
  const alone = wanted.filter((sku) => sku.includes(','))
  const together = wanted.filter((sku) => !sku.includes(',') && sku.trim() !== '')
  for (const sku of [...alone, ...chunks(together, atOnce).map((some) => some.join(','))]) {
    const rows = await listAll(shop, `${root}/products`, { sku })
    found.push(...rows.map(toArticle).filter((article) => article.sku !== null && wanted.includes(article.sku)))
  }
  return found
}

/** By the number that the shop itself gave it; a variation is found there as well as a product. */
export async function findById(shop: WooShop, ids: readonly string[]): Promise<readonly Article[]> {
  const rows: (Fields | null)[] = []
  for (const id of ids) rows.push(await findOne(shop, `${root}/products`, id))
  return rows.flatMap((row) => (row ? [toArticle(row)] : []))
}

function toArticle(row: Fields): Article {
  const id = idIn(row, 'id')
  const parent = row['type'] === 'variation' ? numberIn(row, 'parent_id') : 0
  const [productId, variationId] = parent === 0 ? [id, null] : [String(parent), id]
  return { sku: maybeText(row, 'sku'), variantId: id, productId, variationId, row }
}
