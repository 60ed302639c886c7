import { type Fields, idIn, numberIn } from '../../commerce/reading.ts'
import { listAll } from './pages.ts'
import { root, type WooShop } from './settings.ts'

/** An article by the number that the merchant gave it. */
export interface Article {
  productId: string
  /** Null where the product is its own only variant. */
  variationId: string | null
  row: Fields
}

const atOnce = 50

/**
 * Several numbers are asked for in one list, which the platform splits at commas: those that hold one are asked for by
 * themselves. Products and variations come alike; a number with other capitals is another number.
 */
export async function findBySku(shop: WooShop, skus: readonly string[]): Promise<ReadonlyMap<string, Article>> {
  const found = new Map<string, Article>()
  const wanted = [...new Set(skus)]
  const alone = wanted.filter((sku) => sku.includes(','))
  const together = wanted.filter((sku) => !sku.includes(',') && sku.trim() !== '')
  for (const sku of [...alone, ...chunks(together).map((some) => some.join(','))]) {
    for (const row of await listAll(shop, `${root}/products`, { sku })) {
      const own = row['sku']
      if (typeof own !== 'string' || !wanted.includes(own)) continue
      const parent = row['type'] === 'variation' ? numberIn(row, 'parent_id') : 0
      const id = idIn(row, 'id')
      found.set(own, { productId: parent === 0 ? id : String(parent), variationId: parent === 0 ? null : id, row })
    }
  }
  return found
}

export const chunks = <T>(all: readonly T[], size = atOnce): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))
