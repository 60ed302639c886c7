import type { RawPage, ReadQuery } from '../../../commerce/connector/reads.ts'
import { type Fields, maybeFields, numberIn } from '../../../commerce/reading.ts'
import { ask, type Query } from '../ask.ts'
import type { ShopifyShop } from '../settings.ts'
import { type BulkChunk, readBulk, startBulk } from './bulk.ts'
import { type BulkPlace, cursorOf, fromTheBeginning, type PagePlace, placeOf } from './cursor.ts'

interface LargeList {
  /** How many there are, under `name`. */
  count: Query
  name: string
  /** The whole list as a bulk query. */
  bulk: string
  /** From so many on it is read in bulk. */
  many: number
  /** What a piece of the result has in it, as pages have it. */
  itemsOf(shop: ShopifyShop, records: BulkChunk['records']): Promise<readonly Fields[]>
}

type ReadPage = (shop: ShopifyShop, query: ReadQuery, place: PagePlace) => Promise<RawPage>

/** Page by page, or in bulk where there are many. */
export const listLarge =
  (list: LargeList, readPage: ReadPage) =>
  async (shop: ShopifyShop, query: ReadQuery): Promise<RawPage> => {
    const begun = query.cursor === null ? await beginList(shop, query, list) : placeOf(query.cursor)
    if ('items' in begun) return begun
    return 'operation' in begun ? await bulkPage(shop, list, begun, query.limit) : await readPage(shop, query, begun)
  }

/** A page out of a bulk result. Where none has come of it, the list is read page by page instead. */
async function bulkPage(shop: ShopifyShop, list: LargeList, place: BulkPlace, limit: number): Promise<RawPage> {
  const chunk = await readBulk(shop, place, limit)
  if (chunk === null) return { items: [], next: cursorOf(fromTheBeginning), total: null }
  const items = await list.itemsOf(shop, chunk.records)
  return { items, next: chunk.next === null ? null : cursorOf({ ...place, offset: chunk.next }), total: null }
}

/** Nobody but a sync asks for more at once than the platform gives. */
const maxPageSize = 250

/** A first sync of a large shop is left to the platform, which needs its time: the page is empty, the cursor is not. */
async function beginList(
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
