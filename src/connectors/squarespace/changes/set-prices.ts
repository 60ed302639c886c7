import { changePrices, eachByItself, type PriceChange, type PriceSetting } from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector/parts.ts'
import { ask } from '../ask.ts'
import { type Article, articlesFor } from '../find-by-sku.ts'
import { productsPath } from '../products.ts'
import type { Credentials, Settings, SquareShop } from '../settings.ts'

export const prices: Prices<Settings, Credentials> = { compareAt: true, set: { repeatable: true, send: setPrices } }

async function setPrices(shop: SquareShop, settings: readonly PriceSetting[]) {
  return await changePrices(settings, await articlesFor(shop, settings), eachByItself(sendTo(shop)))
}

/** A reduced price is that of a sale; what is not told of a variant stays as it is. */
const sendTo =
  (shop: SquareShop) =>
  async ({ article, price, compareAt }: PriceChange<Article>): Promise<void> => {
    const money = (value: string) => ({ currency: article.currency, value })
    await ask(shop, {
      method: 'POST',
      path: `${productsPath}/${article.productId}/variants/${encodeURIComponent(article.variantId)}`,
      body: {
        pricing:
          compareAt === null
            ? { basePrice: money(price), onSale: false }
            : { basePrice: money(compareAt), onSale: true, salePrice: money(price) },
      },
      repeatable: true,
    })
  }
