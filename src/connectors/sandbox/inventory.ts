import type { Inventory } from '../../commerce/connector/parts.ts'
import { noArticle, settingResult } from '../../commerce/inventory.ts'
import { listOf, readPage, write } from './pages.ts'
import type { Credentials, Settings } from './settings.ts'
import { toInventoryLevel } from './translate-product.ts'

export const inventory: Inventory<Settings, Credentials> = {
  locations: true,
  list: readPage('/inventory'),
  translate: toInventoryLevel,
  set: {
    repeatable: true,
    send: async (shop, items, operation) => {
      const known = new Set(listOf(await write(shop, 'PUT', '/inventory', { items }, operation)).items)
      return items.map((setting) =>
        settingResult(setting, known.has(setting.variant_remote_id ?? setting.sku) ? null : noArticle),
      )
    },
  },
}
