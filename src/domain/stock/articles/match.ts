import type { Article } from './article-store.ts'
import type { ShopVariant } from './catalogue-store.ts'
import type { Link, NewLink } from './link-store.ts'

export const conflictReasons = ['same_sku_twice', 'several_articles', 'linked_elsewhere', 'several_locations'] as const

/** Why an article and a variant were not linked. Somebody has to say what is meant. */
export interface Conflict {
  reason: (typeof conflictReasons)[number]
  integration_id: number
  sku: string
  barcode: string | null
  remote_ids: readonly string[]
  article_ids: readonly number[]
  /** Where the shop stocks it. */
  locations: readonly string[]
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
    if (key === null || key === '') continue
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

const byThemselves: readonly Link['made_by'][] = ['sku', 'barcode']

/**
 * Variants of one shop and the articles of a pool: linked where a SKU, or else a barcode, names exactly one of each. Whatever is
 * not certain is a conflict, and nothing is linked for it.
 */
export function match(
  variants: readonly ShopVariant[],
  articles: readonly Article[],
  held: readonly Pick<Link, 'article_id' | 'remote_id' | 'sku' | 'made_by'>[],
  location: string | null,
): Matching {
  const links: NewLink[] = []
  const conflicts: Conflict[] = []
  const taken = new Set(held.map(variantKey))
  const linked = new Set(held.map(({ article_id: id }) => id))
  // Somebody has said which variant is meant: then the others are not.
  const decided = new Set(held.flatMap(({ article_id: id, made_by: by }) => (byThemselves.includes(by) ? [] : id)))
  const reported = new Set<readonly ShopVariant[]>()
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
        locations: [...new Set(rivals.flatMap(({ levels }) => levels.map((level) => level.location)))].filter(Boolean),
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
    if (decided.has(article.id)) continue
    const by = sameSku.length > 0 ? 'sku' : 'barcode'
    const rivals = (by === 'sku' ? bySku.get(variant.sku) : byBarcode.get(variant.barcode ?? '')) ?? []
    if (linked.has(article.id)) {
      of('linked_elsewhere', 'The article is linked to another variant of this shop already.', meant)
      continue
    }
    if (rivals.length > 1) {
      const what = by === 'sku' ? 'SKU' : 'barcode'
      if (!reported.has(rivals)) of('same_sku_twice', `Several variants of the shop have this ${what}.`, meant, rivals)
      reported.add(rivals)
      continue
    }
    const place = placeFor(variant, location)
    if (place === null) {
      of('several_locations', 'The shop stocks it at several locations: the rule of the shop has to name one.', meant)
      continue
    }
    links.push({ article_id: article.id, ...linkTo(variant, place), made_by: by })
    linked.add(article.id)
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
