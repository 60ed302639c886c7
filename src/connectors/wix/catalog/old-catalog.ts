import type { RawPage, ReadQuery } from '../../../commerce/connector/reads.ts'
import {
  articleFor,
  bareIdsIn,
  type InventoryResult,
  type InventorySetting,
  type NamedArticle,
  noArticle,
  settingResult,
  skusIn,
} from '../../../commerce/inventory.ts'
import { type Fields, numberIn, recordsIn, textIn, timeIn, timeOf } from '../../../commerce/reading.ts'
import { refusalReason, refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { chunks } from '../../../lib/chunks.ts'
import { ask, askList } from '../ask.ts'
import { mostPages } from '../pages.ts'
import { isId, type WixShop } from '../settings.ts'
import { oldVariantsOf } from './translate-old-product.ts'

/** Catalog V1, which a site has until Wix moves it to V3: one number for each article, and no places. */

const most = 100
const start = 'v1|'

/** Cursors of this catalogue say so: the next page need not be asked for in the other one first. */
export const isOfOldCatalog = (cursor: string | null): boolean => cursor?.startsWith(start) === true

/** Wix cannot be asked here for what changed: all products are read, and what is older is left out. */
export async function listOldProducts(shop: WixShop, query: ReadQuery): Promise<RawPage> {
  const page = await oldPage(shop, query)
  const since = query.updatedSince === null ? null : timeOf(query.updatedSince)
  return { ...page, items: page.items.filter((one) => since === null || timeIn(one, 'lastUpdated') >= since) }
}

export async function getOldProduct(shop: WixShop, id: string): Promise<Fields | null> {
  const [product = null] = await productsWith(shop, [id])
  return product
}

/** Products have the stock of their variants with them, and with that the SKU, which lists of stock leave out. */
export async function listOldLevels(shop: WixShop, query: ReadQuery): Promise<RawPage> {
  const page = await oldPage(shop, query)
  return { ...page, items: page.items.flatMap(oldLevelsOf) }
}

const oldLevelsOf = (product: Fields): Fields[] =>
  oldVariantsOf(product).flatMap(({ id, sku, quantity }) =>
    sku === null || quantity === null ? [] : [{ variantId: id, quantity, product: { variantSku: sku } }],
  )

async function oldPage(shop: WixShop, { cursor, limit }: Pick<ReadQuery, 'cursor' | 'limit'>) {
  const [, at = '0'] = /^v1\|(\d{1,9})$/.exec(cursor ?? `${start}0`) ?? []
  if (isOfOldCatalog(cursor) && cursor !== `${start}${at}`) throw refused(say('invalid_cursor'))
  const offset = Number(at)
  const size = Math.min(limit, most)
  const body = await askProducts(shop, { paging: { limit: size, offset } })
  const items = body['products'] == null ? [] : recordsIn(body, 'products')
  const total = body['totalResults'] == null ? null : numberIn(body, 'totalResults')
  const isMore = total === null ? items.length === size : offset + items.length < total && items.length > 0
  return { items, next: isMore ? `${start}${offset + items.length}` : null, total }
}

/** Questions are texts within the question. In the order of their numbers products stay where they are. */
const askProducts = (shop: WixShop, query: Fields): Promise<Fields> =>
  askList(shop, '/stores-reader/v1/products/query', {
    query: { sort: '[{"numericId":"asc"}]', ...query },
    ...{ includeVariants: true, includeHiddenProducts: true },
  })

async function productsWith(shop: WixShop, ids: readonly string[]): Promise<readonly Fields[]> {
  const filter = JSON.stringify({ id: { $in: ids } })
  return recordsIn(await askProducts(shop, { filter, paging: { limit: most } }), 'products')
}

interface Article extends NamedArticle {
  product: string
  /** As this catalogue calls it: nothing but zeros where there is one variant only. */
  own: string
}

/** Levels themselves, which may be sent again; each product by itself. */
export async function setOldLevels(shop: WixShop, settings: readonly InventorySetting[]): Promise<InventoryResult[]> {
  const articles = await articlesFor(shop, settings)
  const results = settings.map((setting) => {
    const found = articleFor(setting, articles)
    const isElsewhere = typeof found !== 'string' && !!setting.location
    const error = typeof found === 'string' ? found : isElsewhere ? 'The article is not kept at this location.' : null
    return { setting, article: typeof found === 'string' ? null : found, error }
  })
  const ready = results.filter(({ error }) => error === null)
  for (const [product, some] of Map.groupBy(ready, ({ article }) => article?.product ?? '')) {
    const variants = some.map(({ setting, article }) => ({ variantId: article?.own, quantity: setting.quantity }))
    const body = { inventoryItem: { trackQuantity: true, variants } }
    const path = `/stores/v2/inventoryItems/product/${product}`
    const reason = await refusalReason(() => ask(shop, { method: 'PATCH', path, body, repeatable: true }))
    for (const one of some) one.error = reason
  }
  return results.map(({ setting, error }) => settingResult(setting, error))
}

/** Our copy says where to look; all products are gone through only where it does not know. */
async function articlesFor(shop: WixShop, settings: readonly InventorySetting[]): Promise<readonly Article[]> {
  const names = { skus: skusIn(settings), variantIds: bareIdsIn(settings) }
  const known: Article[] = []
  for (const some of chunks(((await shop.productsWith?.(names)) ?? []).filter(isId), most))
    known.push(...(await productsWith(shop, some)).flatMap(articlesIn))
  if (settings.every((setting) => articleFor(setting, known) !== noArticle)) return known
  const all: Article[] = []
  let cursor: string | null = `${start}0`
  for (let pages = 0; cursor !== null && pages < mostPages; pages++) {
    const page: Awaited<ReturnType<typeof oldPage>> = await oldPage(shop, { cursor, limit: most })
    all.push(...page.items.flatMap(articlesIn))
    cursor = page.next
  }
  return all
}

const articlesIn = (product: Fields): Article[] =>
  oldVariantsOf(product).map(({ id, own, sku }) => ({ sku, variantId: id, own, product: textIn(product, 'id') }))
