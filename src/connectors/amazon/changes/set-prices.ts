import {
  changePricesOneByOne,
  type PriceChange,
  type PricedArticle,
  type PriceSetting,
} from '../../../commerce/changes/price.ts'
import type { Prices } from '../../../commerce/connector/parts.ts'
import { type Fields, maybeFields, recordsIn } from '../../../commerce/reading.ts'
import { replaceAttribute } from '../inventory.ts'
import { getListing } from '../listings.ts'
import { type AmazonShop, type Credentials, homeOf, type Settings } from '../settings.ts'
import { toProduct } from '../translate-product.ts'

/** What a list price looks like differs by kind of product and marketplace: it is left alone. */
export const prices: Prices<Settings, Credentials> = { compareAt: false, set: { repeatable: true, send: setPrices } }

interface Article extends PricedArticle {
  listing: Fields
}

async function setPrices(shop: AmazonShop, settings: readonly PriceSetting[]) {
  return await changePricesOneByOne(settings, {
    find: (sku) => findArticle(shop, sku),
    send: (change) => send(shop, change),
  })
}

async function findArticle(shop: AmazonShop, sku: string): Promise<Article | null> {
  const listing = await getListing(shop, sku, 'summaries,attributes,offers')
  if (listing === null) return null
  const [variant] = toProduct(listing, shop).variants
  const { currency } = homeOf(shop)
  return { sku, variantId: sku, listing, currency, price: variant?.price?.amount ?? null, compareAt: null }
}

/** An attribute is replaced as a whole: offers to businesses and what else the offer to all holds go along. */
async function send(shop: AmazonShop, { article, price }: PriceChange<Article>): Promise<void> {
  const { id: marketplace, currency } = homeOf(shop)
  const { listing } = article
  const all = maybeFields(listing, 'attributes') ?? {}
  const offers = all['purchasable_offer'] == null ? [] : recordsIn(all, 'purchasable_offer')
  const isMeant = (offer: Fields) =>
    (offer['marketplace_id'] ?? marketplace) === marketplace && (offer['audience'] ?? 'ALL') === 'ALL'
  const wanted = {
    ...(offers.find(isMeant) ?? { marketplace_id: marketplace, currency }),
    our_price: [{ schedule: [{ value_with_tax: Number(price) }] }],
  }
  await replaceAttribute(shop, listing, 'purchasable_offer', [wanted, ...offers.filter((offer) => !isMeant(offer))])
}
