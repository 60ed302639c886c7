import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf, numberIn, recordsIn } from '../../commerce/reading.ts'
import { ask, askOne, inventoryApi } from './ask.ts'
import type { EbayShop } from './settings.ts'

/**
 * One page of the seller's inventory items. What is called offset there is the number of the page, so that all pages must
 * be of one size: the cursor keeps it. eBay does not say when an item changed, so all of them are read each time.
 */
export async function listItems(
  shop: EbayShop,
  { cursor, limit }: ReadQuery,
  maxPageSize: number,
): Promise<Omit<RawPage, 'items'> & { items: readonly Fields[] }> {
  const [page, size] = placeOf(cursor) ?? [0, Math.min(limit, maxPageSize)]
  const query = { limit: size, offset: page }
  const body = fieldsOf(await ask(shop, { path: `${inventoryApi}/inventory_item`, query }))
  const items = body['inventoryItems'] == null ? [] : recordsIn(body, 'inventoryItems')
  const total = body['total'] == null ? items.length : numberIn(body, 'total')
  const more = items.length > 0 && (page + 1) * size < total
  return { items, next: more ? `${page + 1}|${size}` : null, total }
}

/** Cursors come back from callers, who may have written anything into them. */
function placeOf(cursor: string | null): [page: number, size: number] | null {
  const match = /^(\d{1,7})\|([1-9]\d{0,2})$/.exec(cursor ?? '')
  return match ? [Number(match[1]), Math.min(200, Number(match[2]))] : null
}

export const getItem = async (shop: EbayShop, sku: string): Promise<Fields | null> =>
  sku.length > 50 ? null : await askOne(shop, { path: `${inventoryApi}/inventory_item/${encodeURIComponent(sku)}` })

/** An article that was never offered is answered as if there was no such thing. */
export async function offersOf(shop: EbayShop, sku: string): Promise<readonly Fields[]> {
  const body = await askOne(shop, { path: `${inventoryApi}/offer`, query: { sku } })
  return body?.['offers'] == null ? [] : recordsIn(body, 'offers')
}
