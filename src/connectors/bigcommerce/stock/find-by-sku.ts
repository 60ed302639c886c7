import { type Fields, maybeText } from '../../../commerce/reading.ts'
import { askPage } from '../ask.ts'
import type { BigShop } from '../settings.ts'

/** The variant with exactly this sku; null if there is none. */
export async function variantBySku(shop: BigShop, sku: string): Promise<Fields | null> {
  const { rows } = await askPage(shop, '/v3/catalog/variants', { sku, limit: 10 })
  return rows.find((one) => maybeText(one, 'sku') === sku) ?? null
}
