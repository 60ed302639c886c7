import { randomUUID } from 'node:crypto'
import type { Connector } from '../../commerce/connector.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { useShop } from '../integrations/use-shop.ts'
import { setQuantities } from '../products/product-store.ts'
import { type InventoryItem, type InventoryOutcome, levelKey } from './inventory.ts'
import { upsertLevels } from './inventory-store.ts'

/**
 * Levels, told to the shop first and then kept here. Each has a result of its own; a level that the shop refuses is not
 * kept. Named twice, the last one counts.
 */
export async function setInventory(
  context: Context,
  integration: Integration,
  items: readonly InventoryItem[],
): Promise<InventoryOutcome[]> {
  const last = new Map(items.map((item) => [levelKey(item), item]))
  const refusals = await tellShop(context, integration, [...last.values()])
  const accepted = [...last].filter(([key]) => !refusals.has(key)).map(([, item]) => item)
  const changed = await context.transaction(async (trx) => {
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

async function tellShop(
  context: Context,
  integration: Integration,
  items: readonly InventoryItem[],
): Promise<Map<string, string>> {
  const part = ({ inventory }: Connector) => inventory?.set
  const settings = items.map(({ sku, quantity, location }) => ({ sku, quantity, location: location ?? null }))
  const results = await useShop(context, integration, part, (shop, set) =>
    set.send(shop, settings, { id: randomUUID() }),
  )
  return new Map(
    (results ?? []).flatMap((result) =>
      result.ok ? [] : [[levelKey(result), result.error ?? 'The shop refused the level.']],
    ),
  )
}
