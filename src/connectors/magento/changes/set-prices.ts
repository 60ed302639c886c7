import { changePrices, type PricedArticle, type PriceSetting } from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector/parts.ts'
import { bareIdsIn, skusIn } from '../../../commerce/inventory.ts'
import { type Fields, idIn, isFields, textIn } from '../../../commerce/reading.ts'
import { chunks } from '../../../lib/chunks.ts'
import { maybeAmount } from '../amounts.ts'
import { bodyIn, isId, maxPageSize, reasonIn, searchAny } from '../ask.ts'
import { type Credentials, type MagentoShop, pathOf, type Settings } from '../settings.ts'

/** Reductions are special prices there, each from one day to another: they are left alone. */
export const prices: Prices<Settings, Credentials> = { compareAt: false, set: { repeatable: true, send: setPrices } }

interface Article extends PricedArticle {
  sku: string
}

async function setPrices(shop: MagentoShop, settings: readonly PriceSetting[]) {
  return await changePrices(settings, await articlesOf(shop, settings), async (changes) => {
    const refusals = new Map<Article, string>()
    for (const some of chunks(changes, maxPageSize)) {
      const prices = some.map(({ article, price }) => ({ price: Number(price), store_id: 0, sku: article.sku }))
      const request = { method: 'POST', path: pathOf(shop, 'products/base-prices'), body: { prices } } as const
      const body = bodyIn(await shop.remote.request({ ...request, repeatable: true }))
      for (const error of Array.isArray(body) ? body.filter(isFields) : []) {
        const named = some.find(({ article }) => isAbout(error, article))
        // What cannot be told apart is wrong with all of them.
        for (const { article } of named ? [named] : some) refusals.set(article, reasonIn(error))
      }
    }
    return refusals
  })
}

/** Errors name the article among what fills the gaps of their sentence. */
function isAbout({ parameters }: Fields, { sku }: Article): boolean {
  const values = Array.isArray(parameters) ? parameters : Object.values(isFields(parameters) ? parameters : {})
  return values.some((value) => value === sku)
}

async function articlesOf(shop: MagentoShop, settings: readonly PriceSetting[]): Promise<Article[]> {
  const find = (field: string, values: readonly string[]) =>
    searchAny(shop, 'products', { field, values, fields: 'items[id,sku,price],search_criteria,total_count' })
  const rows = [
    ...(await find('sku', skusIn(settings))),
    ...(await find('entity_id', bareIdsIn(settings).filter(isId))),
  ]
  const { currency = '' } = shop.settings
  return rows.map((row) => ({
    ...{ sku: textIn(row, 'sku'), variantId: idIn(row, 'id'), currency, compareAt: null },
    price: row['price'] == null ? null : maybeAmount(row, 'price', currency),
  }))
}
