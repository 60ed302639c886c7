import { type Static, Type } from 'typebox'
import { integer, maybe, nullable, object, requiredWithout, text } from '../lib/validation/fields.ts'

/** How much of one article a shop says it has, at one place. */
export const inventoryLevelSchema = Type.Object({
  sku: Type.String(),
  variant_remote_id: nullable(Type.String()),
  location_remote_id: nullable(Type.String()),
  available: Type.Integer(),
  on_hand: nullable(Type.Integer()),
  reserved: nullable(Type.Integer()),
  updated_at: nullable(Type.String()),
})
export type InventoryLevel = Static<typeof inventoryLevelSchema>

/** What the shop is to say from now on. Always the level itself, never a difference: sending it twice does no harm. */
export const inventorySettingSchema = object({
  sku: requiredWithout('variant_remote_id', text()),
  /** For articles that share a SKU with others, or have none. */
  variant_remote_id: maybe(text({ description: 'The shop’s id of the variant, where the SKU does not say which.' })),
  quantity: integer({ minimum: 0, maximum: 1_000_000_000 }),
  location: maybe(text()),
})
export type InventorySetting = Static<typeof inventorySettingSchema>

/** A level to be set, and where it matters, from which. */
export interface LevelToSet extends InventorySetting {
  /** What the shop is believed to show. Platforms that compare (`compares`) set nothing where they show something else. */
  expected?: number | null
}

/** An article at a place, by its SKU. */
export interface LevelName {
  sku: string
  location: string | null
}

/** Per setting: what became of it. */
export interface InventoryResult {
  sku: string | null
  /** Where the article was named by it. */
  variant_remote_id?: string
  location: string | null
  ok: boolean
  /** The platform's reason when it refused. */
  error: string | null
  /** What the shop shows instead of what was expected; nothing was set then. */
  found?: number
}

export const staleLevel = 'The shop shows another level by now.'

export const noArticle = 'The shop has no such article.'

export const settingResult = (
  { sku, variant_remote_id: id, location }: InventorySetting,
  error: string | null,
): InventoryResult => ({
  sku: sku ?? null,
  ...(id ? { variant_remote_id: id } : {}),
  location: location ?? null,
  ok: error === null,
  error,
})

/** How an article of the shop is named by who wants something changed about it. */
export type ArticleName = Pick<InventorySetting, 'sku' | 'variant_remote_id'>

/** Where articles are known by nothing but their SKU, the variant's id is the SKU as well. */
export const skuOf = ({ sku, variant_remote_id: id }: ArticleName): string => sku ?? id ?? ''

export const skusIn = (settings: readonly ArticleName[]): string[] => [
  ...new Set(settings.flatMap(({ sku }) => sku ?? [])),
]

/** Ids of variants that are named without a SKU to look them up by. */
export const bareIdsIn = (settings: readonly ArticleName[]): string[] => [
  ...new Set(settings.flatMap(({ sku, variant_remote_id: id }) => (sku == null && id ? [id] : []))),
]

/** Articles of a shop, each with the names that a setting may call it by. */
export interface NamedArticle {
  sku: string | null
  variantId: string
  /** Where ids of variants are not unique. */
  key?: string
}

/** The one article that is meant, or why there is none: several with one SKU are never guessed among. */
export function articleFor<Article extends NamedArticle>(
  { sku, variant_remote_id: id }: ArticleName,
  articles: readonly Article[],
): Article | string {
  const meant = articles.filter((one) => (sku == null || one.sku === sku) && (!id || one.variantId === id))
  const [first, ...others] = new Map(meant.map((one) => [one.key ?? one.variantId, one])).values()
  if (first === undefined) return noArticle
  if (others.length === 0) return first
  if (sku == null) return 'Several articles of the shop have this id; name the SKU as well.'
  const ids = [first, ...others].map(({ variantId }) => variantId)
  return `Several articles of the shop have this SKU: ${ids.join(', ')}. Name one of them by variant_remote_id.`
}
