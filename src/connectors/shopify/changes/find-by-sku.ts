import type { NamedArticle } from '../../../commerce/inventory.ts'
import { type Fields, fieldsIn, isFields, maybeText, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { chunks } from '../../../lib/chunks.ts'
import { ask, isGid, nextIn, nodesIn, type Query, quoted } from '../ask.ts'
import type { ShopifyShop } from '../settings.ts'

const bySku: Query = {
  cost: 8,
  text: `query Variants($query: String!, $after: String) {
  productVariants(first: 250, query: $query, after: $after) {
    pageInfo { hasNextPage endCursor }
    nodes { id sku price compareAtPrice inventoryItem { id } product { id variantsCount { count } } }
  }
}`,
}

const atOnce = 40

/** The only variant of each sku; those of an sku that several have are no answer. */
export async function variantsBySku(shop: ShopifyShop, skus: readonly string[]): Promise<ReadonlyMap<string, Fields>> {
  const found = Map.groupBy(await allBySku(shop, skus), ({ sku }) => sku)
  return new Map(
    [...found].map(([sku, [first, ...others]]) => {
      if (!first || others.length > 0) throw refused(say('sku_ambiguous', { sku }))
      return [String(sku), first.variant]
    }),
  )
}

export interface Article extends NamedArticle {
  variant: Fields
}

const toArticle = (variant: Fields): Article => ({
  sku: maybeText(variant, 'sku'),
  variantId: textIn(variant, 'id'),
  variant,
})

/** Variants by their sku. The search is a search: it also finds what is only like it. */
export async function allBySku(shop: ShopifyShop, skus: readonly string[]): Promise<readonly Article[]> {
  const wanted = [...new Set(skus)]
  const found: Article[] = []
  for (const some of chunks(wanted, atOnce)) {
    const query = some.map((sku) => `sku:${quoted(sku)}`).join(' OR ')
    for (let after: string | null = null, more = true; more; ) {
      const data: Fields = await ask(shop, bySku, { query, after })
      for (const variant of nodesIn(data, 'productVariants')) {
        const sku = maybeText(variant, 'sku')
        if (sku !== null && some.includes(sku)) found.push(toArticle(variant))
      }
      after = nextIn(fieldsIn(data, 'productVariants'))
      more = after !== null
    }
  }
  return found
}

const byId: Query = {
  cost: 8,
  text: `query VariantsById($ids: [ID!]!) {
  nodes(ids: $ids) { ... on ProductVariant { id sku price compareAtPrice inventoryItem { id } product { id } } }
}`,
}

export async function allById(shop: ShopifyShop, ids: readonly string[]): Promise<readonly Article[]> {
  const wanted = ids.filter((id) => isGid(id, 'ProductVariant'))
  const found: Article[] = []
  for (const some of chunks(wanted, atOnce)) {
    const { nodes } = await ask(shop, byId, { ids: some })
    found.push(
      ...(Array.isArray(nodes)
        ? nodes
            .filter(isFields)
            .filter(({ id }) => id != null)
            .map(toArticle)
        : []),
    )
  }
  return found
}
