import {
  changePrices,
  type PriceChange,
  type PricedArticle,
  type PriceSetting,
} from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector/parts.ts'
import { type Fields, fieldsIn, idIn, maybeText } from '../../../commerce/reading.ts'
import { refusalReason, refused } from '../../../commerce/remote.ts'
import type { ArticleNames } from '../../../commerce/shop.ts'
import { say } from '../../../commerce/words/say.ts'
import { moneyIn } from '../amounts.ts'
import type { Credentials, EtsyShop, Settings } from '../settings.ts'
import { offeringsIn, productsIn } from '../translate-product.ts'
import { articlesFor, changeListing, isNamed, nameOf, type OfferChange, variantIdOf } from './change-listing.ts'

/** Sales are a matter of the shop there, and not of its listings. */
export const prices: Prices<Settings, Credentials> = { compareAt: false, set: { repeatable: true, send: setPrices } }

interface Article extends PricedArticle {
  listing: Fields
  /** What it is called within its listing: ids of products change with every change. */
  name: string
}

async function setPrices(shop: EtsyShop, settings: readonly PriceSetting[]) {
  const articles = await articlesFor(shop, settings, articlesIn)
  return await changePrices(settings, articles, async (changes) => {
    const refusals = new Map<Article, string>()
    for (const [listing, some] of Map.groupBy(changes, ({ article }) => article.listing)) {
      const reason = await refusalReason(() => changeListing(shop, listing, pricesIn(listing, some)))
      for (const { article } of reason === null ? [] : some) refusals.set(article, reason ?? '')
    }
    return refusals
  })
}

/** A listing whose prices differ by nothing has one price. */
function pricesIn(listing: Fields, changes: readonly PriceChange<Article>[]): (product: Fields) => OfferChange {
  const { price_on_property: by } = fieldsIn(listing, 'inventory')
  const isShared = !Array.isArray(by) || by.length === 0
  const [only, ...others] = new Set(changes.map(({ price }) => price))
  if (isShared && others.length > 0) throw refused(say('one_price'))
  const own = (product: Fields) => changes.find(({ article }) => article.name === nameOf(product))?.price
  return (product) => ({ quantity: null, price: (isShared ? only : own(product)) ?? null })
}

function articlesIn(listing: Fields, names: ArticleNames): Article[] {
  return productsIn(listing).flatMap((product) => {
    const [offer] = offeringsIn(product)
    if (!offer || !isNamed(product, names)) return []
    const { amount: price, currency } = moneyIn(offer, 'price')
    const article = { sku: maybeText(product, 'sku'), variantId: variantIdOf(product), listing, name: nameOf(product) }
    return [{ ...article, productId: idIn(listing, 'listing_id'), price, currency, compareAt: null }]
  })
}
