import type { RawPage } from '../../src/commerce/connector/reads.ts'
import type { Shop } from '../../src/commerce/shop.ts'
import { prestashop } from '../../src/connectors/prestashop/index.ts'

export const first = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

/** What the shop reports of itself when it is opened. */
export const learned = {
  ...{ timezone: 'Europe/Paris', currency: 'EUR', language: 1, weight_unit: 'kg', state_canceled: 6 },
  ...{ state_refunded: 7, state_failed: 8, state_shipped: 4, state_delivered: 5 },
  ...{ state_backorder_paid: 9, state_backorder_unpaid: 12, id_shop: 1, id_shop_group: 1 },
}

export async function readAll(shop: Shop, kind: 'orders' | 'products' | 'inventory'): Promise<unknown[]> {
  const all: unknown[] = []
  for (let cursor: string | null = null, pages = 0; pages < 100; pages++) {
    const page: RawPage | undefined = await prestashop[kind]?.list(shop, { ...first, cursor })
    all.push(...(page?.items ?? []))
    cursor = page?.next ?? null
    if (cursor === null) return all
  }
  throw new Error('The list has no end.')
}
