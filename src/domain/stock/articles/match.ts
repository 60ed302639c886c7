import type { Article } from './article-store.ts'
import type { ShopVariant } from './catalogue-store.ts'
import type { Link, NewLink } from './link-store.ts'

/** Why an article and a variant were not linked. Somebody has to say what is meant. */
export interface Conflict {
  reason: 'same_sku_twice' | 'several_articles' | 'linked_elsewhere' | 'several_locations' | 'unknown_variant'
  integration_id: number
  sku: string
  barcode: string | null
  remote_ids: readonly string[]
  article_ids: readonly number[]
  message: string
}

export interface Matching {
  links: NewLink[]
  conflicts: Conflict[]
}

const groupBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string | null): Map<string, Item[]> => {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    if (key !== null && key !== '') groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}

/**
 * Variants of one shop and the articles of a pool: linked where a SKU, or else a barcode, names exactly one of each. Whatever is
 * not certain is a conflict, and nothing is linked for it.
 */
export function match(
  variants: readonly ShopVariant[],
  articles: readonly Article[],
  held: readonly Pick<Link, 'article_id' | 'remote_id' | 'sku'>[],
  location: string | null,
): Matching {
  const links: NewLink[] = []
  const conflicts: Conflict[] = []
  const taken = new Set(held.map(variantKey))
  const linked = groupBy(held, ({ article_id: id }) => String(id))
  const bySku = groupBy(variants, ({ sku }) => sku)
  const byBarcode = groupBy(variants, ({ barcode }) => barcode)
  const articlesBySku = groupBy(articles, ({ sku }) => sku)
  const articlesByBarcode = groupBy(articles, ({ barcode }) => barcode)
  for (const variant of variants) {
    if (taken.has(variantKey(variant))) continue
    const of = (reason: Conflict['reason'], message: string, meant: readonly Article[], rivals = [variant]) =>
      conflicts.push({
        ...{ reason, message, integration_id: variant.integration_id, sku: variant.sku, barcode: variant.barcode },
        remote_ids: rivals.map(({ remote_id: id }) => id),
        article_ids: meant.map(({ id }) => id),
      })
    const sameSku = articlesBySku.get(variant.sku) ?? []
    const sameBarcode = variant.barcode === null ? [] : (articlesByBarcode.get(variant.barcode) ?? [])
    const meant = [...new Set([...sameSku, ...sameBarcode])]
    const [article] = meant
    if (article === undefined) continue
    if (meant.length > 1) {
      of('several_articles', 'SKU and barcode of the variant belong to different articles.', meant)
      continue
    }
    const by = sameSku.length > 0 ? 'sku' : 'barcode'
    const rivals = (by === 'sku' ? bySku.get(variant.sku) : byBarcode.get(variant.barcode ?? '')) ?? []
    if (rivals.length > 1) {
      const reported = conflicts.some((one) => one.reason === 'same_sku_twice' && one.sku === variant.sku)
      if (!reported) of('same_sku_twice', `Several variants of the shop have this ${by}.`, meant, rivals)
      continue
    }
    if ((linked.get(String(article.id)) ?? []).length > 0 || links.some((link) => link.article_id === article.id)) {
      of('linked_elsewhere', 'The article is linked to another variant of this shop already.', meant)
      continue
    }
    const place = placeFor(variant, location)
    if (place === null) {
      of('several_locations', 'The shop stocks it at several locations: the rule of the shop has to name one.', meant)
      continue
    }
    links.push({ article_id: article.id, ...linkTo(variant, place), made_by: by })
  }
  return { links, conflicts }
}

export const variantKey = ({ remote_id: id, sku }: Pick<Link, 'remote_id' | 'sku'>) => JSON.stringify([id, sku])

export const linkTo = (variant: ShopVariant, location: string): Omit<NewLink, 'article_id' | 'made_by'> => ({
  integration_id: variant.integration_id,
  remote_id: variant.remote_id,
  sku: variant.sku,
  location,
  shows: variant.levels.find((level) => level.location === location)?.quantity ?? null,
})

/** The only location, or the one that the rule names; null where it is not certain. */
export function placeFor({ levels }: ShopVariant, location: string | null): string | null {
  if (location !== null && levels.some((level) => level.location === location)) return location
  const [only, ...others] = levels
  return only !== undefined && others.length === 0 ? only.location : null
}
