import type { Connector } from '../../commerce/connector.ts'
import type { InventoryResult } from '../../commerce/inventory.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { type InventoryItem, type InventoryOutcome, levelKey } from '../levels/inventory.ts'
import { upsertLevels } from '../levels/inventory-store.ts'
import { fingerprint } from '../operations/operation.ts'
import { setQuantities } from '../products/product-store.ts'
import { useShop } from '../shop/use-shop.ts'

/**
 * Levels, sent to the shop first and then kept here. Each has a result of its own; a level that the shop refuses is not
 * kept. Named twice, the last one counts.
 */
export async function setInventory(
  context: Context,
  integration: Integration,
  items: readonly InventoryItem[],
): Promise<InventoryOutcome[]> {
  const last = new Map(items.map((item) => [levelKey(item), item]))
  const sent = await sendToShop(context, integration, [...last.values()])
  const refusals = refusalsIn(sent?.result ?? [])
  const accepted = [...last].filter(([key]) => !refusals.has(key)).map(([, item]) => item)
  const changed = await context.transaction(async (trx) => {
    await sent?.settle(trx)
    const keys = await upsertLevels(trx, integration.id, accepted)
    // Without a place it is the stock of the article itself, which the product shows.
    await setQuantities(
      trx,
      integration.id,
      accepted.filter((item) => (item.location ?? null) === null && keys.has(levelKey(item))),
    )
    return keys
  })
  return [...items].map((item) => {
    const key = levelKey(item)
    const error = refusals.get(key) ?? null
    const { quantity } = last.get(key) ?? item
    const status = error !== null ? 'failed' : changed.has(key) ? 'updated' : 'unchanged'
    return { sku: item.sku, location: item.location ?? null, quantity, status, error }
  })
}

function sendToShop(context: Context, integration: Integration, items: readonly InventoryItem[]) {
  const part = ({ inventory }: Connector) => inventory?.set
  const settings = items.map(({ sku, quantity, location }) => ({ sku, quantity, location: location ?? null }))
  return useShop(context, integration, part, (_shop, set, write) =>
    write({ kind: 'set_inventory', key: fingerprint(settings), input: settings }, set),
  )
}

const refusalsIn = (results: readonly InventoryResult[]): Map<string, string> =>
  new Map(
    results.flatMap((result) =>
      result.ok
        ? []
        : [[levelKey({ ...result, sku: result.sku ?? '' }), result.error ?? 'The shop rejected the level.'] as const],
    ),
  )
