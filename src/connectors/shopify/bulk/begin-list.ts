import type { RawPage, ReadQuery } from '../../../commerce/connector.ts'
import { type Fields, maybeFields, numberIn } from '../../../commerce/reading.ts'
import { ask, type Query } from '../ask.ts'
import type { ShopifyShop } from '../settings.ts'
import { startBulk } from './bulk.ts'
import { cursorOf, fromTheBeginning, type PagePlace } from './cursor.ts'

interface LargeList {
  /** How many there are, under `name`. */
  count: Query
  name: string
  /** The whole list as a bulk query. */
  bulk: string
  /** From so many on it is read in bulk. */
  many: number
}

/** Nobody but a sync asks for more at once than the platform gives. */
const maxPageSize = 250

/** A first sync of a large shop is left to the platform, which needs its time: the page is empty, the cursor is not. */
export async function beginList(
  shop: ShopifyShop,
  { updatedSince, limit }: ReadQuery,
  { count, name, bulk, many }: LargeList,
): Promise<PagePlace | RawPage> {
  if (updatedSince !== null || limit <= maxPageSize) return fromTheBeginning
  const total = countIn(await ask(shop, count), name)
  if (total === null || total < many) return fromTheBeginning
  const operation = await startBulk(shop, bulk)
  return operation === null ? fromTheBeginning : { items: [], next: cursorOf({ operation, offset: 0 }), total }
}

/** Null where the platform stopped counting. */
export function countIn(data: Fields, name: string): number | null {
  const reported = maybeFields(data, name)
  return reported?.['precision'] === 'EXACT' ? numberIn(reported, 'count') : null
}
