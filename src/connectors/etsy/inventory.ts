import type { Inventory } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { InventoryLevel } from '../../commerce/inventory.ts'
import { type Fields, fieldsIn, fieldsOf, idIn, maybeText, numberIn, textIn } from '../../commerce/reading.ts'
import { listListings } from './listings.ts'
import { setLevels } from './set-levels.ts'
import type { Credentials, EtsyShop, Settings } from './settings.ts'
import { isQuantityShared, isTakenDown, productsIn, quantityOf } from './translate-product.ts'

export const inventory: Inventory<Settings, Credentials> = {
  locations: false,
  list: listLevels,
  translate: toLevel,
  set: { repeatable: true, send: setLevels },
}

/** One level for each sku of a listing. Listings do not say when their stock changed: all are read each time. */
async function listLevels(shop: EtsyShop, query: ReadQuery): Promise<RawPage> {
  const page = await listListings(shop, query, ['Inventory'])
  return { ...page, items: page.items.flatMap(levelsIn) }
}

function levelsIn(listing: Fields): Fields[] {
  const products = productsIn(listing).filter((one) => maybeText(one, 'sku') !== null)
  const skus = new Set(products.map((one) => textIn(one, 'sku')))
  const isShared = products.length > 0 && isQuantityShared(fieldsIn(listing, 'inventory'))
  return [...skus].flatMap((sku) => {
    const same = products.filter((one) => one['sku'] === sku)
    const [first] = same
    if (!first) return []
    // Reported with each product, but there is only one heap of them.
    const quantity = isShared
      ? Math.max(...same.map(quantityOf))
      : same.reduce((count, one) => count + quantityOf(one), 0)
    return [{ sku, quantity: isTakenDown(listing) ? 0 : quantity, product_id: idIn(first, 'product_id') }]
  })
}

function toLevel(raw: unknown): InventoryLevel {
  const level = fieldsOf(raw)
  return {
    sku: textIn(level, 'sku'),
    variant_remote_id: idIn(level, 'product_id'),
    location_remote_id: null,
    available: numberIn(level, 'quantity'),
    on_hand: null,
    reserved: null,
    updated_at: null,
  }
}
