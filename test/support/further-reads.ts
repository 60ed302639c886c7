import type { InventoryLevel } from '../../src/commerce/inventory.ts'
import type { ScriptedShop } from './order-shop.ts'

interface ScriptedLevel {
  available: number
  sku?: string
  version?: string
  broken?: boolean
}

/** Stock levels beside the orders of a scripted shop, all on one page. */
export interface StockedShop extends ScriptedShop {
  /** By the id of the variant, which is the SKU as well unless it says another. */
  levels: Map<string, ScriptedLevel>
  /** Null: as many as there are. */
  totalLevels: number | null
  beforeLevels: () => void | Promise<void>
}

export function withLevels(shop: ScriptedShop): StockedShop {
  const stocked: StockedShop = {
    ...shop,
    levels: new Map(),
    totalLevels: null,
    beforeLevels: () => undefined,
    connector: {
      ...shop.connector,
      inventory: {
        locations: false,
        async list() {
          await stocked.beforeLevels()
          const items = [...stocked.levels].map(([id, level]) => ({ id, sku: id, ...level }))
          return { items, next: null, total: stocked.totalLevels ?? items.length }
        },
        translate: (raw) => toLevel(raw as ScriptedLevel & { id: string; sku: string }),
      },
    },
  }
  return stocked
}

function toLevel(raw: ScriptedLevel & { id: string; sku: string }): InventoryLevel {
  if (raw.broken) throw new TypeError('The level makes no sense.')
  return {
    sku: raw.sku,
    variant_remote_id: raw.id,
    location_remote_id: null,
    available: raw.available,
    on_hand: null,
    reserved: null,
    updated_at: raw.version ?? null,
  }
}

/** Ids and versions of the orders, so that a comparison need not read them. */
export function withIndex(shop: ScriptedShop): ScriptedShop {
  const { orders } = shop.connector
  if (!orders) throw new Error('There are no orders.')
  const index: NonNullable<typeof orders.index> = async (_, { from, to }) => {
    const within = [...shop.orders.values()].filter(({ updated }) => updated >= from && updated < to)
    return { items: within.map(({ id, updated }) => ({ remoteId: id, version: updated })), next: null }
  }
  shop.connector = { ...shop.connector, orders: { ...orders, index } }
  return shop
}
