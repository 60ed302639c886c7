import {
  changePrices,
  type PriceChange,
  type PricedArticle,
  type PriceSetting,
} from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector/parts.ts'
import { bareIdsIn, skusIn } from '../../../commerce/inventory.ts'
import { type Fields, fieldsIn, maybeText, recordsIn, textIn } from '../../../commerce/reading.ts'
import { chunks } from '../../../lib/chunks.ts'
import { ask, attempt } from '../ask.ts'
import { setPrice, shopBooks } from '../documents/products.ts'
import type { Credentials, Settings, ShopifyShop } from '../settings.ts'
import { allById, allBySku } from './find-by-sku.ts'

export const prices: Prices<Settings, Credentials> = { compareAt: true, set: { repeatable: true, send: setPrices } }

interface Article extends PricedArticle {
  productId: string
}

async function setPrices(shop: ShopifyShop, settings: readonly PriceSetting[]) {
  return await changePrices(settings, await articlesOf(shop, settings), async (changes) => {
    const refusals = new Map<Article, string>()
    for (const [product, some] of Map.groupBy(changes, ({ article }) => article.productId))
      for (const part of chunks(some, atOnce)) await setOfProduct(shop, product, part, refusals)
    return refusals
  })
}

async function articlesOf(shop: ShopifyShop, settings: readonly PriceSetting[]): Promise<Article[]> {
  const currency = textIn(fieldsIn(await ask(shop, shopBooks), 'shop'), 'currencyCode')
  const found = [...(await allBySku(shop, skusIn(settings))), ...(await allById(shop, bareIdsIn(settings)))]
  return found.map(({ sku, variantId, variant }) => ({
    ...{ sku, variantId, currency, productId: textIn(fieldsIn(variant, 'product'), 'id') },
    ...{ price: maybeText(variant, 'price'), compareAt: maybeText(variant, 'compareAtPrice') },
  }))
}

/** Variants are changed product by product, so many of one at a time. */
const atOnce = 250

/** All of a batch or nothing of it: those that are named as wrong are taken out, and the others sent again. */
async function setOfProduct(
  shop: ShopifyShop,
  product: string,
  changes: readonly PriceChange<Article>[],
  refusals: Map<Article, string>,
): Promise<void> {
  for (let left = changes; left.length > 0; ) {
    const variants = left.map(({ article, price, compareAt }) => ({
      ...{ id: article.variantId, price, compareAtPrice: compareAt },
    }))
    const errors = recordsIn(await attempt(shop, setPrice, { product, variants }), 'userErrors')
    if (errors.length === 0) return
    const wrong = new Map(errors.map((error) => [placeInList(error), textIn(error, 'message')]))
    const whole = wrong.get(null)
    for (const [n, { article }] of left.entries()) {
      const reason = wrong.get(n) ?? whole
      if (reason !== undefined) refusals.set(article, reason)
    }
    left = whole === undefined ? left.filter((_, n) => !wrong.has(n)) : []
  }
}

/** Which of the batch an error is about; null for all of it. */
function placeInList({ field }: Fields): number | null {
  const index = Array.isArray(field) ? field.map(String).find((part) => /^\d+$/.test(part)) : undefined
  return index === undefined ? null : Number(index)
}
