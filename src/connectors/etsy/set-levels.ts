import type { InventoryResult, InventorySetting } from '../../commerce/inventory.ts'
import { type Fields, fieldsOf, idIn, maybeText, numberIn, recordsIn } from '../../commerce/reading.ts'
import { refusalReason, refused } from '../../commerce/remote.ts'
import { moneyIn } from './amounts.ts'
import { ask, askOne } from './ask.ts'
import { listListings, maxListings } from './listings.ts'
import type { EtsyShop } from './settings.ts'
import { isQuantityShared, offeringsIn, productsIn } from './translate-product.ts'

/**
 * Stock is changed by sending a listing anew as a whole. It cannot be looked up by sku either, so all listings are gone
 * through, once for everything that is to be set; one sku may be in several of them.
 */
export async function setLevels(shop: EtsyShop, settings: readonly InventorySetting[]): Promise<InventoryResult[]> {
  const wanted = new Map(settings.map(({ sku, quantity }) => [sku, quantity]))
  const errors = new Map<string, string>([...wanted.keys()].map((sku) => [sku, 'The shop has no such article.']))
  const found = new Set<string>()
  for (const { id, skus } of await listingsWith(shop, wanted)) {
    const error = await refusalReason(() => setListing(shop, id, wanted))
    for (const sku of skus) {
      if (!found.has(sku)) errors.delete(sku)
      found.add(sku)
      if (error !== null) errors.set(sku, error)
    }
  }
  return settings.map(({ sku, location = null }) => {
    const error = errors.get(sku) ?? null
    return { sku, location, ok: error === null, error }
  })
}

type Wanted = ReadonlyMap<string, number>

const wantedIn = (products: readonly Fields[], wanted: Wanted): string[] =>
  products.flatMap((one) => maybeText(one, 'sku') ?? []).filter((sku) => wanted.has(sku))

async function listingsWith(shop: EtsyShop, wanted: Wanted): Promise<{ id: string; skus: Set<string> }[]> {
  const found = new Map<string, Set<string>>()
  for (let cursor: string | null = null; ; ) {
    const page = await listListings(shop, { cursor, limit: maxListings })
    for (const listing of page.items) {
      const skus = wantedIn(productsIn(listing), wanted)
      if (skus.length > 0) found.set(idIn(listing, 'listing_id'), new Set(skus))
    }
    cursor = page.next
    if (cursor === null) return [...found].map(([id, skus]) => ({ id, skus }))
  }
}

/** Read as it is now, changed in nothing but these numbers, and looked at once more in what comes back. */
async function setListing(shop: EtsyShop, id: string, wanted: Wanted): Promise<void> {
  const path = `/v3/application/listings/${id}/inventory`
  const before = await askOne(shop, path)
  if (before === null) throw refused('The listing is gone.')
  const quantityOf = newQuantities(before, wanted)
  const body = {
    products: productsIn({ inventory: before }).map((product) => withQuantity(product, quantityOf(product))),
    price_on_property: before['price_on_property'] ?? [],
    quantity_on_property: before['quantity_on_property'] ?? [],
    sku_on_property: before['sku_on_property'] ?? [],
  }
  const headers = { 'content-type': 'application/json' }
  const after = fieldsOf(await ask(shop, { method: 'PUT', path, headers, body, repeatable: true }))
  for (const product of productsIn({ inventory: after })) {
    const quantity = quantityOf(product)
    const isKept = offeringsIn(product).every((one) => quantity === null || numberIn(one, 'quantity') === quantity)
    if (!isKept) throw refused('Etsy did not store the quantity.')
  }
}

/** What each product is to have; null for those that stay as they are. */
function newQuantities(inventory: Fields, wanted: Wanted): (product: Fields) => number | null {
  const products = productsIn({ inventory })
  if (isQuantityShared(inventory)) {
    const quantities = new Set(wantedIn(products, wanted).map((sku) => wanted.get(sku)))
    const [only = null] = quantities
    if (quantities.size > 1) throw refused('All articles of the listing are taken from one number.')
    return () => only
  }
  for (const sku of new Set(wantedIn(products, wanted))) {
    if (products.filter((one) => one['sku'] === sku).length > 1) {
      throw refused('Several variations of the listing have this sku, and numbers of their own.')
    }
  }
  return (product) => wanted.get(maybeText(product, 'sku') ?? '') ?? null
}

/** Ids and what has been deleted are left out, and prices are numbers: Etsy takes it in no other form. */
function withQuantity(product: Fields, quantity: number | null): Fields {
  const values = product['property_values'] == null ? [] : recordsIn(product, 'property_values')
  return {
    sku: maybeText(product, 'sku') ?? '',
    property_values: values.map(({ scale_name: _, ...value }) => value),
    offerings: offeringsIn(product).map((one) => ({
      price: Number(moneyIn(one, 'price').amount),
      quantity: quantity ?? numberIn(one, 'quantity'),
      is_enabled: one['is_enabled'] !== false,
      ...(one['readiness_state_id'] == null ? {} : { readiness_state_id: one['readiness_state_id'] }),
    })),
  }
}
