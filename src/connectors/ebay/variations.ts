import { arrayIn, type Fields, fieldsIn, fieldsOf, recordsIn, textIn } from '../../commerce/reading.ts'
import { chunks } from '../../lib/chunks.ts'
import { ask, askOne, inventoryApi } from './ask.ts'
import type { EbayShop } from './settings.ts'

/** What is listed as one thing in several kinds (sizes, colours): it has a title of its own, and names its articles. */
export async function getGroup(shop: EbayShop, key: string): Promise<Fields | null> {
  const path = `${inventoryApi}/inventory_item_group/${encodeURIComponent(key)}`
  const group = await askOne(shop, { path })
  return group && { ...group, inventoryItemGroupKey: key }
}

/** Reported under one name or the other, and under both alike. */
export function groupKeysOf(item: Fields): string[] {
  const reported = ['groupIds', 'inventoryItemGroupKeys'].flatMap((name) =>
    item[name] == null ? [] : arrayIn(item, name),
  )
  return [...new Set(reported.map(String))]
}

/** An article that is deleted leaves its groups: all that a group names are there. */
export const skusOf = (group: Fields): string[] =>
  group['variantSKUs'] == null ? [] : arrayIn(group, 'variantSKUs').map(String).sort()

const atOnce = 25

export async function itemsOf(shop: EbayShop, group: Fields): Promise<readonly Fields[]> {
  const skus = skusOf(group)
  const items: Fields[] = []
  for (const some of chunks(skus, atOnce)) {
    const body = { requests: some.map((sku) => ({ sku })) }
    const path = `${inventoryApi}/bulk_get_inventory_item`
    const reported = fieldsOf(await ask(shop, { method: 'POST', path, body, repeatable: true }))
    const found = recordsIn(reported, 'responses').filter((one) => Number(one['statusCode']) < 300)
    items.push(...found.map((one) => ({ ...fieldsIn(one, 'inventoryItem'), sku: textIn(one, 'sku') })))
  }
  return items
}
