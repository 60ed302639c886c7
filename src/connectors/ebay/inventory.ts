import type { Inventory } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { InventoryLevel } from '../../commerce/inventory.ts'
import { fieldsOf, maybeText, numberIn, textIn } from '../../commerce/reading.ts'
import { listItems } from './listings.ts'
import { listListingLevels, setListingLevels } from './seller-hub/revise.ts'
import { setLevels } from './set-levels.ts'
import { type Credentials, type EbayShop, type Settings, usesSellerHub } from './settings.ts'
import { stockIn } from './translate-product.ts'

const maxItems = 200

export const inventory: Inventory<Settings, Credentials> = {
  locations: true,
  list: (shop, query) => (usesSellerHub(shop) ? listListingLevels(shop, query) : listLevels(shop, query)),
  translate: toLevel,
  set: {
    repeatable: true,
    send: (shop, settings) => (usesSellerHub(shop) ? setListingLevels(shop, settings) : setLevels(shop, settings)),
  },
}

/** An item that lies at several places is as many levels; one of which eBay knows no place is one without. */
async function listLevels(shop: EbayShop, query: ReadQuery): Promise<RawPage> {
  const page = await listItems(shop, query, maxItems)
  const items = page.items.flatMap((item): { sku: string; location: string | null; quantity: number }[] => {
    const stock = stockIn(item)
    const sku = textIn(item, 'sku')
    if (stock === null) return []
    if (stock.places.size === 0) return [{ sku, location: null, quantity: stock.quantity }]
    return [...stock.places].map(([location, quantity]) => ({ sku, location, quantity }))
  })
  return { items, next: page.next, total: null }
}

function toLevel(raw: unknown): InventoryLevel {
  const level = fieldsOf(raw)
  return {
    sku: textIn(level, 'sku'),
    variant_remote_id: textIn(level, 'sku'),
    location_remote_id: maybeText(level, 'location'),
    available: numberIn(level, 'quantity'),
    on_hand: null,
    reserved: null,
    updated_at: null,
  }
}
