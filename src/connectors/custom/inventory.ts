import type { InventoryResult, InventorySetting } from '../../commerce/inventory.ts'
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
  for (const { sku, quantity, location = null } of settings) {
    results.push({ sku, location, ...(await setOne(shop, set, { sku, quantity, location })) })
  }
  return results
}

async function setOne(
  { remote }: Shop,
  rules: InventoryRules['set'],
  { sku, quantity, location }: { sku: string; quantity: number; location: string | null },
): Promise<{ ok: boolean; error: string | null }> {
  if (!rules) return { ok: false, error: 'The shop takes no stock levels.' }
  if (location === null && rules.path.includes('{location}')) return { ok: false, error: 'A location is needed.' }
  try {
    const request = requestFrom(rules, { sku, quantity, location }, { sku, location: location ?? '' })
    bodyOf(await remote.request({ ...request, repeatable: true }))
    return { ok: true, error: null }
  } catch (error) {
    const saysNo = error instanceof Fault && error.kind === 'upstream_refused' && !isCredentialsRefusal(error)
    if (!saysNo) throw error
    return { ok: false, error: error.message }
  }
}
