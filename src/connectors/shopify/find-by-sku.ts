import { type Fields, fieldsIn, maybeText } from '../../commerce/reading.ts'
import { ask, nextIn, nodesIn, type Query, quoted } from './ask.ts'
import type { ShopifyShop } from './settings.ts'

const bySku: Query = {
  cost: 8,
  text: `query Variants($query: String!, $after: String) {
  productVariants(first: 250, query: $query, after: $after) {
    pageInfo { hasNextPage endCursor }
    nodes { id sku inventoryItem { id } product { id variantsCount { count } } }
  }
}`,
}

const atOnce = 40

/**
 * Variants by their sku. The search is a search: it also finds what is only like it. Where an sku is there twice, the
 * first counts, as it does in the shop's own lists.
 */
export async function variantsBySku(shop: ShopifyShop, skus: readonly string[]): Promise<ReadonlyMap<string, Fields>> {
  const wanted = [...new Set(skus)]
  const found = new Map<string, Fields>()
  for (let start = 0; start < wanted.length; start += atOnce) {
    const some = wanted.slice(start, start + atOnce)
    const query = some.map((sku) => `sku:${quoted(sku)}`).join(' OR ')
    for (let after: string | null = null, more = true; more; ) {
      const data: Fields = await ask(shop, bySku, { query, after })
      for (const variant of nodesIn(data, 'productVariants')) {
        const sku = maybeText(variant, 'sku')
        if (sku !== null && some.includes(sku) && !found.has(sku)) found.set(sku, variant)
      }
      after = nextIn(fieldsIn(data, 'productVariants'))
      more = after !== null
    }
  }
  return found
}
