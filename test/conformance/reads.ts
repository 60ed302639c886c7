import type { RawPage, ReadQuery } from '../../src/commerce/connector/reads.ts'
import type { Connector } from '../../src/commerce/connector.ts'
import { inventoryLevelSchema } from '../../src/commerce/inventory.ts'
import { remoteOrderSchema } from '../../src/commerce/order.ts'
import { remoteProductSchema } from '../../src/commerce/product.ts'
import type { AnyFields, Shop, ShopFacts } from '../../src/commerce/shop.ts'

/** What a connector reads, whatever it is. */
export interface AnyReads {
  list(shop: Shop, query: ReadQuery): Promise<RawPage>
  get?(shop: Shop, remoteId: string): Promise<unknown>
  translate(raw: unknown, facts: ShopFacts): object
}

export function readsOf({ orders, products, inventory }: Connector) {
  const parts: readonly {
    name: 'orders' | 'products' | 'inventory'
    reads: AnyReads | undefined
    schema: typeof remoteOrderSchema
  }[] = [
    { name: 'orders', reads: orders, schema: remoteOrderSchema },
    { name: 'products', reads: products, schema: remoteProductSchema as never },
    { name: 'inventory', reads: inventory, schema: inventoryLevelSchema as never },
  ]
  return parts.flatMap(({ reads, ...part }) => (reads ? [{ ...part, reads }] : []))
}

export const query: ReadQuery = { updatedSince: null, statuses: [], cursor: null, limit: 20 }

export async function readAll(reads: AnyReads, shop: Shop, asked: Partial<ReadQuery>): Promise<unknown[]> {
  const all: unknown[] = []
  for (let cursor: string | null = null, pages = 0; pages < 500; pages++) {
    const page: RawPage = await reads.list(shop, { ...query, ...asked, cursor })
    all.push(...page.items)
    cursor = page.next
    if (cursor === null) return all
  }
  throw new Error('The list has no end.')
}

const field = (item: object, name: string): string => String((item as AnyFields)[name] ?? '')
export const keyOf = (item: object): string =>
  'remote_id' in item
    ? field(item, 'remote_id')
    : // Real shops have articles with the same SKU.
      ['sku', 'variant_remote_id', 'location_remote_id'].map((name) => field(item, name)).join(' ')
export const timeOf = (item: object): string => field(item, 'remote_updated_at') || field(item, 'updated_at')
