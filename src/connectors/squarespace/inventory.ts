import type { Inventory } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { InventoryLevel } from '../../commerce/inventory.ts'
import { type Fields, fieldsOf, idIn, numberIn, textIn } from '../../commerce/reading.ts'
import { turn } from './pages.ts'
import { setLevels } from './set-levels.ts'
import type { Credentials, Settings, SquareShop } from './settings.ts'

const inventoryPath = '/1.0/commerce/inventory'

export const inventory: Inventory<Settings, Credentials> = {
  locations: false,
  list: listLevels,
  translate: toLevel,
  set: { repeatable: true, send: setLevels },
}

/** It is not told when a level changed: all are read each time. */
async function listLevels(shop: SquareShop, query: ReadQuery): Promise<RawPage> {
  const list = { path: inventoryPath, rows: 'inventory', id: 'variantId', first: {} }
  const { items, next } = await turn(shop, list, query)
  return { items: items.filter(isCounted), next, total: null }
}

/** What is sold without limit has no number, and what has no SKU no name. */
const isCounted = ({ sku, isUnlimited }: Fields): boolean => isUnlimited !== true && sku != null && sku !== ''

function toLevel(raw: unknown): InventoryLevel {
  const item = fieldsOf(raw)
  return {
    sku: textIn(item, 'sku'),
    variant_remote_id: idIn(item, 'variantId'),
    location_remote_id: null,
    available: numberIn(item, 'quantity'),
    on_hand: null,
    reserved: null,
    updated_at: null,
  }
}
