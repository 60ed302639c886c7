import {
  articleFor,
  bareIdsIn,
  type InventoryResult,
  type InventorySetting,
  type NamedArticle,
  settingResult,
  skusIn,
} from '../../commerce/inventory.ts'
import { type Fields, isFields, maybeFields, maybeText, recordsIn, textIn } from '../../commerce/reading.ts'
import { refusalReason } from '../../commerce/remote.ts'
import { ask, isId } from './ask.ts'
import { listingsWith } from './listings.ts'
import type { TikTokShop } from './settings.ts'
import { levelsIn } from './translate-product.ts'

interface Article extends NamedArticle {
  product: string
  /** By warehouse, as it is and as it becomes. */
  levels: Map<string, number>
}

/** What TikTok Shop takes of an article in one warehouse. */
const maxQuantity = 99_999

/** All warehouses of an article are named with it, those that stay as they are too. */
export async function setLevels(shop: TikTokShop, settings: readonly InventorySetting[]): Promise<InventoryResult[]> {
  const names = { skus: skusIn(settings), variantIds: bareIdsIn(settings).filter(isId) }
  const articles = (await listingsWith(shop, names)).flatMap(articlesIn)
  const errors = new Map<InventorySetting, string | null>()
  const changes: { setting: InventorySetting; article: Article }[] = []
  for (const setting of settings) {
    const article = articleFor(setting, articles)
    const error = typeof article === 'string' ? article : change(article, setting)
    errors.set(setting, error)
    if (typeof article !== 'string' && error === null) changes.push({ setting, article })
  }
  for (const [product, some] of Map.groupBy(changes, ({ article }) => article.product)) {
    const refusals = await send(shop, product, new Set(some.map(({ article }) => article)))
    for (const { setting, article } of some) errors.set(setting, refusals(article.variantId))
  }
  return settings.map((setting) => settingResult(setting, errors.get(setting) ?? null))
}

const articlesIn = (listing: Fields): Article[] =>
  recordsIn(listing, 'skus').map((sku) => ({
    ...{ sku: maybeText(sku, 'seller_sku'), variantId: textIn(sku, 'id'), product: textIn(listing, 'id') },
    levels: new Map(levelsIn(sku).map(({ warehouse, quantity }) => [warehouse, quantity])),
  }))

/** Why it cannot be; null where it is noted. */
function change({ levels }: Article, { location, quantity }: InventorySetting): string | null {
  const [only, ...others] = levels.keys()
  const warehouse = location ?? (others.length === 0 ? only : undefined)
  if (warehouse === undefined)
    return `The article is kept in several warehouses: ${[...levels.keys()].join(', ')}. Name one of them as location.`
  if (!levels.has(warehouse)) return 'The article is not kept in this warehouse.'
  if (quantity > maxQuantity) return 'TikTok Shop takes at most 99,999 pieces of an article in a warehouse.'
  levels.set(warehouse, quantity)
  return null
}

/** The answer is yes, and tells in it of which articles it is no. */
async function send(
  shop: TikTokShop,
  product: string,
  articles: ReadonlySet<Article>,
): Promise<(id: string) => string | null> {
  const skus = [...articles].map(({ variantId: id, levels }) => ({
    id,
    inventory: [...levels].map(([warehouse_id, quantity]) => ({ warehouse_id, quantity })),
  }))
  const refused = new Map<string | null, string>()
  const whole = await refusalReason(async () => {
    const path = `/product/202309/products/${product}/inventory/update`
    const data = await ask(shop, { method: 'POST', path, body: { skus }, repeatable: true })
    for (const error of data['errors'] == null ? [] : recordsIn(data, 'errors')) {
      const detail = maybeFields(error, 'detail')
      refused.set(detail && maybeText(detail, 'sku_id'), reasonOf(error, detail))
    }
  })
  return (id) => whole ?? refused.get(id) ?? refused.get(null) ?? null
}

/** The first of the reasons behind it says more than it does. */
function reasonOf(error: Fields, detail: Fields | null): string {
  const [first] = detail && Array.isArray(detail['extra_errors']) ? detail['extra_errors'] : []
  const words = isFields(first) ? maybeText(first, 'message') : null
  return words ?? maybeText(error, 'message') ?? 'TikTok Shop rejected the level.'
}
