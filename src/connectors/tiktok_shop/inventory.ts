import type { Inventory } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { InventoryLevel } from '../../commerce/inventory.ts'
import { type Fields, fieldsOf, maybeText, numberIn, recordsIn, textIn } from '../../commerce/reading.ts'
import { search } from './ask.ts'
import { listListings } from './listings.ts'
import { setLevels } from './set-levels.ts'
import type { Credentials, Settings, TikTokShop } from './settings.ts'

export const inventory: Inventory<Settings, Credentials> = {
  locations: true,
  list: listLevels,
  translate: toLevel,
  set: { repeatable: true, send: setLevels },
}

/** Of each page of products all levels at once. Nobody says when they changed: all are read each time. */
async function listLevels(shop: TikTokShop, query: ReadQuery): Promise<RawPage> {
  const page = await listListings(shop, { ...query, updatedSince: null })
  const ids = page.items.filter(({ status }) => status !== 'FREEZE').map((one) => textIn(one, 'id'))
  if (ids.length === 0) return { ...page, items: [] }
  const data = await search(shop, '/product/202309/inventory/search', {}, { product_ids: ids })
  const found = data['inventory'] == null ? [] : recordsIn(data, 'inventory')
  return { ...page, items: found.flatMap((one) => recordsIn(one, 'skus').flatMap(levelsOf)) }
}

/** Articles without a SKU of the seller's are known by their id alone. */
const levelsOf = (sku: Fields): Fields[] =>
  (sku['warehouse_inventory'] == null ? [] : recordsIn(sku, 'warehouse_inventory')).map((level) => ({
    ...level,
    ...{ sku_id: textIn(sku, 'id'), seller_sku: maybeText(sku, 'seller_sku') },
  }))

function toLevel(raw: unknown): InventoryLevel {
  const level = fieldsOf(raw)
  const available = numberIn(level, 'available_quantity')
  const reserved = level['committed_quantity'] == null ? null : numberIn(level, 'committed_quantity')
  return {
    sku: maybeText(level, 'seller_sku') ?? '',
    variant_remote_id: textIn(level, 'sku_id'),
    location_remote_id: textIn(level, 'warehouse_id'),
    available,
    on_hand: reserved === null ? null : available + reserved,
    reserved,
    updated_at: null,
  }
}
