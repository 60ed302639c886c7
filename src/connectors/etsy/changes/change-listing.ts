import { compareDecimals } from '../../../commerce/decimal.ts'
import {
  type ArticleName,
  articleFor,
  bareIdsIn,
  type NamedArticle,
  noArticle,
  skusIn,
} from '../../../commerce/inventory.ts'
import { type Fields, fieldsIn, idIn, maybeText, numberIn, recordsIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import type { ArticleNames } from '../../../commerce/shop.ts'
import { say } from '../../../commerce/words/say.ts'
import { moneyIn } from '../amounts.ts'
import { ask, isId } from '../ask.ts'
import { listListings, maxListings, readListings } from '../listings.ts'
import type { EtsyShop } from '../settings.ts'
import { offeringsIn, productsIn } from '../translate-product.ts'

/** The articles that these settings name, out of listings as they are now. */
export async function articlesFor<Article extends NamedArticle>(
  shop: EtsyShop,
  settings: readonly ArticleName[],
  articlesIn: (listing: Fields, names: ArticleNames) => readonly Article[],
): Promise<readonly Article[]> {
  const names = { skus: skusIn(settings), variantIds: bareIdsIn(settings) }
  const articlesOf = (listings: readonly Fields[]) => listings.flatMap((listing) => articlesIn(listing, names))
  const isFound = (listings: readonly Fields[]) =>
    settings.every((setting) => articleFor(setting, articlesOf(listings)) !== noArticle)
  return articlesOf(await listingsWith(shop, names, isFound))
}

/**
 * The listings that have these articles, as they are now. Etsy cannot look up a sku: our copy says where to look, and only
 * where that does not suffice, all listings are gone through, once for everything that is to be changed.
 */
async function listingsWith(
  shop: EtsyShop,
  names: ArticleNames,
  suffice: (listings: readonly Fields[]) => boolean,
): Promise<readonly Fields[]> {
  const known = await readListings(shop, ((await shop.productsWith?.(names)) ?? []).filter(isId))
  if (suffice(known)) return known
  const found: string[] = []
  for (let cursor: string | null = null, isMore = true; isMore; isMore = cursor !== null) {
    const page = await listListings(shop, { cursor, limit: maxListings }, ['Inventory'])
    const meant = page.items.filter((listing) => productsIn(listing).some((product) => isNamed(product, names)))
    found.push(...meant.map((listing) => idIn(listing, 'listing_id')))
    cursor = page.next
  }
  return await readListings(shop, found)
}

export function isNamed(product: Fields, { skus, variantIds }: ArticleNames): boolean {
  const sku = maybeText(product, 'sku')
  return (sku !== null && skus.includes(sku)) || variantIds.includes(variantIdOf(product))
}

export const variantIdOf = (product: Fields): string =>
  product['product_id'] == null ? '' : idIn(product, 'product_id')

const valuesIn = (product: Fields): readonly Fields[] =>
  product['property_values'] == null ? [] : recordsIn(product, 'property_values')

/** Ids of products are given anew by some changes; what was chosen of a listing stays. */
export const nameOf = (product: Fields): string =>
  JSON.stringify([
    maybeText(product, 'sku'),
    valuesIn(product).map((one) => [one['property_id'], one['value_ids'], one['values']]),
  ])

/** What an offer is to say from now on; what is null stays as it is. */
export interface OfferChange {
  quantity: number | null
  price: string | null
}

/** By what prices, quantities, skus and processing differ; what is left out here is lost. */
const onProperty = ['price', 'quantity', 'sku', 'readiness_state'].map((name) => `${name}_on_property`)

/** A listing is sent as a whole, changed in nothing but these numbers, and looked at once more in what comes back. */
export async function changeListing(
  shop: EtsyShop,
  listing: Fields,
  changeOf: (product: Fields) => OfferChange,
): Promise<void> {
  const before = fieldsIn(listing, 'inventory')
  const products = productsIn(listing)
  const told = onProperty.filter((name) => name in before || !name.startsWith('readiness'))
  const variations = Math.max(0, ...products.map((product) => valuesIn(product).length))
  const after = await ask(shop, {
    method: 'PUT',
    path: `/v3/application/listings/${idIn(listing, 'listing_id')}/inventory`,
    // Else Etsy takes two at most.
    query: variations > 2 ? { max_variations_supported: variations } : {},
    headers: { 'content-type': 'application/json' },
    body: {
      products: products.map((product) => withChange(product, changeOf(product))),
      ...Object.fromEntries(told.map((name) => [name, before[name] ?? []])),
    },
    repeatable: true,
  })
  for (const product of productsIn({ inventory: after })) {
    const { quantity, price } = changeOf(product)
    for (const one of offeringsIn(product)) {
      if (quantity !== null && numberIn(one, 'quantity') !== quantity)
        throw refused(say('not_stored_quantity', { platform: 'Etsy' }))
      if (price !== null && compareDecimals(moneyIn(one, 'price').amount, price) !== 0)
        throw refused(say('not_stored_price', { platform: 'Etsy' }))
    }
  }
}

/** Ids and what has been deleted are left out, and prices are numbers: Etsy takes it in no other form. */
const withChange = (product: Fields, { quantity, price }: OfferChange): Fields => ({
  sku: maybeText(product, 'sku') ?? '',
  property_values: valuesIn(product).map(({ scale_name: _, ...value }) => value),
  offerings: offeringsIn(product).map((one) => ({
    price: Number(price ?? moneyIn(one, 'price').amount),
    quantity: quantity ?? numberIn(one, 'quantity'),
    is_enabled: one['is_enabled'] !== false,
    ...(one['readiness_state_id'] == null ? {} : { readiness_state_id: one['readiness_state_id'] }),
  })),
})
