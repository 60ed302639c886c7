import { type InventoryResult, type InventorySetting, settingResult } from '../../commerce/inventory.ts'
import { bodyOf } from '../../commerce/reading.ts'
import { isCredentialsRefusal } from '../../commerce/remote.ts'
import type { Shop } from '../../commerce/shop.ts'
import { Fault } from '../../lib/fault.ts'
import { requestFrom } from './ask.ts'
import type { InventoryRules } from './translate-product.ts'

/** One request for each: what the shop refuses of one says nothing about the others. */
export async function setLevels(
  shop: Shop,
  { set }: InventoryRules,
  settings: readonly InventorySetting[],
): Promise<readonly InventoryResult[]> {
  const results: InventoryResult[] = []
  for (const setting of settings) results.push(settingResult(setting, await setOne(shop, set, setting)))
  return results
}

/** Why it was refused; null if it was not. */
async function setOne(
  { remote }: Shop,
  rules: InventoryRules['set'],
  { sku, quantity, location = null }: InventorySetting,
): Promise<string | null> {
  if (!rules) return 'The shop takes no stock levels.'
  if (!sku) return 'This service knows articles by their SKU.'
  if (location === null && rules.path.includes('{location}')) return 'A location is needed.'
  try {
    const request = requestFrom(rules, { sku, quantity, location }, { sku, location: location ?? '' })
    bodyOf(await remote.request({ ...request, repeatable: true }))
    return null
  } catch (error) {
    const saysNo = error instanceof Fault && error.kind === 'upstream_refused' && !isCredentialsRefusal(error)
    if (!saysNo) throw error
    return error.message
  }
}
