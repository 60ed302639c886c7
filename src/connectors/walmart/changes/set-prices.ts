import { changePricesOneByOne, type PricedArticle, type PriceSetting } from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector/parts.ts'
import { decimal } from '../../../commerce/decimal.ts'
import { fieldsOf, maybeFields, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask } from '../ask.ts'
import type { Credentials, Settings, WalmartShop } from '../settings.ts'

/** A price to compare with belongs to promotions there, which have a beginning and an end. */
export const prices: Prices<Settings, Credentials> = { compareAt: false, set: { repeatable: true, send: setPrices } }

async function setPrices(shop: WalmartShop, settings: readonly PriceSetting[]) {
  return await changePricesOneByOne(settings, {
    find: (sku) => findArticle(shop, sku),
    send: async ({ article, price }) => {
      const currentPrice = { currency: article.currency, amount: Number(price) }
      const body = { sku: article.variantId, pricing: [{ currentPriceType: 'BASE', currentPrice }] }
      const request = { method: 'PUT', path: '/v3/price', body, repeatable: true, budget: 'set_price' } as const
      if ((await ask(shop, request)) === null) throw refused(say('no_such_article'))
    },
  })
}

async function findArticle(shop: WalmartShop, sku: string): Promise<PricedArticle | null> {
  const path = `/v3/items/${encodeURIComponent(sku)}`
  const reported = await ask(shop, { path, query: { productIdType: 'SKU' }, budget: 'list_items' })
  const items = reported === null ? [] : recordsIn(fieldsOf(reported), 'ItemResponse')
  const item = items.find((one) => one['sku'] === sku)
  if (!item) return null
  const price = maybeFields(item, 'price')
  return {
    ...{ sku, variantId: sku, compareAt: null },
    currency: price === null ? home : textIn(price, 'currency'),
    price: price?.['amount'] == null ? null : decimal(price['amount']),
  }
}

/** Of the marketplace that this connector sells on. */
const home = 'USD'
