import { compareDecimals } from '../../commerce/decimal.ts'
import {
  articleFor,
  bareIdsIn,
  type InventoryResult,
  type InventorySetting,
  type NamedArticle,
  settingResult,
  skusIn,
} from '../../commerce/inventory.ts'
import { type Fields, fieldsIn, fieldsOf, idIn, maybeText, numberIn, recordsIn } from '../../commerce/reading.ts'
import { refusalReason, refused } from '../../commerce/remote.ts'
import { moneyIn } from './amounts.ts'
import { ask, askOne } from './ask.ts'
import { listListings, maxListings } from './listings.ts'
import type { EtsyShop } from './settings.ts'
import { isQuantityShared, offeringsIn, productsIn } from './translate-product.ts'

/** A product of a listing. Those that are taken from one heap are one article. */
interface Article extends NamedArticle {
  listingId: string
  product: string
}

/**
 * Stock is changed by sending a listing anew as a whole. It cannot be looked up by sku either, so all listings are gone
 * through, once for everything that is to be set.
 */
export async function setLevels(shop: EtsyShop, settings: readonly InventorySetting[]): Promise<InventoryResult[]> {
  const articles = await articlesOf(shop, settings)
  const errors = new Map<InventorySetting, string | null>()
  const changes: { setting: InventorySetting; article: Article }[] = []
  for (const setting of settings) {
    const article = articleFor(setting, articles)
    if (typeof article === 'string') errors.set(setting, article)
    else changes.push({ setting, article })
  }
  for (const [listingId, some] of Map.groupBy(changes, ({ article }) => article.listingId)) {
    const wanted = new Map(some.map(({ setting, article }) => [article.product, setting.quantity]))
    const error = await refusalReason(() => setListing(shop, listingId, wanted))
    for (const { setting } of some) errors.set(setting, error)
  }
  return settings.map((setting) => settingResult(setting, errors.get(setting) ?? null))
}

/** What is to be there, by what a product is called within its listing. */
type Wanted = ReadonlyMap<string, number>

/** Ids of products are given anew by some changes; what was chosen of a listing stays. */
export function nameOf(product: Fields): string {
  const values = product['property_values'] == null ? [] : recordsIn(product, 'property_values')
  const chosen = values.map((one) => [one['property_id'], one['value_ids'], one['values']])
  return JSON.stringify([maybeText(product, 'sku'), chosen])
}

async function articlesOf(shop: EtsyShop, settings: readonly InventorySetting[]): Promise<readonly Article[]> {
  const [skus, ids] = [skusIn(settings), bareIdsIn(settings)]
  const found: Article[] = []
  for (let cursor: string | null = null; ; ) {
    const page = await listListings(shop, { cursor, limit: maxListings })
    for (const listing of page.items) {
      const meant = productsIn(listing)
        .map((product) => ({
          sku: maybeText(product, 'sku'),
          variantId: product['product_id'] == null ? '' : idIn(product, 'product_id'),
          listingId: idIn(listing, 'listing_id'),
          product: nameOf(product),
        }))
        .filter(({ sku, variantId }) => (sku !== null && skus.includes(sku)) || ids.includes(variantId))
      const isOne = meant.length > 0 && isQuantityShared(fieldsIn(listing, 'inventory'))
      const first = new Map(meant.toReversed().map((one) => [one.sku ?? one.variantId, one]))
      found.push(...(isOne ? first.values() : meant))
    }
    cursor = page.next
    if (cursor === null) return found
  }
}

/** What an offer is to say from now on; what is null stays as it is. */
interface OfferChange {
  quantity: number | null
  price: string | null
}

/** Read as it is now, changed in nothing but these numbers, and looked at once more in what comes back. */
export async function changeListing(
  shop: EtsyShop,
  id: string,
  changesIn: (inventory: Fields) => (product: Fields) => OfferChange,
): Promise<void> {
  const path = `/v3/application/listings/${id}/inventory`
  const before = await askOne(shop, path)
  if (before === null) throw refused('The listing is gone.')
  const changeOf = changesIn(before)
  const body = {
    products: productsIn({ inventory: before }).map((product) => withChange(product, changeOf(product))),
    price_on_property: before['price_on_property'] ?? [],
    quantity_on_property: before['quantity_on_property'] ?? [],
    sku_on_property: before['sku_on_property'] ?? [],
  }
  const headers = { 'content-type': 'application/json' }
  const after = fieldsOf(await ask(shop, { method: 'PUT', path, headers, body, repeatable: true }))
  for (const product of productsIn({ inventory: after })) {
    const { quantity, price } = changeOf(product)
    for (const one of offeringsIn(product)) {
      if (quantity !== null && numberIn(one, 'quantity') !== quantity) throw refused('Etsy did not store the quantity.')
      if (price !== null && compareDecimals(moneyIn(one, 'price').amount, price) !== 0)
        throw refused('Etsy did not store the price.')
    }
  }
}

const setListing = (shop: EtsyShop, id: string, wanted: Wanted): Promise<void> =>
  changeListing(shop, id, (inventory) => {
    const quantityOf = newQuantities(inventory, wanted)
    return (product) => ({ quantity: quantityOf(product), price: null })
  })

/** What each product is to have; null for those that stay as they are. */
function newQuantities(inventory: Fields, wanted: Wanted): (product: Fields) => number | null {
  if (isQuantityShared(inventory)) {
    const quantities = new Set(wanted.values())
    const [only = null] = quantities
    if (quantities.size > 1) throw refused('All articles of the listing are taken from one number.')
    return () => only
  }
  return (product) => wanted.get(nameOf(product)) ?? null
}

/** Ids and what has been deleted are left out, and prices are numbers: Etsy takes it in no other form. */
function withChange(product: Fields, { quantity, price }: OfferChange): Fields {
  const values = product['property_values'] == null ? [] : recordsIn(product, 'property_values')
  return {
    sku: maybeText(product, 'sku') ?? '',
    property_values: values.map(({ scale_name: _, ...value }) => value),
    offerings: offeringsIn(product).map((one) => ({
      price: Number(price ?? moneyIn(one, 'price').amount),
      quantity: quantity ?? numberIn(one, 'quantity'),
      is_enabled: one['is_enabled'] !== false,
      ...(one['readiness_state_id'] == null ? {} : { readiness_state_id: one['readiness_state_id'] }),
    })),
  }
}
