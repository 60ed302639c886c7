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
  { sku, variant_remote_id: variant, quantity, location = null }: InventorySetting,
): Promise<string | null> {
  if (!rules) return 'The shop takes no stock levels.'
  if (!sku && asksFor(rules, 'sku')) return 'This service knows articles by their SKU.'
  if (!variant && asksFor(rules, 'variant_remote_id')) return 'This service knows articles by the id of the variant.'
  if (location === null && rules.path.includes('{location}')) return 'A location is needed.'
  try {
    const request = requestFrom(
      rules,
      { sku, variant_remote_id: variant, quantity, location },
      { sku: sku ?? '', variant_remote_id: variant ?? '', location: location ?? '' },
    )
    bodyOf(await remote.request({ ...request, repeatable: true }))
    return null
  } catch (error) {
    const saysNo = error instanceof Fault && error.kind === 'upstream_refused' && !isCredentialsRefusal(error)
    if (!saysNo) throw error
    return error.message
  }
}

const asksFor = ({ path, body = [] }: NonNullable<InventoryRules['set']>, field: string): boolean =>
  path.includes(`{${field}}`) || body.some((one) => one.field === field)
