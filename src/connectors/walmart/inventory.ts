import type { Inventory, Operation } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type InventoryResult, type InventorySetting, settingResult, skuOf } from '../../commerce/inventory.ts'
import { fieldsIn, fieldsOf, maybeText, recordsIn, textIn } from '../../commerce/reading.ts'
import { ask, reasonIn } from './ask.ts'
import { maxSingleLevels, setByFeed } from './feeds/set-by-feed.ts'
import type { Credentials, Settings, WalmartShop } from './settings.ts'
import { toInventoryLevel } from './translate-product.ts'

export const inventory: Inventory<Settings, Credentials> = {
  locations: true,
  list: listLevels,
  translate: toInventoryLevel,
  set: { repeatable: true, send: setLevels },
}

const maxLevels = 50

/** All items with their places; when a level changed is not reported. */
async function listLevels(shop: WalmartShop, { cursor, limit }: ReadQuery): Promise<RawPage> {
  const query = { limit: Math.min(limit, maxLevels), nextCursor: cursor }
  const reported = await ask(shop, { path: '/v3/inventories', query, budget: 'list_inventories' })
  if (reported === null) return { items: [], next: null, total: null }
  const body = fieldsOf(reported)
  const rows = recordsIn(fieldsIn(body, 'elements'), 'inventories')
  return {
    items: rows.flatMap((row) => {
      const sku = textIn(row, 'sku')
      // A place that answers with an error has no level to report.
      return recordsIn(row, 'nodes').flatMap((node) => (node['inputQty'] == null ? [] : [{ sku, ...node }]))
    }),
    next: rows.length === 0 ? null : maybeText(fieldsIn(body, 'meta'), 'nextCursor'),
    total: null,
  }
}

/** Item by item, many as a file; without a place it is the seller's first. */
async function setLevels(
  shop: WalmartShop,
  settings: readonly InventorySetting[],
  operation: Operation,
): Promise<readonly InventoryResult[]> {
  if (settings.length > maxSingleLevels) return await setByFeed(shop, settings, operation)
  const results: InventoryResult[] = []
  for (const setting of settings) {
    const { quantity, location = null } = setting
    const sku = skuOf(setting)
    const { status, body } = await shop.remote.request({
      method: 'PUT',
      path: '/v3/inventory',
      query: { sku, shipNode: location },
      body: { sku, quantity: { unit: 'EACH', amount: quantity } },
      repeatable: true,
      budget: 'set_inventory',
    })
    results.push(settingResult(setting, status < 300 ? null : reasonIn(body)))
  }
  return results
}
