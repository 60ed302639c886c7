import type { Products } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { Fields } from '../../commerce/reading.ts'
import { askOne, isId } from './ask.ts'
import { listListings, readListings } from './listings.ts'
import type { Credentials, EtsyShop, Settings } from './settings.ts'
import { changedAt } from './translate-order.ts'
import { toProduct } from './translate-product.ts'

export const products: Products<Settings, Credentials> = { list: listProducts, get: getProduct, translate: toProduct }

/** Etsy cannot be asked for what changed: all are read, and what is older is left out. */
async function listProducts(shop: EtsyShop, query: ReadQuery): Promise<RawPage> {
  const { updatedSince } = query
  const page = await listListings(shop, query, ['Inventory', 'Images'])
  const since = updatedSince === null ? null : new Date(updatedSince).toISOString().slice(0, 19)
  return { ...page, items: page.items.filter((one) => since === null || changedAt(one).slice(0, 19) >= since) }
}

async function getProduct(shop: EtsyShop, id: string): Promise<Fields | null> {
  if (!isId(id)) return null
  const listing = await askOne(shop, `/v3/application/listings/${id}`, { includes: 'Images' })
  if (listing === null) return null
  // A listing by itself comes without its stock.
  const [stocked] = await readListings(shop, [id])
  return { ...listing, ...(stocked?.['inventory'] == null ? {} : { inventory: stocked['inventory'] }) }
}
