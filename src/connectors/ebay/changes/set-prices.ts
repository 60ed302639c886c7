import {
  changePricesOneByOne,
  type PriceChange,
  type PricedArticle,
  type PriceSetting,
} from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector/parts.ts'
import { type Fields, fieldsOf, isFields, maybeFields, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { moneyIn } from '../amounts.ts'
import { ask, inventoryApi, reasonIn } from '../ask.ts'
import { offersOf } from '../listings.ts'
import { setListingPrices } from '../seller-hub/revise.ts'
import { type Credentials, type EbayShop, type Settings, usesSellerHub } from '../settings.ts'

/** The original price is part of the whole offer, and for sellers whom eBay allows it. */
export const prices: Prices<Settings, Credentials> = { compareAt: false, set: { repeatable: true, send: setPrices } }

interface Article extends PricedArticle {
  offers: readonly Fields[]
}

async function setPrices(shop: EbayShop, settings: readonly PriceSetting[]) {
  if (usesSellerHub(shop)) return await setListingPrices(shop, settings)
  return await changePricesOneByOne(settings, {
    find: (sku, { currency }) => findArticle(shop, sku, currency),
    send: (change) => send(shop, change),
  })
}

/** Where an article is sold for fixed prices in that currency, which may be on several marketplaces. */
async function findArticle(shop: EbayShop, sku: string, currency: string): Promise<Article | null> {
  if (sku.length > 50) return null
  const offers = (await offersOf(shop, sku)).filter(
    (offer) => offer['status'] === 'PUBLISHED' && offer['format'] !== 'AUCTION' && priceOf(offer) !== null,
  )
  const own = offers.filter((offer) => priceOf(offer)?.currency === currency)
  const [first, ...others] = own.length > 0 ? own : offers
  const price = first && priceOf(first)
  if (!first || !price) return null
  const isSame = others.every((offer) => priceOf(offer)?.amount === price.amount)
  return {
    ...{ sku, variantId: sku, offers: [first, ...others], currency: price.currency, compareAt: null },
    price: isSame ? price.amount : null,
  }
}

function priceOf(offer: Fields) {
  const prices = maybeFields(offer, 'pricingSummary')
  return prices?.['price'] == null ? null : moneyIn(prices, 'price')
}

/** One article at a time, with all its offers: eBay takes no more. */
async function send(shop: EbayShop, { article, price }: PriceChange<Article>): Promise<void> {
  const { sku, currency } = article
  const offers = article.offers.map((offer) => ({
    ...{ offerId: textIn(offer, 'offerId'), price: { currency, value: price } },
  }))
  const path = `${inventoryApi}/bulk_update_price_quantity`
  const body = { requests: [{ sku, offers }] }
  const answer = await ask(shop, { method: 'POST', path, body, repeatable: true })
  const failed = recordsIn(fieldsOf(answer), 'responses').find((one) => Number(one['statusCode']) >= 300)
  if (failed) throw refused(reasonIn(errorsOf(failed)) ?? say('rejected_price', { platform: 'eBay' }))
}

const errorsOf = ({ errors }: Fields): Fields[] => (Array.isArray(errors) ? errors.filter(isFields) : [])
