import type { Products } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf, textIn } from '../../commerce/reading.ts'
import { getItem, listItems, offersOf } from './listings.ts'
import { getListing, isListing, listListings, toListing } from './seller-hub/listings.ts'
import { type Credentials, type EbayShop, type Settings, usesSellerHub } from './settings.ts'
import { groupMark, toProduct } from './translate-product.ts'
import { getGroup, groupKeysOf, itemsOf, skusOf } from './variations.ts'

/** Each costs a question of its own: prices come with offers, and these by sku alone. */
const maxItems = 25

export const products: Products<Settings, Credentials> = {
  list: (shop, query) => (usesSellerHub(shop) ? listListings(shop, query) : listProducts(shop, query)),
  get: (shop, remoteId) => (usesSellerHub(shop) ? getListing(shop, remoteId) : getProduct(shop, remoteId)),
  translate: (raw) => (isListing(fieldsOf(raw)) ? toListing(raw) : toProduct(raw)),
}

/** An article is a product, unless it is one of a group: that is reported as a whole, with the first of its articles. */
async function listProducts(shop: EbayShop, query: ReadQuery): Promise<RawPage> {
  const page = await listItems(shop, query, maxItems)
  const groups = new Map<string, Fields | null>()
  const items: Fields[] = []
  for (const item of page.items) {
    const own = await groupsOf(shop, item, groups)
    if (own.length === 0) items.push(await withOffers(shop, item))
    for (const group of own.filter((one) => skusOf(one)[0] === item['sku'])) {
      const whole = await wholeGroup(shop, group)
      if (whole) items.push(whole)
    }
  }
  return { ...page, items }
}

async function groupsOf(shop: EbayShop, item: Fields, known: Map<string, Fields | null>): Promise<Fields[]> {
  const own: Fields[] = []
  for (const key of groupKeysOf(item)) {
    if (!known.has(key)) known.set(key, await getGroup(shop, key))
    const group = known.get(key)
    // One that does not know the article is not what it is sold under.
    if (group && skusOf(group).includes(textIn(item, 'sku'))) own.push(group)
  }
  return own
}

const withOffers = async (shop: EbayShop, item: Fields): Promise<Fields> => ({
  ...item,
  offers: await offersOf(shop, textIn(item, 'sku')),
})

/** Null if nothing is left of it. */
async function wholeGroup(shop: EbayShop, group: Fields): Promise<Fields | null> {
  const items: Fields[] = []
  for (const item of await itemsOf(shop, group)) items.push(await withOffers(shop, item))
  return items.length === 0 ? null : { ...group, items }
}

async function getProduct(shop: EbayShop, remoteId: string): Promise<Fields | null> {
  if (remoteId.startsWith(groupMark)) {
    const group = await getGroup(shop, remoteId.slice(groupMark.length))
    return group && (await wholeGroup(shop, group))
  }
  const reported = await getItem(shop, remoteId)
  const item = reported && { sku: remoteId, ...reported }
  if (item === null || (await groupsOf(shop, item, new Map())).length > 0) return null
  return await withOffers(shop, item)
}
