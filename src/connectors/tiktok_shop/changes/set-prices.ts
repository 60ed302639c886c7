import { changePrices, type PricedArticle, type PriceSetting } from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector/parts.ts'
import { bareIdsIn, skusIn } from '../../../commerce/inventory.ts'
import { type Fields, maybeText, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refusalReason } from '../../../commerce/remote.ts'
import { ask, isId } from '../ask.ts'
import { listingsWith } from '../listings.ts'
import type { Credentials, Settings, TikTokShop } from '../settings.ts'
import { priceOf } from '../translate-product.ts'

/** The price before a reduction is checked by people at TikTok, and kept in the United States only. */
export const prices: Prices<Settings, Credentials> = { compareAt: false, set: { repeatable: true, send: setPrices } }

interface Article extends PricedArticle {
  productId: string
}

async function setPrices(shop: TikTokShop, settings: readonly PriceSetting[]) {
  const names = { skus: skusIn(settings), variantIds: bareIdsIn(settings).filter(isId) }
  const articles = (await listingsWith(shop, names)).flatMap(articlesIn)
  return await changePrices(settings, articles, async (changes) => {
    const refusals = new Map<Article, string>()
    for (const [product, some] of Map.groupBy(changes, ({ article }) => article.productId)) {
      const skus = some.map(({ article, price }) => ({
        id: article.variantId,
        price: { amount: price, currency: article.currency },
      }))
      const path = `/product/202309/products/${product}/prices/update`
      const reason = await refusalReason(() => ask(shop, { method: 'POST', path, body: { skus }, repeatable: true }))
      for (const { article } of reason === null ? [] : some) refusals.set(article, reason ?? '')
    }
    return refusals
  })
}

function articlesIn(listing: Fields): Article[] {
  return recordsIn(listing, 'skus').flatMap((sku) => {
    const price = priceOf(sku)
    if (price === null) return []
    const article = {
      sku: maybeText(sku, 'seller_sku'),
      variantId: textIn(sku, 'id'),
      productId: textIn(listing, 'id'),
    }
    return [{ ...article, price: price.amount, currency: price.currency, compareAt: null }]
  })
}
