import { changePrices, type PricedArticle, type PriceSetting } from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector/parts.ts'
import { bareIdsIn, skusIn } from '../../../commerce/inventory.ts'
import { type Fields, fieldsIn, idIn, maybeText, numberIn, recordsIn, textIn } from '../../../commerce/reading.ts'
import { say } from '../../../commerce/words/say.ts'
import { chunks } from '../../../lib/chunks.ts'
import { unitsOf, unitsToMoney } from '../amounts.ts'
import { change } from '../ask.ts'
import { variantsBy } from '../inventory.ts'
import type { Credentials, Settings, VendureShop } from '../settings.ts'

/** What reduces a price there is a promotion of the channel. */
export const prices: Prices<Settings, Credentials> = { compareAt: false, set: { repeatable: true, send: setPrices } }

const setMutation = `mutation Prices($input: [UpdateProductVariantInput!]!) {
  updateProductVariants(input: $input) { id }
}`

const atOnce = 100

async function setPrices(shop: VendureShop, settings: readonly PriceSetting[]) {
  const found = [
    ...(await variantsBy(shop, 'sku', skusIn(settings))),
    ...(await variantsBy(shop, 'id', bareIdsIn(settings))),
  ]
  const articles = found.map((variant) => articleOf(shop, variant))
  return await changePrices(settings, articles, async (changes) => {
    const refusals = new Map<PricedArticle, string>()
    const inputs = changes.flatMap(({ article, price }) => {
      const units = unitsOf(price, shop)
      if (units !== null) return [{ id: article.variantId, price: units }]
      refusals.set(article, say('price_too_fine', { price }).text)
      return []
    })
    for (const input of chunks(inputs, atOnce)) await change(shop, 'updateProductVariants', setMutation, { input })
    return refusals
  })
}

function articleOf(shop: VendureShop, variant: Fields): PricedArticle {
  const currency = textIn(variant, 'currencyCode')
  const own = recordsIn(variant, 'prices').find(({ currencyCode }) => currencyCode === currency)
  return {
    ...{ sku: maybeText(variant, 'sku'), variantId: idIn(variant, 'id'), currency, compareAt: null },
    productId: idIn(fieldsIn(variant, 'product'), 'id'),
    price: unitsToMoney(numberIn(own ?? variant, 'price'), currency, shop).amount,
  }
}
