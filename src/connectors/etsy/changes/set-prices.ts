import {
  changePrices,
  type PriceChange,
  type PricedArticle,
  type PriceSetting,
} from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector.ts'
import { bareIdsIn, skusIn } from '../../../commerce/inventory.ts'
import { type Fields, idIn, maybeText } from '../../../commerce/reading.ts'
import { refusalReason, refused } from '../../../commerce/remote.ts'
import { moneyIn } from '../amounts.ts'
import { listListings, maxListings } from '../listings.ts'
import { changeListing, nameOf } from '../set-levels.ts'
import type { Credentials, EtsyShop, Settings } from '../settings.ts'
import { offeringsIn, productsIn } from '../translate-product.ts'

/** Sales are a matter of the shop there, and not of its listings. */
export const prices: Prices<Settings, Credentials> = { compareAt: false, set: { repeatable: true, send: setPrices } }

interface Article extends PricedArticle {
  productId: string
  /** What it is called within its listing: ids of products change with every change. */
  name: string
}

async function setPrices(shop: EtsyShop, settings: readonly PriceSetting[]) {
  return await changePrices(settings, await articlesOf(shop, settings), async (changes) => {
    const refusals = new Map<Article, string>()
    for (const [listing, some] of Map.groupBy(changes, ({ article }) => article.productId)) {
      const reason = await refusalReason(() => changeListing(shop, listing, pricesIn(some)))
      for (const { article } of reason === null ? [] : some) refusals.set(article, reason ?? '')
    }
    return refusals
  })
}

/** A listing whose prices differ by nothing has one price. */
const pricesIn =
  (changes: readonly PriceChange<Article>[]) =>
  ({ price_on_property: by }: Fields) => {
    const isShared = !Array.isArray(by) || by.length === 0
    const [only, ...others] = new Set(changes.map(({ price }) => price))
    if (isShared && others.length > 0) throw refused('All articles of the listing have one price.')
    const own = (product: Fields) => changes.find(({ article }) => article.name === nameOf(product))?.price
    return (product: Fields) => ({ quantity: null, price: (isShared ? only : own(product)) ?? null })
  }

/** They cannot be looked up by SKU, so all listings are gone through, once for everything that is to be set. */
async function articlesOf(shop: EtsyShop, settings: readonly PriceSetting[]): Promise<Article[]> {
  const [skus, ids] = [skusIn(settings), bareIdsIn(settings)]
  const found: Article[] = []
  for (let cursor: string | null = null; ; ) {
    const page = await listListings(shop, { cursor, limit: maxListings })
    for (const listing of page.items)
      for (const product of productsIn(listing)) {
        const [offer] = offeringsIn(product)
        const [sku, variantId] = [
          maybeText(product, 'sku'),
          product['product_id'] == null ? '' : idIn(product, 'product_id'),
        ]
        if (!offer || !((sku !== null && skus.includes(sku)) || ids.includes(variantId))) continue
        const { amount: price, currency } = moneyIn(offer, 'price')
        const productId = idIn(listing, 'listing_id')
        found.push({ sku, variantId, productId, name: nameOf(product), price, currency, compareAt: null })
      }
    cursor = page.next
    if (cursor === null) return found
  }
}
